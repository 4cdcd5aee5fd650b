/** The content coding of a request's body (RFC 9110, 8.4; contract/conventions#compression). */

import { trimBlanks } from '@flowgate/base/text';
import type { BodyCoding } from './counted-decoding.ts';

/** For the `Accept-Encoding` of a refusal (RFC 7694). */
export const acceptedBodyCodings = 'zstd, gzip';

/** `other`: a coding that is not accepted, or several codings. */
export function bodyCodingOf(field: string | null): BodyCoding | 'identity' | 'other' {
  if (field === null) return 'identity';
  const coding = trimBlanks(field).toLowerCase();
  if (coding === '' || coding === 'identity') return 'identity';
  if (coding === 'zstd') return 'zstd';
  return coding === 'gzip' || coding === 'x-gzip' ? 'gzip' : 'other';
}
