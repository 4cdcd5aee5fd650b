/** Amounts on the wire: non-negative decimal strings of any precision, compared exactly (contract/conventions#times-and-amounts, contract/sessions#fields). */

import { withoutTrailing } from '@flowgate/base/text';

/** No sign, no exponent, no superfluous leading zeros, and a digit before the point: all parsers read such a text equally. */
export const isDecimal = (text: string): boolean => text.length <= 256 && /^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text);

/** Negative, zero or positive when `a` is less than, equal to or greater than `b`. Both must be decimals. */
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
