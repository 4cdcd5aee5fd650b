/**
 * Finds the regular expression literals of a TypeScript source. It reads token by token, so strings and comments do not
 * mislead it.
 */

/**
 * After these words a slash begins a regular expression; after any other word, a number or a closing bracket it
 * divides.
 */
const wordsBeforeExpressions = new Set([
  'return',
  'typeof',
  'case',
  'of',
  'in',
  'do',
  'else',
  'yield',
  'await',
  'void',
]);

export function regexLiterals(source: string): readonly string[] {
  const found: string[] = [];
  /** One entry for each open brace: whether it belongs to a template. */
  const braces: boolean[] = [];
  let before = '';
  let at = 0;
  const take = (end: number, token: string) => {
    at = end;
    before = token;
  };
  while (at < source.length) {
    const one = source[at] ?? '';
    const two = source.slice(at, at + 2);
    if (/\s/.test(one)) at += 1;
    else if (two === '//') at = endOr(source.indexOf('\n', at), source);
    else if (two === '/*') at = endOr(source.indexOf('*/', at), source) + 2;
    else if (one === "'" || one === '"') take(endOfQuoted(source, at, [one]), 'value');
    else if (one === '`' || (one === '}' && braces.at(-1) === true)) {
      if (one === '}') braces.pop();
      const end = endOfQuoted(source, at, ['`', '${']);
      const continues = source[end - 1] === '{';
      if (continues) braces.push(true);
      take(end, continues ? '(' : 'value');
    } else if (one === '{' || one === '}') {
      if (one === '{') braces.push(false);
      else braces.pop();
      take(at + 1, one);
    } else if (one === '/' && !isOperand(before)) {
      const end = endOfRegex(source, at);
      found.push(source.slice(at, end));
      take(end, 'value');
    } else if (/[\w$]/.test(one)) {
      const word = /^[\w$]+/.exec(source.slice(at, at + 200))?.[0] ?? one;
      take(at + word.length, word);
    } else take(at + 1, one);
  }
  return found;
}

function isOperand(token: string): boolean {
  return token === ')' || token === ']' || (/^[\w$]+$/.test(token) && !wordsBeforeExpressions.has(token));
}

function endOr(index: number, source: string): number {
  return index < 0 ? source.length : index;
}

/** The index after the first of `ends` that follows the opening character. */
function endOfQuoted(source: string, start: number, ends: readonly string[]): number {
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] === '\\') at += 1;
    else {
      const end = ends.find((each) => source.startsWith(each, at));
      if (end !== undefined) return at + end.length;
    }
  }
  throw new Error(`a text that begins at ${start} has no end`);
}

function endOfRegex(source: string, start: number): number {
  let inClass = false;
  for (let at = start + 1; at < source.length && source[at] !== '\n'; at++) {
    const one = source[at];
    if (one === '\\') at += 1;
    else if (one === '[') inClass = true;
    else if (one === ']') inClass = false;
    else if (one === '/' && !inClass) {
      while (/[a-z]/.test(source[at + 1] ?? '')) at += 1;
      return at + 1;
    }
  }
  throw new Error(`a slash at ${start} is read as a regular expression and ends nowhere`);
}
