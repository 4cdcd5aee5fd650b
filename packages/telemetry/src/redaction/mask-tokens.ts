/** Finds signed tokens (JWT and similar, RFC 7519) in a text, in linear time for any text. */

/** The beginning of every token: `{"` in base64url. */
const lead = 'eyJ';
/** A header names at least its algorithm; a shorter text is an ordinary word. */
const shortestHeader = 11;

/** Replaces each token in `text` by `mask`. Where a word continues into `eyJ`, a token needs two parts of JSON. */
export function maskTokens(text: string, mask: string): string {
  let clean = '';
  let copiedTo = 0;
  let headerEnd = 0;
  let from = text.indexOf(lead);
  while (from >= 0) {
    // No part is read twice: a text that begins inside of a part ends with it.
    if (from >= headerEnd) headerEnd = endOfPart(text, from);
    const isToken = isTokenAt(text, from, headerEnd);
    if (isToken) {
      clean += text.slice(copiedTo, from) + mask;
      copiedTo = endOfToken(text, headerEnd);
    }
    from = text.indexOf(lead, isToken ? copiedTo : from + 1);
  }
  return copiedTo === 0 ? text : clean + text.slice(copiedTo);
}

function isTokenAt(text: string, from: number, headerEnd: number): boolean {
  if (headerEnd - from < shortestHeader || text.charCodeAt(headerEnd) !== dot) return false;
  if (text.startsWith(lead, headerEnd + 1)) return true;
  return isPartCharacter(text.charCodeAt(headerEnd + 1)) && !followsWord(text, from);
}

function endOfToken(text: string, headerEnd: number): number {
  const payloadEnd = endOfPart(text, headerEnd + 1);
  return text.charCodeAt(payloadEnd) === dot ? endOfPart(text, payloadEnd + 1) : payloadEnd;
}

const dot = 0x2e;

/** Base64url without padding. */
function endOfPart(text: string, from: number): number {
  let at = from;
  while (isPartCharacter(text.charCodeAt(at))) at += 1;
  return at;
}

function isPartCharacter(code: number): boolean {
  return isAlphanumeric(code) || code === 0x2d || code === 0x5f;
}

/** The letter of an escape (`\n`) is not part of a word. */
function followsWord(text: string, at: number): boolean {
  return isAlphanumeric(text.charCodeAt(at - 1)) && text.charCodeAt(at - 2) !== 0x5c;
}

/** ASCII only. NaN, the code before the beginning and after the end of a text, is not alphanumeric. */
function isAlphanumeric(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}
