/** Ids with a type: a prefix and a ULID (contract/conventions#ids), ordered by the time of their creation. */

import { ulid } from 'ulid';
import type { Clock } from './clock.ts';
import { createFractions, type RandomBytes } from './random.ts';

export type TypeIdPrefix = 'ses' | 'evt' | 'sub';

export type NewTypeId = (prefix: TypeIdPrefix) => string;

export function createTypeIds(clock: Pick<Clock, 'now'>, randomBytes: RandomBytes): NewTypeId {
  // One 32-bit number for each of the 16 characters: the library wants fractions of 1.
  const fraction = createFractions(randomBytes);
  return (prefix) => `${prefix}_${ulid(clock.now(), fraction)}`;
}

const forms = {
  ses: /^ses_[0-7][0-9A-HJKMNP-TV-Z]{25}$/,
  evt: /^evt_[0-7][0-9A-HJKMNP-TV-Z]{25}$/,
  sub: /^sub_[0-7][0-9A-HJKMNP-TV-Z]{25}$/,
} as const satisfies Readonly<Record<TypeIdPrefix, RegExp>>;

export function typeIdForm(prefix: TypeIdPrefix): RegExp {
  return forms[prefix];
}

export function isTypeId(prefix: TypeIdPrefix, text: string): boolean {
  return forms[prefix].test(text);
}
