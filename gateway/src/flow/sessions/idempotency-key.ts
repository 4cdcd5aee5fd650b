/** The `Idempotency-Key` header of a submission or a start (contract/flow-apps#idempotency). */

import { ok, type Result, refused } from '../../platform/result.ts';

const name = 'The Idempotency-Key header';

/**
 * 1 to 256 printable ASCII characters. A header that was sent twice arrives joined by a comma and a blank: which of the two was meant nobody knows, so such a key is refused.
 */
export function parseIdempotencyKey(header: string | null): Result<string, 'bad-request'> {
  if (header === null || header === '') return refused('bad-request', `${name} is required`);
  if (header.length > 256) return refused('bad-request', `${name} must have 1 to 256 characters`);
  if (!/^[\x20-\x7e]*$/.test(header))
    return refused('bad-request', `${name} must hold printable ASCII characters only`);
  if (header.includes(', '))
    return refused('bad-request', `${name} must be sent once, and must not hold a comma that a blank follows`);
  return ok(header);
}

/** Of a start, where it may be left out. */
export function parseOptionalIdempotencyKey(header: string | null): Result<string | undefined, 'bad-request'> {
  return header === null ? ok(undefined) : parseIdempotencyKey(header);
}
