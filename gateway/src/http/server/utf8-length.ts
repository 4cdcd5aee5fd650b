/** How many bytes a text has in UTF-8. */

/** Asking the runtime costs more than looking at so few. */
const shortChars = 512;

export function utf8Length(text: string): number {
  if (text.length > shortChars) return Buffer.byteLength(text);
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return Buffer.byteLength(text);
  return text.length;
}
