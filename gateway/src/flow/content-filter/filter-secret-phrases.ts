/** How other languages ask for a seed phrase or a private key. A clause with noun and verb and no negation asks for it. */

import { inLatin, plainWords } from './content-filter-text.ts';

/** Stems; whatever follows within the word is inflection. */
type Phrasebook = {
  readonly nouns: string;
  readonly verbs: string;
  readonly negations: string;
};

const latinBooks: readonly Phrasebook[] = [
  // Spanish, Portuguese, Italian
  {
    nouns:
      'frase semilla|frase de recuperacion|frase secreta|frase de seguridad|palabras semilla|palabras de recuperacion|clave privada|llave privada|claves privadas|frase semente|frase de recuperacao|frase-semente|palavras de recuperacao|palavras-semente|chave privada|chaves privadas|frase seed|frase di recupero|frase segreta|parole di recupero|chiave privata|chiavi private|12 palabras|24 palabras|12 palavras|24 palavras|12 parole|24 parole|seed phrase|frase mnemonica|frase mnemotecnica',
    verbs:
      'introduz|introduc|ingres|escrib|envi|compart|proporcion|facilit|peg|copi|indica|confirm|verific|dinos|digite|digita|insira|inserir|insir|inform|forneca|fornec|compartilh|cole|partilh|inser|invia|condivid|fornis|incoll|scriv|comunic|necesit|precis|requier|serve|rellen|restaur|valid',
    negations: 'no|nunca|jamas|nadie|ni|nao|jamais|ninguem|nem|non|mai|nessuno|sin|sem|senza',
  },
  // French
  {
    nouns:
      'phrase de recuperation|phrase secrete|phrase de recup|phrase mnemonique|phrase seed|cle privee|cles privees|clef privee|mots de recuperation|12 mots|24 mots|seed phrase',
    verbs:
      'saisi|entre|envoy|partag|fourni|communiqu|donn|tape|coll|indiqu|copi|confirm|verifi|renseign|import|inser|transmet|montr|besoin|requis|exig',
    negations: 'ne|n|jamais|pas|personne|ni|aucun|aucune|sans',
  },
  // German, Dutch
  {
    nouns:
      'seed phrase|seed-phrase|seedphrase|seed-worter|seed worter|wiederherstellungsphrase|wiederherstellungsworter|wiederherstellungssatz|geheime phrase|private key|privaten schlussel|privater schlussel|private schlussel|privatschlussel|12 worter|24 worter|zwolf worter|herstelzin|herstelwoorden|prive-sleutel|privesleutel|prive sleutel|geheime zin|12 woorden|24 woorden',
    verbs:
      'gib|gebe|geben|eingeb|einzugeb|einfug|send|schick|teil|nenn|verrat|ubermitt|bestatig|verifizier|kopier|importier|tipp|mitteil|hochlad|benotig|brauch|angeb|anzugeb|voer|invoer|stuur|deel|geef|verstrek|plak|typ|bevestig|vul',
    negations: 'nie|niemals|nicht|niemand|kein|keine|keinen|keiner|ohne|nooit|niet|geen|zonder',
  },
  // Polish, Turkish, Vietnamese, Indonesian
  {
    nouns:
      'fraza odzyskiwania|fraze odzyskiwania|frazy odzyskiwania|fraza seed|fraze seed|frazy seed|klucz prywatny|klucza prywatnego|12 slow|24 slow|kurtarma ifade|kurtarma kelime|gizli kelime|gizli ifade|ozel anahtar|tohum ifade|tohum kelime|12 kelime|24 kelime|cum tu khoi phuc|cum tu bi mat|cum tu hat giong|khoa rieng tu|khoa ca nhan|khoa bi mat|12 tu|24 tu|frasa pemulihan|frasa benih|frasa rahasia|kunci pribadi|kunci privat|12 kata|24 kata',
    verbs:
      'podaj|wpisz|wprowadz|wyslij|przeslij|udostepnij|wklej|potwierdz|gir|yaz|paylas|gonder|yapistir|dogrula|ilet|onayla|ver|nhap|dien|gui|chia se|cung cap|dan|xac nhan|xac minh|masukkan|kirim|bagikan|berikan|tempel|ketik|isi|konfirmasi|verifikasi',
    negations:
      'nie|nigdy|nikomu|nikt|bez|asla|hicbir|kimse|girmeyin|paylasmayin|vermeyin|yazmayin|gondermeyin|paylasma|khong|dung|jangan|tidak|tanpa',
  },
];

const otherBooks: readonly Phrasebook[] = [
  // Russian, Ukrainian
  {
    nouns:
      'сид-фраз|сид фраз|сидфраз|seed-фраз|seed фраз|мнемоническ|секретную фраз|секретная фраз|секретной фраз|фразу восстановления|фраза восстановления|фразы восстановления|приватный ключ|приватного ключа|приватные ключ|закрытый ключ|секретный ключ|12 слов|24 слова|приватний ключ|фразу відновлення|сід-фраз|секретну фраз',
    verbs:
      'введ|вводит|отправ|пришл|укаж|сообщ|вставь|скопируй|подтверд|предостав|поделит|назов|передай|импортир|потребуется|нужн|надіш|введіть|вкаж|повідом|напиш',
    negations: 'не|никогда|никому|никто|без|ни|ніколи|нікому|ніхто',
  },
  // Chinese, Japanese, Korean
  {
    nouns:
      '助记词|助記詞|私钥|私鑰|恢复短语|恢復短語|恢复词|种子短语|助记短语|註記詞|密钥短语|12个单词|24个单词|シードフレーズ|リカバリーフレーズ|復元フレーズ|回復フレーズ|秘密鍵|ニーモニック|プライベートキー|시드 구문|시드구문|시드 문구|시드문구|복구 구문|복구구문|복구 문구|니모닉|개인키|개인 키|프라이빗 키|비밀키',
    verbs:
      '输入|輸入|填写|填寫|提供|发送|發送|粘贴|貼上|提交|分享|告诉|告訴|导入|導入|匯入|上传|确认|驗證|验证|复制|入力|送信|貼り付け|教えて|共有|提出|記入|提示|確認|입력|보내|공유|제출|알려|붙여|제공|전송|확인|인증',
    negations:
      '不要|请勿|請勿|切勿|勿|别|別|不会|不會|不得|不需|不应|无需|無需|绝不|絕不|永远不|任何人|しない|ないで|せず|ません|なく|禁止|決して|마세요|말아|않|없|절대|금지',
  },
  // Hindi, Arabic
  {
    nouns:
      'सीड फ़्रेज़|सीड फ्रेज|रिकवरी फ्रेज|रिकवरी वाक्यांश|गुप्त वाक्यांश|निजी कुंजी|प्राइवेट की|العبارة السرية|عبارة الاسترداد|عبارة الاستعادة|عبارة البذور|المفتاح الخاص|مفتاحك الخاص|عبارتك السرية|كلمات الاسترداد',
    verbs: 'दर्ज|भेज|डाल|साझा|बताए|लिख|प्रदान|पेस्ट|أدخل|ادخل|إدخال|أرسل|ارسل|شارك|اكتب|قدم|الصق|تأكيد|أكد',
    negations: 'न|नहीं|मत|कभी|لا|لن|لم|أبدا|ابدا|بدون|عدم',
  },
];

type Finder = { readonly noun: RegExp; readonly verb: RegExp; readonly negation: RegExp };

/** Words begin where no letter is before them; scripts without blanks have no such place. */
function finder(book: Phrasebook, fold: (text: string) => string): Finder {
  const any = (list: string) =>
    list
      .split('|')
      .map(
        (each) =>
          (/[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(each)
            ? ''
            : '(?<![\\p{L}\\p{N}])') + fold(each),
      );
  const whole = (list: string) =>
    any(list).map((each) => (each.startsWith('(?<!') ? `${each}(?![\\p{L}\\p{N}])` : each));
  return {
    noun: new RegExp(any(book.nouns).join('|'), 'u'),
    verb: new RegExp(any(book.verbs).join('|'), 'u'),
    negation: new RegExp(whole(book.negations).join('|'), 'u'),
  };
}

/** Stems and loan words are English too; what is English is filter-secret-requests' to judge. */
const english = '|you|your|the|that';

const latinFinders = latinBooks.map((book) =>
  finder({ ...book, negations: book.negations + english }, (text) => inLatin(plainWords(text))),
);
const otherFinders = otherBooks.map((book) => finder(book, (text) => plainWords(text)));

/** One cheap pass for what has none of the nouns in it. */
const anyLatinNoun = new RegExp(
  latinBooks
    .map(({ nouns }) => inLatin(plainWords(nouns.replaceAll('|', '\n'))))
    .join('\n')
    .replaceAll('\n', '|'),
);

/** The readings of one text, as content-filter-text has them. */
export function asksForSecretElsewhere(words: string, latin: string, isAscii: boolean): boolean {
  if (anyLatinNoun.test(latin) && latinFinders.some((book) => asks(latin, book))) return true;
  return !isAscii && otherFinders.some((book) => asks(words, book));
}

function asks(text: string, { noun, verb, negation }: Finder): boolean {
  if (!noun.test(text)) return false;
  return text
    .split(/[.!?;:,\n。！？；：、，।؟]/)
    .some((clause) => noun.test(clause) && !negation.test(clause) && (verb.test(clause) || isNounAlone(clause, noun)));
}

/** At most three short words beside it: a label. */
function isNounAlone(clause: string, noun: RegExp): boolean {
  const rest = clause.replace(noun, ' ').trim();
  return (
    rest === '' || (/^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana} ]{1,4}$/u.test(rest) && clause.length <= 16)
  );
}
