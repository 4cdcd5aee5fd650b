/**
 * `npm run words [-- WORD…]`: counts the words that docs/contributing/words.md replaces, in every source file and page; with words as arguments, lists where they are. Fails when a word
 * occurs more often than scripts/words-left.json says. `--write` writes that file.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './ensure-installed.mjs';

const glossary = 'docs/contributing/words.md';
const remainder = 'scripts/words-left.json';
const read = (path) => readFileSync(join(repositoryRoot, path), 'utf8');

const checkedFile = /\.(?:[cm]?[jt]sx?|md|ya?ml|css|html)$/;
const skippedFolder = /^(?:\.|node_modules$|dist$|data$)/;

const [words, exceptions] = readGlossary(read(glossary));
const skipped = [glossary, remainder, ...exceptions.filter((each) => each.includes('/') && !each.startsWith('/'))];
/** A text in quotes is allowed in quotes of any kind. */
const allowed = exceptions
  .filter((each) => !skipped.includes(each))
  .flatMap((each) => (each.startsWith("'") ? ["'", '"', '`'].map((quote) => each.replaceAll("'", quote)) : [each]));

/** @returns {[string[], string[]]} the words of the second column, and the texts that are not checked. */
export function readGlossary(page) {
  const [table, notChecked = ''] = page.split('\n## Not checked\n');
  const rows = (text) => [...text.matchAll(/^\| (.+) \| (.+) \|$/gm)].slice(1);
  const entries = (cell) => cell.split(/, /).map((entry) => entry.replaceAll('`', '').trim());
  return [rows(table).flatMap(([, , not]) => entries(not)), rows(notChecked).flatMap(([, text]) => entries(text))];
}

function files(folder = '') {
  return readdirSync(join(repositoryRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (skippedFolder.test(entry.name) || skipped.includes(path)) return [];
    if (entry.isDirectory()) return files(path);
    return checkedFile.test(entry.name) ? [path] : [];
  });
}

/** Names are split into words: `reportedHeight`, `reported_height` and `reported-height` contain `reported`. */
function asWords(line) {
  let text = line;
  for (const each of allowed) text = text.replaceAll(each, ' ');
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]/g, ' ')
    .toLowerCase();
}

/** `most…` and `…Parts` are beginnings and ends of names. */
function pattern(word) {
  if (word.endsWith('…')) return { inNames: new RegExp(`\\b${word.slice(0, -1)}[A-Z]\\w*`, 'g') };
  if (word.startsWith('…')) return { inNames: new RegExp(`\\b[A-Z]\\w*${word.slice(1)}\\b`, 'g') };
  return { inWords: new RegExp(`\\b${word}\\b`, 'g') };
}

const patterns = words.map((word) => ({ word, ...pattern(word) }));
const listed = process.argv.slice(2).filter((each) => !each.startsWith('--'));
const counts = new Map(words.map((word) => [word, 0]));

for (const path of files())
  for (const [index, line] of read(path).split('\n').entries()) {
    const text = asWords(line);
    for (const { word, inNames, inWords } of patterns) {
      const found = inNames === undefined ? text.match(inWords) : line.match(inNames);
      if (found === null || found.some((each) => allowed.includes(each))) continue;
      counts.set(word, (counts.get(word) ?? 0) + found.length);
      if (listed.includes(word)) console.log(`${path}:${index + 1}: ${line.trim().slice(0, 160)}`);
    }
  }

const found = Object.fromEntries([...counts].filter(([, count]) => count > 0));
if (process.argv.includes('--write'))
  writeFileSync(join(repositoryRoot, remainder), `${JSON.stringify(found, null, 2)}\n`);
const expected = JSON.parse(read(remainder));
const more = Object.keys(found).filter((word) => found[word] > (expected[word] ?? 0));
for (const word of more)
  console.log(
    `'${word}' occurs ${found[word]} times, ${found[word] - (expected[word] ?? 0)} more than before: see ${glossary}; npm run words -- '${word}' lists all.`,
  );
const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
console.log(`${total} words of the second column are left`);
process.exitCode = more.length === 0 ? 0 : 1;
