/** Finds constructs in a field's pattern that RE2 does not support. Only the gateway can decide whether the pattern compiles. */

/** One pass over the text; the problem is the end of a sentence. */
export function patternProblem(pattern: string): string | undefined {
  let depth = 0;
  let isInClass = false;
  for (let place = 0; place < pattern.length; place++) {
    const character = pattern[place];
    if (character === '\\') {
      const next = pattern[place + 1];
      if (next === undefined) return 'must be an RE2 pattern: it ends with a backslash';
      if (!isInClass && (/[1-9]/.test(next) || next === 'k'))
        return 'must be an RE2 pattern, which has no back-references';
      // A quotation, \Q…\E, may contain any character.
      if (next === 'Q') return undefined;
      place += 1;
    } else if (isInClass) {
      // A bracket that comes first, or after ^, is literal; [:name:] ends with its own bracket.
      if (character === '[' && pattern[place + 1] === ':') {
        const end = pattern.indexOf(':]', place + 2);
        if (end > 0) place = end + 1;
      } else if (character === ']') isInClass = false;
    } else if (character === '[') {
      isInClass = true;
      if (pattern[place + 1] === '^') place += 1;
      if (pattern[place + 1] === ']') place += 1;
    } else if (character === '(') {
      depth += 1;
      if (/^\(\?(?:[=!]|<[=!])/.test(pattern.slice(place, place + 4)))
        return 'must be an RE2 pattern, which looks neither ahead nor behind';
    } else if (character === ')') {
      depth -= 1;
      if (depth < 0) return 'must be an RE2 pattern: a parenthesis is closed that was not opened';
    }
  }
  if (isInClass) return 'must be an RE2 pattern: a [ is not closed';
  return depth > 0 ? 'must be an RE2 pattern: a parenthesis is not closed' : undefined;
}
