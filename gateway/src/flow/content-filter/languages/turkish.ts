/** Turkish, as the content filter knows it. */

import type { Language } from '../lexicon.ts';

export const turkish: Language = {
  language: 'tr',
  verbLast: true,
  word: 'kelime',
  secret:
    'kurtarma ifade*, kurtarma kelime*, kurtarma cümle*, gizli kelime*, gizli ifade*, gizli kurtarma ifade*, tohum ifade*, tohum kelime*, tohum cümle*, yedekleme ifade*, anımsatıcı ifade*, özel anahtar*, gizli anahtar*, 12 kelime*, 24 kelime*, on iki kelime*, yirmi dört kelime*, cüzdan şifre*, cüzdan parola*, cüzdanınızın şifre*, cüzdanınızın parola*, cüzdanınızın kelime*, keystore dosya*',
  ask: 'gir, girin, giriniz, girmeniz, girmelisiniz, yaz, yazın, yazınız, yazmanız, yazıp gönder*, paylaş, paylaşın, paylaşınız, paylaşmanız, gönder, gönderin, gönderiniz, yapıştır, yapıştırın, doğrula, doğrulayın, ilet, iletin, onayla, onaylayın, ver, verin, veriniz, söyle, söyleyin, kopyala, kopyalayın, yükle, yükleyin, içe aktar, içe aktarın, dışa aktar*, sağlayın, istiyoruz, ihtiyacımız var, doldurun, belirtin, bildirin',
  either: 'doğrulayın, yaz, yazın, onaylayın',
  need: 'gerekli, gereklidir, gerekiyor, gerekir, zorunlu, zorunludur, lazım, lütfen, buraya, aşağıya, burada, eksik, istenmektedir',
  what: 'nedir',
  yours: 'sizin, senin, bize, cüzdanınızın, hesabınızın',
  and: 've, sonra, ama',
  deny: 'asla, hiçbir, hiçbir zaman, kimse, kimseyle, kimseye, değil, gerekmez, gerekmiyor, gerekmemektedir, girmeyin, girmeyiniz, girmemelisiniz, paylaşmayın, paylaşmayınız, paylaşmamalısınız, vermeyin, vermeyiniz, yazmayın, göndermeyin, paylaşma, söylemeyin, istemeyiz, istemez, istemeyecek*, istemiyoruz, sormayız, sormaz, olmadan',
  keep: 'sakla, saklayın, saklayınız, saklıyorum, kağıda, kâğıda, kaydet, kaydedin, kaydettim, yedekle*, yedekledim, koru, koruyun, kaybed*, kaybet*, çalın*, sızd*, güvenli, çevrimdışı, tek yol*, imzala*, yok edin',
  warned:
    'biri, kim, herkes, isteyen, isteyenler*, isteyen kişi*, soran, soranlar*, isterse, dolandır*, sahte*, oltalama, hırsız*, güvenmeyin, dikkat',
  fraud: 'dolandırıcıdır, dolandırıcılıktır, dolandırıcı, sahtedir',
  filler: 've, veya, ile, için, bir, bu, şu, siz, sen, devam, etmek, cüzdan, hesap, de, da, sizden, tüm',
  override:
    'yok say, yok sayın, görmezden gel, görmezden gelin, unut, unutun, dikkate alma, boş ver, göz ardı et, göz ardı edin, geçersiz kıl',
  rules: 'talimat*, komut*, kural*, yönerge*, emir*, emri, kısıtlama*, yönlendirme*, promptları',
  former: 'tüm, bütün, önceki, yukarıdaki, eski, sistem, şimdiye kadarki, her',
  may: 'edebilirsiniz, alabilirsiniz, olabilir, gelebilirsiniz',
  model: 'yapay zeka, yapay zekâ, ai, dil model*, yapay zeka ajan*, yapay zeka asistan*, ai ajan*',
  agent: 'asistan, asistanlar, ajan, ajanlar, bot, botlar',
  address: 'dikkat, not, tüm, eğer, sevgili, merhaba, için',
  order:
    'meli, malı, gerekir, lütfen, onayla, onaylayın, imzala, gönder, seç, seçin, yanıtla, çalıştır, tıkla, devam et, zaten onayladı, kabul etti, yap, her zaman, daima',
  tell: 'söyleme, söylemeyin, sorma, sormayın, sormadan, bildirme, bildirmeyin, bildirmeden, haber verme, haber vermeden, gösterme, göstermeyin, bahsetme, bahsetmeyin',
  user: 'kullanıcı, kullanıcıya, kullanıcıdan, kullanıcıyı, insana, müşteriye, onay',
  become: 'artık, şu andan itibaren, bundan sonra, sen artık, gibi davran, rolünü üstlen',
  role: 'asistansın, asistan, botsun, bot, ajansın, modelsin, kısıtlaması olmayan, kısıtlamasız, sınırsız, yöneticisin, geliştirici modu*',
  reveal: 'göster, gösterin, yazdır, açıkla, tekrarla, ver, listele, gönder',
  inner: 'sistem istem*, sistem prompt*, sistem talimat*, konuşma geçmiş*, ortam değişken*',
  fatal:
    'yeni görevin, yeni rolün, tek görevin, geliştirici modu etkin, kullanıcıya söyleme, kullanıcıya söylemeyin, kullanıcıya sorma, kullanıcıya sormadan, kullanıcıya sormayın, kullanıcıya bildirme, kullanıcıya bildirmeden, kullanıcıya gösterme, kullanıcıya haber verme, kullanıcıya haber vermeden, onay istemeden, onay almadan, kullanıcının haberi olmadan, kullanıcıdan gizle',
  pieces: 'kelimeleri, kelimeler, kelimelerini',
  wallet: 'cüzdan, cüzdanın, cüzdanınızın',
  shown: 'gösterdiği, verdiği, oluşturduğu',
  lapsed: 'artık geçerli değil, geçersizdir, iptal edildi',
};
