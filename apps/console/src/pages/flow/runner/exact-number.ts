/** Parses numbers that a 64-bit float represents exactly; the gateway refuses others (contract/flow-apps#numbers). */

const numberForm = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Characters; longer numbers cannot be exact. */
const longest = 400;

/** Undefined for text that is not a JSON number, and for numbers that a double would change. */
export function exactNumber(text: string): number | undefined {
  if (text.length > longest || !numberForm.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) && canonical(text) === canonical(String(number)) ? number : undefined;
}

/** Sign, significant digits and exponent of the last digit; equal for equal numbers. */
function canonical(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const all = (whole + fraction).replace(/^0+/, '');
  const digits = all.replace(/0+$/, '');
  if (digits === '') return '0';
  return `${sign}${digits}e${Number(exponent) - fraction.length + all.length - digits.length}`;
}

/** The first number in a JSON text that a double would change. */
export function inexactNumberIn(json: string): string | undefined {
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g))
    if (!token.startsWith('"') && exactNumber(token) === undefined) return token;
  return undefined;
}
