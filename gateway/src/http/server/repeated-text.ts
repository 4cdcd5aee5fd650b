/** Texts that are mostly what they were in the request before on the same connection: looked at where they lie, and made anew only where they differ. */

/** Longer ones are not kept. */
export const longestRepeated = 256;

/** Whether `bytes[from, end)` is `text` in Latin-1. */
export function isText(bytes: Buffer, from: number, end: number, text: string): boolean {
  const { length } = text;
  if (end - from !== length) return false;
  for (let at = 0; at < length; at++) if (bytes[from + at] !== text.charCodeAt(at)) return false;
  return true;
}
