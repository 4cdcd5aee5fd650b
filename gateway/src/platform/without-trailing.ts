/** Removes trailing characters in one pass. The pattern `x+$` would start again at each of them when the text ends otherwise. */

/** `text` without the `character`s at its end. */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
