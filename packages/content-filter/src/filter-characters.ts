/** Filter rules about misleading and invisible characters (Unicode UAX 9, UTS 39, UTS 51). */

import type { TextReading } from './content-filter-text.ts';
import type { Finding } from './finding.ts';

/** Newline, tab and CRLF are allowed (contract/flow-apps#content-filter). Line and paragraph separators are refused, because readers do not expect them as newlines. */
export function hasControlCharacter({ raw }: TextReading): boolean {
  return /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]|\r(?!\n)/.test(raw);
}

/**
 * Embeddings and overrides reorder text. Direction marks belong in right-to-left text only. Translation libraries put pairs of isolates around inserted values; without
 * right-to-left text they have no effect.
 */
export function bidirectionalFinding({ raw, isAscii }: TextReading): Finding {
  if (isAscii || !/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(raw)) return undefined;
  const isRightToLeft = rightToLeft.test(raw);
  if (/[\u202a-\u202e]/.test(raw) || !hasPairedIsolates(raw)) return 'refuse';
  if (isRightToLeft) return undefined;
  return /[\u061c\u200e\u200f\u2067]/.test(raw) ? 'refuse' : 'flag';
}

/** Whether every isolate is closed on its own line. */
function hasPairedIsolates(text: string): boolean {
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char >= 0x2066 && char <= 0x2068) open++;
    else if (char === 0x2069) open--;
    else if (char === 10 && open > 0) return false;
    if (open < 0) return false;
  }
  return open === 0;
}

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}](?<=\p{L})/u;

/** Zero-width characters and invisible fillers. The format characters of Arabic and Syriac (U+0600 to U+0605 and others) are visible. */
const suspects = new RegExp(
  '[\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200d\\u2060-\\u2065\\u206a-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0' +
    '\\ufff0-\\ufffb\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}\\p{Cs}\\p{Noncharacter_Code_Point}]',
  'u',
);

/** The allowed uses of such characters, each with its required context. */
const legitimate = new RegExp(
  [
    // Flags of England, Scotland and Wales: the only tag sequences in use.
    '\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}',
    // Joined emoji, and the choice between picture and sign: one selector each.
    '(?:\\p{Emoji}[\\ufe0e\\ufe0f]|\\p{Extended_Pictographic}\\p{Emoji_Modifier})?\\u200d(?=\\p{Extended_Pictographic})(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f]\\u200d)',
    '\\p{Emoji}[\\ufe0e\\ufe0f]',
    // Soft hyphens within words.
    '(?<=\\p{L})\\u00ad(?=\\p{L})',
    // Variants of an ideograph or a Mongolian letter. Registered ones are below U+E0120; the others could spell a hidden text, one letter after each ideograph.
    '\\p{Script=Han}[\\ufe00-\\ufe02\\u{e0100}-\\u{e011f}]',
    '\\p{Script=Mongolian}[\\u180b-\\u180d\\u180e\\u180f]',
    // Joiners in Arabic, Indic and Mongolian scripts; zero-width spaces in scripts that are written without spaces.
    '(?<=[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Mongolian}])\\p{M}*[\\u200c\\u200d](?=[\\p{L}\\p{M}])',
    '(?<=[\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]\\p{M}?)\\u200b(?=[\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}])',
  ].join('|'),
  'gu',
);

/** Narrow spaces occur next to numbers and marks, not within words. */
const splitsWord = /(?<=\p{Ll})[\u2004-\u200a\u205f](?=\p{Ll})/u;

/** Invisible characters hide text that agents read from people, or split words that filters search for. */
export function hasInvisibleCharacter({ raw, isAscii }: TextReading): boolean {
  if (isAscii) return false;
  return splitsWord.test(raw) || (suspects.test(raw) && suspects.test(raw.replace(legitimate, '')));
}
