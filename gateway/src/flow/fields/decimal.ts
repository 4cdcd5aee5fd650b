/** Amounts as the wire has them: non-negative decimal strings of any precision, compared exactly (contract/conventions#times-and-amounts, contract/flow-apps#fields). */

import { withoutTrailing } from '../../platform/without-trailing.ts';

/** No sign, no exponent, no leading or lonely zeros before the point: every number has few spellings, and no reader takes one for another number. */
export const isDecimal = (text: string): boolean => text.length <= 256 && /^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text);

/** Negative, zero or positive as `a` is less than, equal to or more than `b`; both are decimals. */
export function compareDecimals(a: string, b: string): number {
  const [wholeA = '', fractionA = ''] = a.split('.');
  const [wholeB = '', fractionB = ''] = b.split('.');
  if (wholeA.length !== wholeB.length) return wholeA.length - wholeB.length;
  return order(wholeA, wholeB) || order(significant(fractionA), significant(fractionB));
}

function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const significant = (fraction: string): string => withoutTrailing(fraction, '0');
