/** The words that docs/contributing/words.md replaces, and where a text contains them. */

/**
 * @typedef {{ words: string[], allowed: string[], skippedPaths: string[] }} Glossary `words`: of the second column; `allowed`: texts that are not checked.
 * @param {string} page
 * @returns {Glossary}
 */
export function readGlossary(page) {
  const [table, notChecked = ''] = page.split('\n## Not checked\n');
  const rows = (text) => [...text.matchAll(/^\| (.+) \| (.+) \|$/gm)].slice(1);
  const entries = (cell) => cell.split(/, /).map((entry) => entry.replaceAll('`', '').trim());
  const exceptions = rows(notChecked).flatMap(([, text]) => entries(text));
  const isPath = (each) => each.includes('/') && !each.startsWith('/');
  return {
    words: rows(table).flatMap(([, , not]) => entries(not)),
    // A text in quotes is allowed in quotes of any kind.
    allowed: exceptions
      .filter((each) => !isPath(each))
      .flatMap((each) => (each.startsWith("'") ? ["'", '"', '`'].map((quote) => each.replaceAll("'", quote)) : [each])),
    skippedPaths: exceptions.filter(isPath),
  };
}

/**
 * @param {Glossary} glossary
 * @returns {(line: string) => string[]} the words of the glossary in a line, each as often as it occurs.
 */
export function wordFinder({ words, allowed }) {
  const patterns = words.map((word) => ({ word, ...patternOf(word) }));
  return (line) => {
    const text = asWords(line, allowed);
    return patterns.flatMap(({ word, inNames, inWords }) => {
      const found = (inNames === undefined ? text.match(inWords) : line.match(inNames)) ?? [];
      return found.filter((each) => !allowed.includes(each)).map(() => word);
    });
  };
}

/** Names are read as words: `toldHeight`, `told_height` and `told-height` contain `told`. */
function asWords(line, allowed) {
  let text = line;
  for (const each of allowed) text = text.replaceAll(each, ' ');
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]/g, ' ')
    .toLowerCase();
}

/** `most…` and `…Parts` are beginnings and ends of names. */
function patternOf(word) {
  if (word.endsWith('…')) return { inNames: new RegExp(`\\b${word.slice(0, -1)}[A-Z]\\w*`, 'g') };
  if (word.startsWith('…')) return { inNames: new RegExp(`\\b[A-Z]\\w*${word.slice(1)}\\b`, 'g') };
  return { inWords: new RegExp(`\\b${word}\\b`, 'g') };
}
