/** Texts that mostly equal those of the previous request on the same connection: compared in place, and made anew only when they differ. */

/** Longer ones are not kept. */
export const longestRepeated = 256;

/** Whether `bytes[from, end)` is `text` in Latin-1. */
export function isText(bytes: Buffer, from: number, end: number, text: string): boolean {
  const { length } = text;
  if (end - from !== length) return false;
  for (let at = 0; at < length; at++) if (bytes[from + at] !== text.charCodeAt(at)) return false;
  return true;
}
