/** Exact token amounts: converts between base units (integers) and decimals. */

/** Exact, without trailing zeros: `1500000000000000000` with 18 decimals is `1.5`. */
export function formatAmount(baseUnits: string, decimals: number): string {
  if (!/^\d+$/.test(baseUnits)) return baseUnits;
  const digits = baseUnits.replace(/^0+(?=\d)/, '').padStart(decimals + 1, '0');
  const whole = decimals === 0 ? digits : digits.slice(0, -decimals);
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '');
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === '' ? grouped : `${grouped}.${fraction}`;
}

const significantDigits = 4;

/** Four significant digits, rounded up: for upper bounds such as a fee. Whole units are never rounded. */
export function roundedUp(baseUnits: bigint, decimals: number): string {
  const dropped = Math.min(String(baseUnits).length - significantDigits, decimals);
  if (dropped <= 0) return formatAmount(String(baseUnits), decimals);
  const unit = 10n ** BigInt(dropped);
  return formatAmount(String(((baseUnits + unit - 1n) / unit) * unit), decimals);
}

/** Parses user input into base units, or returns the problem. */
export function parseAmount(
  text: string,
  decimals: number,
): { readonly ok: true; readonly baseUnits: string } | { readonly ok: false; readonly problem: string } {
  const written = text.trim().replaceAll(/[\s_'’]/g, '');
  if (written === '') return { ok: false, problem: 'Enter an amount.' };
  // A comma may separate decimals or thousands. Guessing wrong would change the amount a thousandfold.
  if (written.includes(','))
    return { ok: false, problem: 'Enter the amount without commas. Use a point before the decimals.' };
  const [, whole = '', fraction = ''] = /^(\d*)(?:\.(\d*))?$/.exec(written) ?? [];
  if (whole === '' && fraction === '') return { ok: false, problem: 'Enter a number, such as 1.5.' };
  if (fraction.length > decimals)
    return {
      ok: false,
      problem: decimals === 0 ? 'Enter a whole number.' : `Enter at most ${decimals} decimals.`,
    };
  const baseUnits = (whole + fraction.padEnd(decimals, '0')).replace(/^0+(?=\d)/, '');
  return baseUnits === '0' || baseUnits === ''
    ? { ok: false, problem: 'Enter an amount above zero.' }
    : { ok: true, baseUnits };
}
