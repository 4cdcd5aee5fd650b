/** Makes texts from contracts safe to show, because any user can deploy a contract that returns any text. */

/**
 * Retains letters, digits, punctuation, symbols and spaces. Removes control, format, private and combining characters,
 * which can hide, reverse or overlay text. Returns at most `max` code points.
 */
export function shownText(text: string, max: number): string {
  // This prefix is long enough for the result, and bounds the cost of a long text.
  const visible = text
    .slice(0, 8 * max)
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]|\uFFFD/gu, '');
  return [...visible.trim()].slice(0, max).join('');
}
