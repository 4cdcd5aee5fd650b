/** Request ids: unique over processes and restarts by a random prefix, within a process by a counter. An id costs one concatenation. */

import type { RandomBytes } from './random.ts';

export function createRequestIds(randomBytes: RandomBytes): () => string {
  const prefix = randomBytes(9).toString('base64url').replaceAll('-', 'A').replaceAll('_', 'B');
  let issued = 0;
  return () => `req_${prefix}${(issued++).toString(36).padStart(5, '0')}`;
}
