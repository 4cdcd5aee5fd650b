/** Converts amounts between decimal text and a token's base units, exactly and without rounding. */
import { parseUnits } from 'viem';

/** Base units; undefined for a text that is no plain decimal or has more decimal places than the token. */
export function decimalUnits(text: string, decimals: number): bigint | undefined {
  const match = /^\d{1,30}(?:\.(\d{1,30}))?$/.exec(text);
  if (match === null || (match[1] ?? '').length > decimals) return undefined;
  return parseUnits(text, decimals);
}
