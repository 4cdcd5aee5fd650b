/** Formats a token's base units as a decimal amount. */

import { withoutTrailing } from '@flowgate/base/text';

/** Without trailing zeros; exact for any number of digits. A text that is not a whole number is returned unchanged. */
export function decimalAmount(units: string, decimals: number): string {
  if (!/^\d{1,100}$/.test(units) || !Number.isInteger(decimals) || decimals < 0 || decimals > 100) return units;
  const digits = units.padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/^0+(?=\d)/, '');
  const fraction = withoutTrailing(digits.slice(digits.length - decimals), '0');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
