/** Ids with a type: a prefix and a ULID (contract/conventions#ids), ordered by the time of their creation. */

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

export function createTypeIds(clock: Pick<Clock, 'now'>, randomBytes: RandomBytes): NewTypeId {
  return (prefix) => {
    // One 32-bit number for each of the 16 characters, asked for together: the library wants fractions of 1.
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
