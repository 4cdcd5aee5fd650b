/** Makes external texts safe for a terminal: they cannot move the cursor, change colors, or hide or reorder the text around them. */

/** Control characters of C0 and C1 (with ESC and CSI), invisible and direction-changing characters, and line breaks. */
const unshown = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** Joiners that scripts and emoji need; between two letters they have no other effect. */
const joiners = /[\u200c\u200d]/;

/** One line; each removed character is replaced by `�`, which shows the removal. */
export function plainText(text: string): string {
  return text.replaceAll(unshown, (character) => (joiners.test(character) ? character : '\ufffd'));
}

/** The same for a text of several lines: line breaks and tabs remain. */
export function plainLines(text: string): string {
  return text.split(/\r?\n/).map(plainLine).join('\n');
}

function plainLine(line: string): string {
  return line.split('\t').map(plainText).join('\t');
}

/** Equivalent JSON that is safe for a terminal: escapes the characters that `JSON.stringify` leaves, and control characters in invalid JSON. */
export function plainJson(json: string): string {
  return json.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    [...character.split('')].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  );
}
