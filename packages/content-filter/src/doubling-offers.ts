/** Offers to return more than was sent, found by their numbers, in any language: `Envía 0,5 ETH y recibe 1 ETH`. */

/** An amount with the symbol of a token. */
const amount = /(?<![\p{L}\p{N}.,])(\d{1,12}(?:[.,]\d{1,18})?) ?([A-Z]{2,6})(?![\p{L}\p{N}])/gu;

const send =
  /(?<!\p{L})(?:send|deposit|pay|transfer|invest|contribute|env[ií][aeo]\p{L}{0,3}|deposit[ae]\p{L}{0,3}|pag[ao]|sende|zahle?n?|überweise\p{L}?|einzahlen|envoye[zr]|versez|déposez|invi[ao]|versa|отправ\p{L}{1,6}|перевед\p{L}{1,4}|внес\p{L}{1,4}|gönder\p{L}{0,4})(?!\p{L})|发送|發送|存入|转入|轉入|送金|送って|أرسل/iu;

const receive =
  /(?<!\p{L})(?:receive|get|gets|back|returned|recib[ae]\p{L}?|obt[eé]n\p{L}{0,4}|receb[ae]\p{L}?|zurück|erhalte?n?|bekomm\p{L}{0,3}|recev\p{L}{1,3}|riceva?i?|получ\p{L}{1,6}|верн\p{L}{1,6}|alın?|alırsın\p{L}{0,3})(?!\p{L})|收到|返还|返還|得到|获得|獲得|受け取|تحصل|استلم/iu;

/** An increase of the same token that no trade gives. */
const suspiciousRatio = 1.5;

/** Maximum distance of the two amounts and the verbs. */
const reach = 80;

/** Whether a text asks for an amount of a token and promises at least half as much more of the same token. */
export function offersMoreBack(normal: string): boolean {
  let last:
    | { readonly value: number; readonly symbol: string; readonly start: number; readonly end: number }
    | undefined;
  for (const { 0: whole, 1: digits = '', 2: symbol = '', index } of normal.matchAll(amount)) {
    const next = { value: Number(digits.replace(',', '.')), symbol, start: index, end: index + whole.length };
    if (
      last?.symbol === symbol &&
      next.value >= last.value * suspiciousRatio &&
      last.value > 0 &&
      next.start - last.end <= reach &&
      send.test(normal.slice(Math.max(0, last.start - reach), last.start)) &&
      receive.test(normal.slice(last.end, next.end + reach / 2))
    )
      return true;
    last = next;
  }
  return false;
}
