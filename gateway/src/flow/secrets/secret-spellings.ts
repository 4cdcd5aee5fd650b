/** The ways to spell a text in which a secret is looked for: other letter case, percent-encoded, hex and base64 (contract/flow-apps#secrets), and as JSON has it. */

export type Spelling = {
  /** UTF-8 of what the text says in this spelling, folded. */
  readonly bytes: Uint8Array;
  /** It is what the whole text says, not a part of it. */
  readonly isWhole: boolean;
};

const lossy = new TextDecoder('utf-8', { ignoreBOM: true });

/** One text for all letter cases of it. To capitals and back: `ẞ`, `ß` and `ss`, `ſ` and `s` become one. */
export function foldedBytes(text: string): Uint8Array {
  return Buffer.from(text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ'));
}

/** Folding makes some letters longer (`ῲ` becomes two, `ŉ` too): what is encoded may have fewer bytes than the mark of it, by so much where words are made of such letters in part. */
const encodedPart = 0.6;

/**
 * What `text` says, read in every spelling: of parts of it those with room for `least` bytes. At most some eight times as many bytes as the text has, in time that grows with its length alone.
 * Base64 is read at each of its four offsets, for a run that begins with something else; so what it encodes may hold a secret anywhere.
 */
export function* spellingsOf(text: string, least: number): Generator<Spelling> {
  const leastEncoded = Math.ceil(least * encodedPart);
  yield { bytes: foldedBytes(text.trim()), isWhole: true };
  // Apps that fail like to show what they were sent.
  if (text.includes('\\')) yield { bytes: foldedBytes(unescaped(text).trim()), isWhole: true };
  if (/%[0-9a-f]{2}/i.test(text)) yield { bytes: foldedAgain(percentDecoded(text)), isWhole: true };
  if (text.includes('+')) yield { bytes: foldedAgain(percentDecoded(text.replaceAll('+', ' '))), isWhole: true };
  yield* runsOf(text, /[0-9a-f]{2,}/gi, 2 * leastEncoded, [0, 1], (run) => Buffer.from(evenly(run), 'hex'));
  // Lines of encoded mail end every 76 characters.
  const unbroken = text.replaceAll(/[\r\n]/g, '');
  yield* runsOf(unbroken, /[\w+/-]{2,}/g, (4 * leastEncoded) / 3, [0, 1, 2, 3], (run) => Buffer.from(run, 'base64'));
}

/** What the runs of `pattern` encode. A shorter one than `least` counts only when it is all of the text. */
function* runsOf(
  text: string,
  pattern: RegExp,
  least: number,
  offsets: readonly number[],
  decoded: (run: string) => Uint8Array,
): Generator<Spelling> {
  for (const { 0: run } of text.matchAll(pattern)) {
    const isWhole = isAllOf(text, run);
    if (isWhole) yield { bytes: foldedAgain(decoded(run)), isWhole };
    if (run.length < least) continue;
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

/** Bytes of another text: what is no UTF-8 in them ends no text that is. */
function foldedAgain(bytes: Uint8Array): Uint8Array {
  return foldedBytes(lossy.decode(bytes));
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** RFC 8259 7; what is no escape stays. */
function unescaped(text: string): string {
  return text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g, (_, code?: string, letter = '') =>
    code === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** RFC 3986 2.1; a sign that encodes nothing stays. */
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
