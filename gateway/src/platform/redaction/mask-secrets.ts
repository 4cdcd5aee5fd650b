/** Takes known secrets out of texts, however they are spelled there: escaped for JSON or a URL, or in other letter case (contract/conventions#secrets). */

import { plainSpelling } from './plain-spelling.ts';

/** Names of members that are ours, or the protocol's: a secret that is equal to one would be hidden at the price of the form. */
export type KeptNames = readonly string[] | 'all';

/** From and to, in the order of the text, apart from each other. */
export type Range = readonly [from: number, to: number];

/** Where the secrets stand in a text; one pass for each secret, whatever the text is. */
export type FindSecrets = (text: string) => readonly Range[];

export const shortestSecret = 4;
/** A shorter one stands in ordinary words by chance: it is found as a word of its own only. */
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

/** Any text, with `***` in the place of each secret. */
export function maskSecrets(text: string, find: FindSecrets): string {
  return withMasks(text, find(text));
}

/**
 * JSON text, which it stays: strings have `***` in the place of each secret, numbers with a long one in them become `"***"`. `keptNames` of
 * members stay. What would reach over the end of a string is no secret.
 */
export function maskSecretsInJson(json: string, find: FindSecrets, keptNames: KeptNames = []): string {
  const found = find(json);
  return found.length === 0 ? json : withMasks(json, inTokens(json, found, keptNames));
}

type Mask = readonly [from: number, to: number, mask?: string];

function withMasks(text: string, masks: readonly Mask[]): string {
  if (masks.length === 0) return text;
  let clean = '';
  let kept = 0;
  for (const [from, to, mask = '***'] of masks) {
    clean += text.slice(kept, from) + mask;
    kept = to;
  }
  return clean + text.slice(kept);
}

/** Overlapping and adjoining ones become one. */
function joined(ranges: readonly Range[]): Range[] {
  const joinedRanges: Range[] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = joinedRanges.at(-1);
    if (last === undefined || from > last[1]) joinedRanges.push([from, to]);
    else if (to > last[1]) joinedRanges[joinedRanges.length - 1] = [last[0], to];
  }
  return joinedRanges;
}

/** What stands before it is looked at as it is written and as it is meant: the letters of `\n` and `%0A` belong to no word. */
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

/** Strings without their quotes, and numbers and words. */
const token = /"(?:[^"\\]|\\.)*"?|[\w+.-]+/gs;

function inTokens(json: string, found: readonly Range[], keptNames: KeptNames): Mask[] {
  const masks: Mask[] = [];
  let nth = 0;
  for (const { 0: raw, index } of json.matchAll(token)) {
    const end = index + raw.length;
    while (nth < found.length && (found[nth]?.[1] ?? 0) <= index) nth += 1;
    const isString = raw.startsWith('"');
    const isKept =
      isString &&
      (keptNames === 'all' || keptNames.includes(raw.slice(1, -1))) &&
      isColon.test(json.slice(end, end + 8));
    for (let range = found[nth]; range !== undefined && range[0] < end; range = found[++nth]) {
      if (range[1] > (isString ? end - 1 : end)) break;
      if (isKept || range[0] < (isString ? index + 1 : index)) continue;
      if (isString) masks.push(range);
      else if (range[1] - range[0] >= shortestInsideOfWords && masks.at(-1)?.[0] !== index)
        masks.push([index, end, '"***"']);
    }
    if (nth >= found.length) break;
  }
  return masks;
}
