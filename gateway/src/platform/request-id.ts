/** Request ids: unique over processes and restarts by a random prefix, within a process by a counter. An id costs one concatenation. */

import type { RandomBytes } from './random.ts';

/** Two digits of 36, of which the texts are made once. */
const lastDigits = 36 * 36;

export function createRequestIds(randomBytes: RandomBytes): () => string {
  const prefix = randomBytes(9).toString('base64url').replaceAll('-', 'A').replaceAll('_', 'B');
  const lasts = Array.from({ length: lastDigits }, (_, last) => last.toString(36).padStart(2, '0'));
  let block = 0;
  let next = 0;
  let start = `req_${prefix}000`;
  return () => {
    if (next === lastDigits) {
      next = 0;
      block += 1;
      start = `req_${prefix}${block.toString(36).padStart(3, '0')}`;
    }
    return start + lasts[next++];
  };
}
