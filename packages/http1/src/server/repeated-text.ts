/**
 * Texts that usually equal those of the previous request on the connection: compared in place, and decoded only when
 * they differ.
 */

/** In characters. Longer texts are not cached. */
export const maxRepeatedLength = 256;

/** Whether `bytes[from, end)` is `text` in Latin-1. */
export function isText(bytes: Buffer, from: number, end: number, text: string): boolean {
  const { length } = text;
  if (end - from !== length) return false;
  for (let at = 0; at < length; at++) if (bytes[from + at] !== text.charCodeAt(at)) return false;
  return true;
}
