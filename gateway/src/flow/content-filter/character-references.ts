/** Character references of HTML, undone: what a careless reader would make of a text. */

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

/** A browser needs no semicolon for some of them. */
const reference =
  /&(?:#x0{0,8}([0-9a-f]{1,6})|#0{0,8}(\d{1,7})|(lt|gt|amp|quot|apos|colon|tab|newline|lpar|rpar|sol|bsol|nbsp));?/gi;

/** As often as they were written one within the other, three times at most. */
export function undoReferences(text: string): string {
  let undone = text;
  for (let times = 0; times < 3 && /&(?:#[x\d]|[a-z]{2,7})/i.test(undone); times++) {
    const next = undone.replaceAll(reference, (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return named[name.toLowerCase()] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    });
    if (next === undone) break;
    undone = next;
  }
  return undone;
}

/** Others than those that programs write where they need not: nobody spells a letter that way but to hide it. */
export const hasOddReference = (text: string): boolean =>
  /&(?:#(?!(?:x0{0,8}(?:22|26|27|3c|3e|a0)|0{0,8}(?:34|38|39|60|62|160))(?![0-9a-f]))[x\d]|(?:colon|tab|newline|lpar|rpar|sol|bsol);)/i.test(
    text,
  );
