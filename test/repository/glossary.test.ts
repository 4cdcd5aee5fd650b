/** The check of words finds them in names, comments and sentences, and leaves the allowed texts alone. */

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readGlossary, wordFinder } from '../../scripts/glossary.mjs';

const page = `# Words

| write | not |
|---|---|
| report | told, tells |
| \`max…\` | \`most…\` |
| dependencies | \`…Parts\` |
| continue | go on |

## Not checked

| text | reason |
|---|---|
| \`told_to\`, mostRecent | a column; a term |
| \`'told'\` | a value |
| docs/history | old pages |
`;

const glossary = readGlossary(page);
const wordsIn = wordFinder(glossary);

test('the glossary has words, allowed texts and paths', () => {
  expect(glossary.words).toEqual(['told', 'tells', 'most…', '…Parts', 'go on']);
  expect(glossary.allowed).toEqual(['told_to', 'mostRecent', "'told'", '"told"', '`told`']);
  expect(glossary.skippedPaths).toEqual(['docs/history']);
});

test('words are found in names of every form, in comments and in sentences', () => {
  for (const line of ['toldHeight', 'is_told', 'a/told-height.ts', '/** It was told. */', "'Told twice'"])
    expect([line, wordsIn(line)]).toEqual([line, ['told']]);
  expect(wordsIn('it tells what it told: go on')).toEqual(['told', 'tells', 'go on']);
});

test('beginnings and ends of names are found only in names', () => {
  expect(wordsIn('const mostBytes: SessionParts')).toEqual(['most…', '…Parts']);
  expect(wordsIn('most of the parts')).toEqual([]);
});

test('a word within another word, and an allowed text, is not found', () => {
  expect(wordsIn('untoldness retells')).toEqual([]);
  expect(wordsIn('told_to mostRecent "told" `told`')).toEqual([]);
  expect(wordsIn("'told' told")).toEqual(['told']);
});

test('the glossary of this repository has no word twice', () => {
  const { words } = readGlossary(readFileSync(join(import.meta.dir, '../../docs/contributing/words.md'), 'utf8'));
  expect(words.length).toBeGreaterThan(50);
  expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
});
