/** The `Idempotency-Key` header of a submission or a start (contract/sessions#idempotency). */

import { ok, type Result, refused } from '@flowgate/base/result';
import { z } from 'zod';

const name = 'The Idempotency-Key header';

/** The name of the key in problems of the header and of an agent's tool. */
export const maxIdempotencyKeyLength = 256;
const printable = /^[ -~]*$/;

/** For the reference. */
export const idempotencyKey = () => z.string().min(1).max(maxIdempotencyKeyLength).regex(printable);

/** 1 to 256 printable ASCII characters. Two headers of this name arrive joined by a comma and a space. Because it is unknown which one was meant, such keys are refused. */
export function parseIdempotencyKey(header: string | null): Result<string, 'bad-request'> {
  if (header === null || header === '') return refused('bad-request', `${name} is required`);
  if (header.length > maxIdempotencyKeyLength)
    return refused('bad-request', `${name} must have 1 to ${maxIdempotencyKeyLength} characters`);
  if (!printable.test(header)) return refused('bad-request', `${name} must contain printable ASCII characters only`);
  if (header.includes(', '))
    return refused('bad-request', `${name} must be sent once, and must not contain a comma followed by a space`);
  return ok(header);
}

/** For a start, where the header is optional. */
export function parseOptionalIdempotencyKey(header: string | null): Result<string | undefined, 'bad-request'> {
  return header === null ? ok(undefined) : parseIdempotencyKey(header);
}
