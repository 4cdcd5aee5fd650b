/** `npm run words`: fails when a path or a line of a source file or page contains a word that docs/contributing/words.md replaces, and lists all of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './ensure-installed.mjs';
import { readGlossary, wordFinder } from './glossary.mjs';

const glossaryPath = 'docs/contributing/words.md';
/** Its examples are the words. */
const glossaryTest = 'test/repository/glossary.test.ts';
const read = (path) => readFileSync(join(repositoryRoot, path), 'utf8');

const checkedFile = /\.(?:[cm]?[jt]sx?|md|ya?ml|css|html)$/;
const skippedFolder = /^(?:\.|node_modules$|dist$|data$)/;

const glossary = readGlossary(read(glossaryPath));
const skipped = [glossaryPath, glossaryTest, 'scripts/glossary.mjs', ...glossary.skippedPaths];
const wordsIn = wordFinder(glossary);

let count = 0;
for (const path of files()) {
  report(path, wordsIn(path), path);
  for (const [index, line] of read(path).split('\n').entries()) report(`${path}:${index + 1}`, wordsIn(line), line);
}
console.log(
  count === 0 ? 'no word of the second column is left' : `${count} words of the second column: see ${glossaryPath}`,
);
process.exitCode = count === 0 ? 0 : 1;

function files(folder = '') {
  return readdirSync(join(repositoryRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (skippedFolder.test(entry.name) || skipped.includes(path)) return [];
    if (entry.isDirectory()) return files(path);
    return checkedFile.test(entry.name) ? [path] : [];
  });
}

function report(place, words, text) {
  count += words.length;
  if (words.length > 0) console.log(`${place}: ${words.join(', ')}: ${text.trim().slice(0, 160)}`);
}
