/** Amounts as people type them, and in a token's base units: exact, never rounded. */
import { parseUnits } from 'viem';

/** Base units; undefined for a text that is no plain decimal, or has more digits than the token. */
export function decimalUnits(text: string, decimals: number): bigint | undefined {
  const match = /^\d{1,30}(?:\.(\d{1,30}))?$/.exec(text);
  if (match === null || (match[1] ?? '').length > decimals) return undefined;
  return parseUnits(text, decimals);
}
