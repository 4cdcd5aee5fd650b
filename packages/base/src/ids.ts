/** Ids of records and requests. */

import { ulid } from 'ulid';
import type { Clock } from './clock.ts';
import type { RandomBytes } from './random.ts';

export type TypeIdPrefix =
  | 'ses'
  | 'evt'
  | 'sub'
  | 'aud'
  | 'chn'
  | 'wal'
  | 'pol'
  | 'dep'
  | 'stk'
  | 'node'
  | 'wdr'
  | 'swp';

const randomCharacters = 16;

export type NewTypeId = (prefix: TypeIdPrefix) => string;

/** Ids with a type: a prefix and a ULID (contract/conventions#ids), ordered by the time of their creation. */
export function createTypeIds(clock: Pick<Clock, 'now'>, randomBytes: RandomBytes): NewTypeId {
  return (prefix) => {
    // One 32-bit number for each of the 16 characters, drawn together: the library expects fractions of 1.
    const numbers = randomBytes(4 * randomCharacters);
    let at = 0;
    const fraction = () => {
      at += 4;
      return numbers.readUInt32BE(at - 4) / 2 ** 32;
    };
    return `${prefix}_${ulid(clock.now(), fraction)}`;
  };
}

const forms = {
  dep: /^dep_[0-7][0-9A-HJKMNP-TV-Z]{25}$/,
  ses: /^ses_[0-7][0-9A-HJKMNP-TV-Z]{25}$/,
  evt: /^evt_[0-7][0-9A-HJKMNP-TV-Z]{25}$/,
  sub: /^sub_[0-7][0-9A-HJKMNP-TV-Z]{25}$/,
  aud: /^aud_[0-7][0-9A-HJKMNP-TV-Z]{25}$/,
  pol: /^pol_[0-7][0-9A-HJKMNP-TV-Z]{25}$/,
  chn: /^chn_[0-7][0-9A-HJKMNP-TV-Z]{25}$/,
  wal: /^wal_[0-7][0-9A-HJKMNP-TV-Z]{25}$/,
  wdr: /^wdr_[0-7][0-9A-HJKMNP-TV-Z]{25}$/,
  swp: /^swp_[0-7][0-9A-HJKMNP-TV-Z]{25}$/,
  stk: /^stk_[0-7][0-9A-HJKMNP-TV-Z]{25}$/,
  node: /^node_[0-7][0-9A-HJKMNP-TV-Z]{25}$/,
} as const satisfies Readonly<Record<TypeIdPrefix, RegExp>>;

export function typeIdForm(prefix: TypeIdPrefix): RegExp {
  return forms[prefix];
}

export function isTypeId(prefix: TypeIdPrefix, text: string): boolean {
  return forms[prefix].test(text);
}

/** Two digits in base 36, whose texts are created once. */
const lastDigits = 36 * 36;

/**
 * Request ids: unique across processes and restarts by a random prefix, within a process by a counter. An id costs one
 * concatenation.
 */
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
