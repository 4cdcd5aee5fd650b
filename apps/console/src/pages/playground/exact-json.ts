/** Lossless JSON: numbers that a 64-bit float would change retain their spelling. */

/** Supported by Chromium, Firefox and Safari; not yet in TypeScript's library. */
type ExactJson = {
  readonly rawJSON?: (text: string) => unknown;
  readonly isRawJSON?: (value: unknown) => value is { readonly rawJSON: string };
};
const exact = JSON as unknown as ExactJson;

/** Approximate: a match inside a string only causes a slower parse. */
const longNumber = /[[:,\s]-?\d[\d.eE+-]{15,}/;

/** Throws `SyntaxError`. */
export function parseExact(text: string): unknown {
  const { rawJSON } = exact;
  if (rawJSON === undefined || !longNumber.test(text)) return JSON.parse(text);
  const keep = (_name: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && isChanged(value, context.source)
      ? rawJSON(context.source)
      : value;
  try {
    return JSON.parse(text, keep);
  } catch {
    // Too deeply nested for a reviver.
    return JSON.parse(text);
  }
}

const isChanged = (value: number, source: string): boolean => !Number.isSafeInteger(value) && String(value) !== source;

/** The original spelling of a preserved number. */
export function exactNumber(value: unknown): string | undefined {
  return exact.isRawJSON?.(value) === true ? value.rawJSON : undefined;
}

/** Spelling of the first number that a 64-bit float would change. */
export function lossyNumber(text: string): string | undefined {
  for (const [number] of text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').matchAll(/-?\d[\d.eE+-]*/g))
    if (!Number.isFinite(Number(number)) || (/^-?\d+$/.test(number) && !Number.isSafeInteger(Number(number))))
      return number;
  return undefined;
}

/** Indented JSON, or a sentence that says why it cannot be shown. */
export function writtenJson(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2) ?? 'null';
  } catch {
    return 'This response is nested too deeply to show as text. Use the tree view.';
  }
}
