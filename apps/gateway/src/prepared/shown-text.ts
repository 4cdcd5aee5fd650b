/** Makes texts that contracts return safe to show: any user can deploy a contract that returns any text. */

/** Letters, digits, punctuation, symbols and plain blanks; no control, format, private or combining characters, which hide, turn round or pile up. At most `most` code points. */
export function shownText(text: string, max: number): string {
  // Enough for the returned part, so that a long text costs nothing.
  const visible = text
    .slice(0, 8 * max)
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]|\uFFFD/gu, '');
  return [...visible.trim()].slice(0, max).join('');
}
