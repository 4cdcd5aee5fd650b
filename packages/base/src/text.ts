/** Small operations on text, each in one pass. */

/** The message of a thrown value, for the log and for operators. It may contain anything, so callers never get it. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** An error's kind and place, which is safe to log for any error. Without the message: an app's message may contain what its users submitted. */
export function errorPlace(error: unknown): { readonly error: string; readonly at?: string } {
  if (!(error instanceof Error)) return { error: typeof error };
  const at = error.stack?.split('\n').find((line) => /^\s+at /.test(line));
  return at === undefined ? { error: error.name } : { error: error.name, at: at.trim() };
}

/**
 * Removes leading and trailing spaces and tabs, HTTP's white space (RFC 9110 5.6.3). `trim()` would also remove a
 * no-break space, which other readers treat as text.
 */
export function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

/** `text` without the `character`s at its end. The pattern `x+$` would take quadratic time where the text ends otherwise. */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
