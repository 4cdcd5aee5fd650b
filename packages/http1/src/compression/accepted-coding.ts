/**
 * Selects an answer's content coding from the caller's `Accept-Encoding` (RFC 9110, 12.5.3;
 * contract/conventions#compression).
 */

import { memoized } from '@flowgate/async/bounded-map';
import { trimBlanks } from '@flowgate/base/text';

export type ContentCoding = 'zstd' | 'gzip';

/** In our order of preference: the first one is used when the caller gives several the same weight. */
const codings: readonly ContentCoding[] = ['zstd', 'gzip'];
/** In characters. All registered codings fit. */
const maxFieldLength = 1_024;

/** Clients send few different values. */
const maxCached = 128;
const codingOf = memoized(maxCached, evaluated);

/** `identity`: uncompressed, which is also the result for a field that refuses every coding. */
export function acceptedCoding(field: string | null): ContentCoding | 'identity' {
  return field === null || field === '' || field.length > maxFieldLength ? 'identity' : codingOf(field);
}

function evaluated(field: string): ContentCoding | 'identity' {
  const weights = new Map<string, number>();
  for (const item of field.split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => trimBlanks(part).toLowerCase());
    if (name !== '') weights.set(name === 'x-gzip' ? 'gzip' : name, weightOf(parameters));
  }
  const others = weights.get('*') ?? 0;
  let best: ContentCoding | 'identity' = 'identity';
  // `identity` is acceptable unless the field refuses it, but is preferred only if the field names it.
  let bestWeight = weights.get('identity') ?? 0;
  let isEqual = true;
  for (const coding of codings) {
    const weight = weights.get(coding) ?? others;
    if (weight === 0 || weight < bestWeight || (weight === bestWeight && !isEqual)) continue;
    best = coding;
    bestWeight = weight;
    isEqual = false;
  }
  return best;
}

const weightForm = /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/;

/** An invalid weight refuses the coding. */
function weightOf(parameters: readonly string[]): number {
  const text = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  if (text === undefined) return 1;
  return weightForm.test(text) ? Number(text) : 0;
}
