/** Which content coding an answer gets, from what its caller accepts (RFC 9110, 12.5.3; contract/conventions#compression). */

import { memoized } from '@flowgate/async/bounded-map';
import { trimBlanks } from '@flowgate/base/text';

export type ContentCoding = 'zstd' | 'gzip';

/** In our order of preference: the first wins where the caller likes several equally. */
const codings: readonly ContentCoding[] = ['zstd', 'gzip'];
/** In characters. No one needs more to name all codings that there are. */
const maxFieldLength = 1_024;

/** Clients send few different texts. */
const maxKept = 128;
const codingOf = memoized(maxKept, evaluated);

/** `identity`: uncompressed, which is also the answer to a field that refuses everything. */
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
  // Uncompressed is acceptable unless it is refused, but is preferred only where that is said.
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

/** A weight that is none refuses: nothing is sent that may not have been meant. */
function weightOf(parameters: readonly string[]): number {
  const text = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  if (text === undefined) return 1;
  return weightForm.test(text) ? Number(text) : 0;
}
