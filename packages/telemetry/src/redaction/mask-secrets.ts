/** Masks known secrets in texts, in any spelling: escaped for JSON or a URL, or in other letter case (contract/conventions#secrets). */

import { plainSpelling } from './plain-spelling.ts';

/**
 * Names of members of our own or of the protocol: a secret that equals one is not masked there, so that the form of the
 * text stays.
 */
export type UnmaskedNames = readonly string[] | 'all';

/** Start and end; ascending and without overlap. */
export type Range = readonly [from: number, to: number];

/** Finds the secrets in a text, in one pass for each secret, for any text. */
export type FindSecrets = (text: string) => readonly Range[];

export const shortestSecret = 4;
/** Shorter secrets occur in ordinary words by chance: they are found only as separate words. */
const shortestInsideOfWords = 8;

export function createSecretSearch(secrets: readonly string[]): FindSecrets {
  const wanted = [...new Set(secrets.map((secret) => plainSpelling(secret).text))]
    .filter((secret) => secret.length >= shortestSecret)
    .sort((a, b) => b.length - a.length);
  return (text) => {
    if (wanted.length === 0 || text.length < shortestSecret) return [];
    const plain = plainSpelling(text);
    const found: Range[] = [];
    for (const secret of wanted)
      for (let at = plain.text.indexOf(secret); at >= 0; at = plain.text.indexOf(secret, at + secret.length)) {
        const range = [plain.from(at), plain.from(at + secret.length)] as const;
        if (secret.length >= shortestInsideOfWords || isWord(text, range, plain.text, at)) found.push(range);
      }
    return found.length < 2 ? found : joined(found);
  };
}

/** For any text: replaces each secret by `***`. */
export function maskSecrets(text: string, find: FindSecrets): string {
  return withMasks(text, find(text));
}

/**
 * For JSON text, which stays JSON: replaces each secret in a string by `***`, and a number that contains a long one by
 * `"***"`. Member names in `unmaskedNames` stay. A match beyond the end of a string is not a secret.
 */
export function maskSecretsInJson(json: string, find: FindSecrets, unmaskedNames: UnmaskedNames = []): string {
  const found = find(json);
  return found.length === 0 ? json : withMasks(json, inTokens(json, found, unmaskedNames));
}

type Mask = readonly [from: number, to: number, mask?: string];

function withMasks(text: string, masks: readonly Mask[]): string {
  if (masks.length === 0) return text;
  let clean = '';
  let copiedTo = 0;
  for (const [from, to, mask = '***'] of masks) {
    clean += text.slice(copiedTo, from) + mask;
    copiedTo = to;
  }
  return clean + text.slice(copiedTo);
}

/** Joins overlapping and adjoining ranges. */
function joined(ranges: readonly Range[]): Range[] {
  const joinedRanges: Range[] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = joinedRanges.at(-1);
    if (last === undefined || from > last[1]) joinedRanges.push([from, to]);
    else if (to > last[1]) joinedRanges[joinedRanges.length - 1] = [last[0], to];
  }
  return joinedRanges;
}

/**
 * Reads the text before the match both as written and decoded: the letters of `
 * ` and `%0A` are not part of a word.
 */
function isWord(text: string, [from, to]: Range, plain: string, at: number): boolean {
  const begins =
    !isAlphanumeric(text.charCodeAt(from - 1)) ||
    !isAlphanumeric(plain.charCodeAt(at - 1)) ||
    text.charCodeAt(from - 2) === 0x5c;
  return begins && !isAlphanumeric(text.charCodeAt(to));
}

function isAlphanumeric(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

const isColon = /^\s*:/;

/** Strings without their quotes; numbers; words. */
const token = /"(?:[^"\\]|\\.)*"?|[\w+.-]+/gs;

function inTokens(json: string, found: readonly Range[], unmaskedNames: UnmaskedNames): Mask[] {
  const masks: Mask[] = [];
  let nth = 0;
  for (const { 0: raw, index } of json.matchAll(token)) {
    const end = index + raw.length;
    while (nth < found.length && (found[nth]?.[1] ?? 0) <= index) nth += 1;
    const isString = raw.startsWith('"');
    const isUnmasked =
      isString &&
      (unmaskedNames === 'all' || unmaskedNames.includes(raw.slice(1, -1))) &&
      isColon.test(json.slice(end, end + 8));
    for (let range = found[nth]; range !== undefined && range[0] < end; range = found[++nth]) {
      if (range[1] > (isString ? end - 1 : end)) break;
      if (isUnmasked || range[0] < (isString ? index + 1 : index)) continue;
      if (isString) masks.push(range);
      else if (range[1] - range[0] >= shortestInsideOfWords && masks.at(-1)?.[0] !== index)
        masks.push([index, end, '"***"']);
    }
    if (nth >= found.length) break;
  }
  return masks;
}
