/** The spellings in which secrets are found: any letter case, percent-encoding, hex, base64 (contract/flow-apps#secrets) and JSON escapes. */

export type Spelling = {
  /** The decoded text, case-folded, in UTF-8. */
  readonly bytes: Uint8Array;
  /** Whether the bytes are decoded from the whole text, not from a part. */
  readonly isWhole: boolean;
};

const lossy = new TextDecoder('utf-8', { ignoreBOM: true });

/** Folds case. Converts to upper case and back, so that `ẞ`, `ß` and `ss`, and `ſ` and `s`, become equal. */
export function foldedBytes(text: string): Uint8Array {
  return Buffer.from(text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ'));
}

/** Folding lengthens some letters (`ῲ` and `ŉ` become two), so an encoded secret may have fewer bytes than its mark states: at least this fraction in realistic words. */
const encodedPart = 0.6;

/**
 * Decodes `text` in every spelling; parts of it only when they can contain `least` bytes. Yields at most about eight times the bytes of the text, in linear time. Base64 is decoded at each of
 * its four offsets, because other characters may precede the encoded secret.
 */
export function* spellingsOf(text: string, min: number): Generator<Spelling> {
  const minEncoded = Math.ceil(min * encodedPart);
  yield { bytes: foldedBytes(text.trim()), isWhole: true };
  // Failing apps tend to show the JSON that they received.
  if (text.includes('\\')) yield { bytes: foldedBytes(unescaped(text).trim()), isWhole: true };
  if (/%[0-9a-f]{2}/i.test(text)) yield { bytes: foldedAgain(percentDecoded(text)), isWhole: true };
  if (text.includes('+')) yield { bytes: foldedAgain(percentDecoded(text.replaceAll('+', ' '))), isWhole: true };
  yield* runsOf(text, /[0-9a-f]{2,}/gi, 2 * minEncoded, [0, 1], (run) => Buffer.from(evenly(run), 'hex'));
  // MIME breaks base64 into lines of 76 characters.
  const unbroken = text.replaceAll(/[\r\n]/g, '');
  yield* runsOf(unbroken, /[\w+/-]{2,}/g, (4 * minEncoded) / 3, [0, 1, 2, 3], (run) => Buffer.from(run, 'base64'));
}

/** Decodes the runs that match `pattern`. Runs shorter than `least` count only when they are the whole text. */
function* runsOf(
  text: string,
  pattern: RegExp,
  min: number,
  offsets: readonly number[],
  decoded: (run: string) => Uint8Array,
): Generator<Spelling> {
  for (const { 0: run } of text.matchAll(pattern)) {
    const isWhole = isAllOf(text, run);
    if (isWhole) yield { bytes: foldedAgain(decoded(run)), isWhole };
    if (run.length < min) continue;
    for (const offset of isWhole ? offsets.slice(1) : offsets)
      yield { bytes: foldedAgain(decoded(run.slice(offset))), isWhole: false };
  }
}

function isAllOf(text: string, run: string): boolean {
  return (
    text.length <= run.length + 4 &&
    text
      .trim()
      .replace(/^0x/i, '')
      .replace(/={1,2}$/, '') === run
  );
}

function evenly(hex: string): string {
  return hex.length % 2 === 0 ? hex : hex.slice(0, -1);
}

/** Folds decoded bytes. Invalid UTF-8 in them is replaced and does not hide the rest. */
function foldedAgain(bytes: Uint8Array): Uint8Array {
  return foldedBytes(lossy.decode(bytes));
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Decodes JSON escapes (RFC 8259, 7); invalid ones remain. */
function unescaped(text: string): string {
  return text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g, (_, code?: string, letter = '') =>
    code === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Decodes percent-encoding (RFC 3986, 2.1); a `%` that encodes nothing remains. */
function percentDecoded(text: string): Uint8Array {
  const given = Buffer.from(text);
  const decoded = new Uint8Array(given.length);
  let length = 0;
  for (let at = 0; at < given.length; at++) {
    const [high, low] = given[at] === 37 ? [digitOf(given[at + 1]), digitOf(given[at + 2])] : [-1, -1];
    if (high >= 0 && low >= 0) {
      decoded[length++] = high * 16 + low;
      at += 2;
    } else decoded[length++] = given[at] ?? 0;
  }
  return decoded.subarray(0, length);
}

function digitOf(code: number | undefined): number {
  if (code === undefined) return -1;
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}
