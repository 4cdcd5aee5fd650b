/** Amounts of a token in its base units, as people write them. */

import { withoutTrailing } from '@flowgate/base/text';

/** Without zeros at the end; exact for any number of digits. What is no whole number is returned as it is. */
export function decimalAmount(units: string, decimals: number): string {
  if (!/^\d{1,100}$/.test(units) || !Number.isInteger(decimals) || decimals < 0 || decimals > 100) return units;
  const digits = units.padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/^0+(?=\d)/, '');
  const fraction = withoutTrailing(digits.slice(digits.length - decimals), '0');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
