/** Finds the members of a JSON object, or of the objects of an array, while its bytes arrive: nothing is parsed, nothing is kept. */

export type MemberBytes = {
  /** The next bytes of the text. */
  readonly feed: (bytes: Uint8Array) => void;
  /** Whether the text that has come is closed: as many ends as beginnings, and at least one. */
  readonly isWhole: () => boolean;
};

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
/** No member that anybody looks for has a longer name. */
const longestName = 32;

/**
 * `depth` 1: members of the object that the text is; 2: of the objects in the array that it is. `onBytes` gets a member's value in pieces, with the blanks around it.
 * Linear in the text. A text that is no JSON gives members of no meaning, and never throws.
 */
export function createMemberBytes(depth: 1 | 2, onBytes: (name: string, bytes: Uint8Array) => void): MemberBytes {
  let level = 0;
  let hasBegun = false;
  let isInString = false;
  let isEscaped = false;
  let isInValue = false;
  let isInName = false;
  let name = '';

  function feed(bytes: Uint8Array): void {
    let from = 0;
    const give = (to: number) => {
      if (isInValue && to > from) onBytes(name, bytes.subarray(from, to));
    };
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) {
          isInString = false;
          isInName = false;
          continue;
        }
        if (isInName && name.length < longestName) name += String.fromCharCode(byte);
        continue;
      }
      if (byte === quote) {
        isInString = true;
        isInName = level === depth && !isInValue;
        if (isInName) name = '';
      } else if (byte === openBrace || byte === openBracket) {
        level += 1;
        hasBegun = true;
      } else if (level === depth && byte === colon && !isInValue) {
        isInValue = true;
        from = at + 1;
      } else if (level === depth && (byte === comma || byte === closeBrace) && isInValue) {
        give(at);
        isInValue = false;
        if (byte === closeBrace) level -= 1;
      } else if (byte === closeBrace || byte === closeBracket) level -= 1;
    }
    give(bytes.length);
  }

  return { feed, isWhole: () => hasBegun && level === 0 && !isInString };
}
