/** The thirteen field types: the values that each accepts, and the constraints that a step may set (contract/sessions#fields). */

import { isEvmAddress } from '@flowgate/chain/evm-address';
import { isCalendarDate } from './calendar-date.ts';
import { compareDecimals, isDecimal } from './decimal.ts';
import type { Field, FieldType } from './field-wire.ts';

export type FieldKind = {
  /** What `min` and `max` measure. With `none`, a step must not set them. */
  readonly bounds: 'none' | 'length' | 'number' | 'decimal' | 'date';
  /** Whether a step may set a `pattern`. */
  readonly isPatterned: boolean;
  /** What is wrong with a value, as the rest of a sentence that begins with `field <fieldId>`. Never repeats the value. */
  readonly problem: (value: unknown, field: Field) => string | undefined;
};

/** The limit of every text, and the default of `max`. */
export const maxTextLength = 65_536;
const maxJsonLength = 262_144;

const text: FieldKind = {
  bounds: 'length',
  isPatterned: true,
  problem: (value, field) => (typeof value === 'string' ? lengthProblem(value, field) : 'must be a string'),
};

/** Lengths count code points. */
function lengthProblem(value: string, { min = 0, max = maxTextLength }: Field): string | undefined {
  const [minLength, maxLength] = [Number(min), Math.min(Number(max), maxTextLength)];
  // A code point has at most two UTF-16 units, so longer texts need no counting.
  const length = value.length > 2 * maxLength ? value.length : [...value].length;
  if (length < minLength) return `must have at least ${minLength} ${minLength === 1 ? 'character' : 'characters'}`;
  return length > maxLength
    ? `must have at most ${maxLength} ${maxLength === 1 ? 'character' : 'characters'}`
    : undefined;
}

const number: FieldKind = {
  bounds: 'number',
  isPatterned: false,
  problem(value, { min, max }) {
    if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
    if (typeof min === 'number' && value < min) return `must be at least ${min}`;
    return typeof max === 'number' && value > max ? `must be at most ${max}` : undefined;
  },
};

const amount: FieldKind = {
  bounds: 'decimal',
  isPatterned: false,
  problem(value, { min, max }) {
    if (typeof value !== 'string' || !isDecimal(value))
      return 'must be an amount: a decimal string such as "0.5", without sign, exponent or leading zeros, of at most 256 characters';
    if (min !== undefined && compareDecimals(value, String(min)) < 0) return `must be at least ${min}`;
    return max !== undefined && compareDecimals(value, String(max)) > 0 ? `must be at most ${max}` : undefined;
  },
};

const date: FieldKind = {
  bounds: 'date',
  isPatterned: false,
  problem(value, { min, max }) {
    if (typeof value !== 'string' || !isCalendarDate(value)) return 'must be a day of the calendar, YYYY-MM-DD';
    if (min !== undefined && value < String(min)) return `must be at least ${min}`;
    return max !== undefined && value > String(max) ? `must be at most ${max}` : undefined;
  },
};

const select: FieldKind = kind((value, { options = [] }) =>
  options.some((option) => option.value === value) ? undefined : 'must be one of its options',
);

const multiselect: FieldKind = kind((value, { options = [] }) => {
  const declared = new Set<unknown>(options.map((option) => option.value));
  if (!Array.isArray(value) || !value.every((each) => declared.has(each))) return 'must be an array of its options';
  return new Set(value).size === value.length ? undefined : 'must hold each option at most once';
});

const json: FieldKind = kind((value) =>
  JSON.stringify(value).length > maxJsonLength ? `must have at most ${maxJsonLength} characters as JSON` : undefined,
);

function kind(problem: FieldKind['problem']): FieldKind {
  return { bounds: 'none', isPatterned: false, problem };
}

/** Hexadecimal with `0x`, with a number of bytes in the given range. */
function hexKind(what: string, minBytes: number, maxBytes: number): FieldKind {
  return kind((value) => {
    const fits = typeof value === 'string' && value.length >= 2 + 2 * minBytes && value.length <= 2 + 2 * maxBytes;
    return fits && value.length % 2 === 0 && /^0x[0-9a-fA-F]*$/.test(value) ? undefined : `must be ${what}`;
  });
}

export const fieldTypes: Readonly<Record<FieldType, FieldKind>> = {
  text,
  secret: text,
  number,
  boolean: kind((value) => (typeof value === 'boolean' ? undefined : 'must be true or false')),
  date,
  select,
  multiselect,
  address: kind((value) =>
    typeof value === 'string' && isEvmAddress(value)
      ? undefined
      : 'must be an address: 0x and 40 hexadecimal digits, in one case or with its EIP-55 checksum',
  ),
  amount,
  // A key's signature has 65 bytes; signatures of contract wallets (ERC-1271, ERC-6492) have any length.
  signature: hexKind('a signature: 0x and hexadecimal digits, of 65 to 16,384 bytes', 65, 16_384),
  signedTransaction: hexKind('a signed transaction: 0x and hexadecimal digits, of at most 262,144 bytes', 1, 262_144),
  txHash: hexKind('a transaction hash: 0x and 64 hexadecimal digits', 32, 32),
  json,
};

export function isFieldType(type: string): type is FieldType {
  return Object.hasOwn(fieldTypes, type);
}
