/** Indonesian, as the content filter knows it. */

import type { Language } from '../lexicon.ts';

export const indonesian: Language = {
  language: 'id',
  word: 'kata',
  secret:
    'frasa pemulihan, frasa benih, frasa rahasia, frasa seed, frasa cadangan, kunci pribadi, kunci privat, kunci rahasia, 12 kata, 24 kata, kata sandi dompet',
  ask: 'masukkan, kirim, kirimkan, bagikan, berikan, tempel, tempelkan, ketik, isi, isikan, konfirmasi, verifikasi, salin, unggah, impor, minta, meminta, kami membutuhkan',
  need: 'diperlukan, wajib, dibutuhkan, di sini, di bawah, tolong',
  what: 'apa',
  yours: 'anda, kamu, mu',
  and: 'dan, lalu',
  deny: 'jangan, tidak, tidak pernah, tanpa, bukan, siapa pun',
  keep: 'simpan, catat, lindungi, hilang, kehilangan, dicuri, aman, luring, satu satunya cara',
  warned: 'siapa pun yang, siapapun, penipu*, penipuan, phishing, palsu, waspada, waspadalah',
  fraud: 'adalah penipuan, adalah penipu',
  filler: 'dan, atau, untuk, dengan, yang, ke, di, dari, dompet, akun, kami, saya',
  override: 'abaikan, lupakan, lewati',
  rules: 'instruksi, perintah, aturan, arahan, petunjuk',
  former: 'semua, sebelumnya, di atas, terdahulu, sistem',
  may: 'dapat, bisa, boleh',
};
