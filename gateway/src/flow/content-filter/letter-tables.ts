/** What the content filter does with single characters: which of them are words, and which Latin letter others look like. Tables, since it does that with every character of every text. */

/** Cyrillic, Greek, Armenian, Cherokee, Lisu and Latin-like letters that look like Latin ones (Unicode, confusables), in small letters. */
const lookAlikes: readonly (readonly [from: string, to: string])[] = [
  ['абвгеёзіїјкмнопрсстухцчѕһԁԛԝѵӏ', 'abbreeziijkmhonpcctyxuyshdqwvl'],
  ['αβγδεζηικλμνορστυχωϲϳ', 'abydezniklmvopstuxwcj'],
  ['հօոսցզյլ', 'honugqjl'],
  ['ᎪᎬᎡᎢᎫᎷᎻᎽᏀᏃᏔᏚᏞᏟᏢᏤᏦᏴᎠᎳᏳᏂ'.toLowerCase(), 'aertjmhygzwslcpvkbdwgh'],
  ['ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ', 'bpdtgkjczfmnlsrvhwxyaeiou'],
  ['ıɑɡɩɪʀʏᴀʙᴄᴅᴇɢʜᴊᴋʟᴍɴᴏᴘꜱᴛᴜᴠᴡᴢɛøłđħŧ', 'iagiiryabcdeghjklmnopstuvwzeoldht'],
];

/** Code unit to code unit; all of them stand below the surrogates. */
const latinOf: Uint16Array = Uint16Array.from({ length: 65_536 }, (_, code) => code);
for (const [from, to] of lookAlikes)
  for (let at = 0; at < from.length; at++) latinOf[from.charCodeAt(at)] = to.charCodeAt(at);

/** Letters, and digits and signs that belong to words, are 1; what else is kept is 2; marks that count only at a word's end are 3; everything else is 0. */
const kindOf: Uint8Array = Uint8Array.from({ length: 65_536 }, (_, code) => {
  const char = String.fromCharCode(code);
  if ('.,:'.includes(char)) return 3;
  if ('\n !;?@$。！？、，；：।؟'.includes(char)) return 2;
  return /[\p{L}\p{N}\p{Cs}]/u.test(char) ? 1 : 0;
});

const blank = 32;

/** `text` in small letters, with everything that is no word and ends no sentence as one blank, two where the gap is wider, and no letter more than twice in a row (`seeed`). */
export function softened(text: string): string {
  const units = new Uint16Array(text.length);
  let length = 0;
  let last = 0;
  let before = 0;
  for (let at = 0; at < text.length; at++) {
    let unit = text.charCodeAt(at);
    const kind = kindOf[unit] ?? 0;
    if (kind === 0 || (kind === 3 && isWithinWord(text, at))) unit = blank;
    if (unit === last && unit === before && (unit === blank || isSmallLetter(unit))) continue;
    before = last;
    last = unit;
    units[length++] = unit;
  }
  return textOf(units.subarray(0, length));
}

/** `seed.phrase`; behind their commas and colons, Chinese and Japanese go on without a blank. */
function isWithinWord(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  return kindOf[next] === 1 && (text[at] === '.' || next < 0x3040 || next > 0x9fff);
}

const isSmallLetter = (unit: number): boolean => (unit >= 97 && unit <= 122) || (unit >= 0x430 && unit <= 0x44f);

/** With the look-alikes of other scripts as Latin letters. */
export function withLatinLetters(text: string): string {
  const units = new Uint16Array(text.length);
  let isOther = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const shown = latinOf[unit] ?? unit;
    if (shown !== unit) isOther = true;
    units[at] = shown;
  }
  return isOther ? textOf(units) : text;
}

const textOf = (units: Uint16Array): string =>
  Buffer.from(units.buffer, units.byteOffset, units.byteLength).toString('utf16le');
