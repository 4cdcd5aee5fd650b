/** Tables of single characters: which belong to words, and which Latin letters they resemble. Tables are used because every character of every text is looked up. */

import { once } from './once.ts';

/** Cyrillic, Greek, Armenian, Cherokee, Lisu and Latin-like letters that look like Latin ones (Unicode, confusables), in lower case. */
const lookAlikes: readonly (readonly [from: string, to: string])[] = [
  ['абвгеёзіїјкмнопрсстухцчѕһԁԛԝѵӏ', 'abbreeziijkmhonpcctyxuyshdqwvl'],
  ['αβγδεζηικλμνορστυχωϲϳ', 'abydezniklmvopstuxwcj'],
  ['հօոսցզյլ', 'honugqjl'],
  ['ᎪᎬᎡᎢᎫᎷᎻᎽᏀᏃᏔᏚᏞᏟᏢᏤᏦᏴᎠᎳᏳᏂ'.toLowerCase(), 'aertjmhygzwslcpvkbdwgh'],
  ['ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ', 'bpdtgkjczfmnlsrvhwxyaeiou'],
  ['ıɑɡɩɪʀʏᴀʙᴄᴅᴇɢʜᴊᴋʟᴍɴᴏᴘꜱᴛᴜᴠᴡᴢɛøłđħŧ', 'iagiiryabcdeghjklmnopstuvwzeoldht'],
];

/** Maps code units to code units; all of them are below the surrogates. */
const latinLetters = once((): Uint16Array => {
  const latinOf = new Uint16Array(65_536);
  for (let code = 0; code < latinOf.length; code++) latinOf[code] = code;
  for (const [from, to] of lookAlikes)
    for (let at = 0; at < from.length; at++) latinOf[from.charCodeAt(at)] = to.charCodeAt(at);
  return latinOf;
});

/** 1: letters, digits and signs that belong to words. 2: other characters that remain in plain words. 3: marks that count only at the end of a word. 0: all others. */
const kinds = once((): Uint8Array => {
  const kindOf = new Uint8Array(65_536);
  const belongsToWord = /[\p{L}\p{N}\p{Cs}]/u;
  for (let code = 0; code < kindOf.length; code++) if (belongsToWord.test(String.fromCharCode(code))) kindOf[code] = 1;
  for (const char of '\n !;?@$。！？、，；：।؟') kindOf[char.charCodeAt(0)] = 2;
  for (const char of '.,:') kindOf[char.charCodeAt(0)] = 3;
  return kindOf;
});

const blank = 32;

/** Replaces everything that neither belongs to a word nor ends a sentence by one space, or two for a wider gap, and shortens repeated letters to two (`seeed`). `text` is in lower case. */
export function softened(text: string): string {
  const kindOf = kinds();
  const units = new Uint16Array(text.length);
  let length = 0;
  let last = 0;
  let before = 0;
  for (let at = 0; at < text.length; at++) {
    let unit = text.charCodeAt(at);
    const kind = kindOf[unit] ?? 0;
    if (kind === 0 || (kind === 3 && isWithinWord(text, at, kindOf))) unit = blank;
    if (unit === last && unit === before && (unit === blank || isSmallLetter(unit))) continue;
    before = last;
    last = unit;
    units[length++] = unit;
  }
  return textOf(units.subarray(0, length));
}

/** Whether a mark is within a word: `seed.phrase`. In Chinese and Japanese no space follows commas and colons. */
function isWithinWord(text: string, at: number, kindOf: Uint8Array): boolean {
  const next = text.charCodeAt(at + 1);
  return kindOf[next] === 1 && (text[at] === '.' || next < 0x3040 || next > 0x9fff);
}

const isSmallLetter = (unit: number): boolean => (unit >= 97 && unit <= 122) || (unit >= 0x430 && unit <= 0x44f);

/** Replaces look-alikes from other scripts by Latin letters. */
export function withLatinLetters(text: string): string {
  const latinOf = latinLetters();
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
