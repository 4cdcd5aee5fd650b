/** JSON without loss: numbers that a 64-bit float would change stay as they are spelled. */

/** Chromium, Firefox and Safari have these; TypeScript's library does not yet. */
type ExactJson = {
  readonly rawJSON?: (text: string) => unknown;
  readonly isRawJSON?: (value: unknown) => value is { readonly rawJSON: string };
};
const exact = JSON as unknown as ExactJson;

/** Outside of texts, or close to it: a text that looks like it costs a slower reading and nothing else. */
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
    // Nested too deeply for a reading that looks at each value.
    return JSON.parse(text);
  }
}

const isChanged = (value: number, source: string): boolean => !Number.isSafeInteger(value) && String(value) !== source;

/** The number's spelling, of one that was kept. */
export function exactNumber(value: unknown): string | undefined {
  return exact.isRawJSON?.(value) === true ? value.rawJSON : undefined;
}

/** The first number outside of texts that would be changed on the way, spelled as it is. */
export function lossyNumber(text: string): string | undefined {
  for (const [number] of text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').matchAll(/-?\d[\d.eE+-]*/g))
    if (!Number.isFinite(Number(number)) || (/^-?\d+$/.test(number) && !Number.isSafeInteger(Number(number))))
      return number;
  return undefined;
}

/** Indented; or what is in its way. */
export function writtenJson(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2) ?? 'null';
  } catch {
    return 'This response is nested too deeply to show as text. Use the tree view.';
  }
}
