/** Trims HTTP's white space off a field's value or a part of it. */

/** Without leading and trailing blanks and tabs, HTTP's white space (RFC 9110 5.6.3). `trim()` would also remove a no-break space, which other readers keep. */
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
