/** Texts of others as a terminal may show them: nothing in them moves the cursor, changes a colour, hides or reorders what stands beside them. */

/** Controls of C0 and C1 (with ESC and CSI), invisible and direction-changing characters, and breaks of lines. */
const unshown = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** Joiners that scripts and emoji need; between two letters they change nothing else. */
const joiners = /[\u200c\u200d]/;

/** On one line; each removed character leaves a `�`, so that it is seen that something was there. */
export function plainText(text: string): string {
  return text.replaceAll(unshown, (character) => (joiners.test(character) ? character : '\ufffd'));
}

/** The same for a text of several lines: breaks of lines and tabs stay. */
export function plainLines(text: string): string {
  return text.split(/\r?\n/).map(plainLine).join('\n');
}

function plainLine(line: string): string {
  return line.split('\t').map(plainText).join('\t');
}

/** JSON that is as harmless on a terminal and means the same: what `JSON.stringify` leaves as it is, it escapes, and so it does with controls in what only pretends to be JSON. */
export function plainJson(json: string): string {
  return json.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    [...character.split('')].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  );
}
