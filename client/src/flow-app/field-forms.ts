/** The thirteen field types (contract/sessions#fields): the form of their values, and the bounds that a step may set. */

import type { FieldType } from '../wire.ts';

export type BoundKind = 'none' | 'length' | 'number' | 'decimal' | 'date';

export type FieldForm = {
  /** The quantity that `min` and `max` bound. */
  readonly bounds: BoundKind;
  /** Whether the field may have a `pattern`. */
  readonly isPatterned: boolean;
  /** The problem of a value for its type, as the end of a sentence. Never contains the value. */
  readonly problem: (value: unknown) => string | undefined;
};

const text: FieldForm = { bounds: 'length', isPatterned: true, problem: unless(isText, 'must be a string') };

export const fieldForms: Readonly<Record<FieldType, FieldForm>> = {
  text,
  secret: text,
  number: { bounds: 'number', isPatterned: false, problem: unless(Number.isFinite, 'must be a number') },
  boolean: plain(unless((value) => typeof value === 'boolean', 'must be true or false')),
  date: { bounds: 'date', isPatterned: false, problem: unless(isDate, 'must be a day of the calendar, YYYY-MM-DD') },
  select: plain(unless(isText, 'must be one of its options')),
  multiselect: plain(unless((value) => Array.isArray(value) && value.every(isText), 'must be an array of its options')),
  address: plain(unless(hexOf(20, 20), 'must be an address: 0x and 40 hexadecimal digits')),
  amount: {
    bounds: 'decimal',
    isPatterned: false,
    problem: unless(isDecimal, 'must be an amount: a decimal string such as "0.5", without sign or exponent'),
  },
  signature: plain(unless(hexOf(65, 16_384), 'must be a signature: 0x and hexadecimal digits of 65 bytes or more')),
  signedTransaction: plain(unless(hexOf(1, 262_144), 'must be a signed transaction: 0x and hexadecimal digits')),
  txHash: plain(unless(hexOf(32, 32), 'must be a transaction hash: 0x and 64 hexadecimal digits')),
  json: plain(() => undefined),
};

export function isFieldType(type: unknown): type is FieldType {
  return typeof type === 'string' && Object.hasOwn(fieldForms, type);
}

function plain(problem: FieldForm['problem']): FieldForm {
  return { bounds: 'none', isPatterned: false, problem };
}

function unless(fits: (value: unknown) => boolean, problem: string): FieldForm['problem'] {
  return (value) => (fits(value) ? undefined : problem);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function hexOf(minBytes: number, maxBytes: number) {
  return (value: unknown): boolean =>
    isText(value) &&
    value.length >= 2 + 2 * minBytes &&
    value.length <= 2 + 2 * maxBytes &&
    value.length % 2 === 0 &&
    /^0x[0-9a-fA-F]*$/.test(value);
}

export function isDecimal(value: unknown): value is string {
  return isText(value) && value.length <= 256 && /^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value);
}

/** Compares two decimals: negative, zero or positive. */
export function compareDecimals(a: string, b: string): number {
  const [wholeA = '', fractionA = ''] = a.split('.');
  const [wholeB = '', fractionB = ''] = b.split('.');
  if (wholeA.length !== wholeB.length) return wholeA.length - wholeB.length;
  const digits = Math.max(fractionA.length, fractionB.length);
  const [left, right] = [wholeA + fractionA.padEnd(digits, '0'), wholeB + fractionB.padEnd(digits, '0')];
  return left === right ? 0 : left < right ? -1 : 1;
}

export function isDate(value: unknown): value is string {
  if (!isText(value) || !/^\d{4}-\d{2}-\d{2}$/.test(value) || value.startsWith('0000')) return false;
  const day = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
}
