/** Decodes HTML character references, as a careless reader of a text would. */

const named: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  colon: ':',
  tab: '\t',
  newline: '\n',
  lpar: '(',
  rpar: ')',
  sol: '/',
  bsol: '\\',
  nbsp: ' ',
};

/** Browsers accept some of them without a semicolon. */
const reference =
  /&(?:#x0{0,8}([0-9a-f]{1,6})|#0{0,8}(\d{1,7})|(lt|gt|amp|quot|apos|colon|tab|newline|lpar|rpar|sol|bsol|nbsp));?/gi;

/** Decodes nested references too, up to three levels. */
export function decodeReferences(text: string): string {
  let compensated = text;
  for (let times = 0; times < 3 && /&(?:#[x\d]|[a-z]{2,7})/i.test(compensated); times++) {
    const next = compensated.replaceAll(reference, (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return named[name.toLowerCase()] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    });
    if (next === compensated) break;
    compensated = next;
  }
  return compensated;
}

/** Decodes other spellings of a character: references to letters with accents (`&eacute;`), percent-encoding, and escapes of JSON and JavaScript. */
export function decodeEscapes(text: string): string {
  if (!/[&%\\]/.test(text)) return text;
  const shown = text.includes('&') ? decodeReferences(text.replaceAll(accented, '$1')) : text;
  return shown
    .replaceAll(/%([2-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\\(?:u00|x)([2-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

const accented = /&([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring|caron|macr|slash|strok);/gi;

/** Whether a text has references that encoders do not produce. They occur only to hide a letter. */
export const hasOddReference = (text: string): boolean =>
  /&(?:#(?!(?:x0{0,8}(?:22|26|27|3c|3e|a0)|0{0,8}(?:34|38|39|60|62|160))(?![0-9a-f]))[x\d]|(?:colon|tab|newline|lpar|rpar|sol|bsol);)/i.test(
    text,
  );
