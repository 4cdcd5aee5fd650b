/**
 * The content filter with its corpora: which honest texts pass, and which hostile ones are refused
 * (docs/decisions/0150).
 */

import { expect, test } from 'bun:test';
import { phraseLists } from '@flowgate/content-filter/phrases/all-phrases';
import {
  type CorpusEntry,
  corpus,
  isRefused,
  outcomeOf,
  ownPart,
  precisionOf,
  recallOf,
  scoreOf,
  unseenPart,
} from './content-filter-corpus.ts';

const known = (
  await Promise.all(['innocent-dev', 'innocent-held-out', 'hostile-dev', 'hostile-held-out'].map(corpus))
).flat();
const knownIn = (language: string) => known.filter((entry) => entry.language === language);

/** Those of the phrase lists with enough known texts. */
const languages = phraseLists.map(({ language }) => language).filter((language) => knownIn(language).length > 10);

const shareOf = (entries: readonly CorpusEntry[], which: (entry: CorpusEntry) => boolean) =>
  entries.filter(which).length / entries.length;

test.each(['innocent-dev', 'innocent-held-out'])('%s: at least 97 %% pass, and few of them with a warning', async (name) => {
  const entries = await corpus(name);
  expect(entries.length).toBeGreaterThan(150);
  expect(shareOf(entries, (entry) => outcomeOf(entry) !== 'refuse')).toBeGreaterThanOrEqual(0.97);
  expect(shareOf(entries, (entry) => outcomeOf(entry) === 'flag')).toBeLessThan(0.05);
});

test.each(languages)('%s: nine of ten known texts are classified as labeled', (language) => {
  const isRight = (entry: CorpusEntry) => (outcomeOf(entry) === 'refuse') === (entry.expect === 'refuse');
  expect([language, shareOf(knownIn(language), isRight) >= 0.9]).toEqual([language, true]);
});

const withoutLanguage = ['foreign-link', 'look-alike', 'invisible', 'bidirectional', 'markup', 'raw-secret'];

test('the last part: rules that need no language refuse nine of ten of their texts', async () => {
  const texts = (await unseenPart(5)).filter((each) => withoutLanguage.includes(each.class));
  expect(texts.length).toBeGreaterThan(40);
  expect(recallOf(scoreOf(texts, isRefused))).toBeGreaterThanOrEqual(0.9);
});

test.each([1, 2, 3, 4] as const)('part %i, which corrected the rules: at least 98 %% of honest texts pass, and 90 %% of hostile ones are refused', async (part) => {
  const score = scoreOf(await unseenPart(part), isRefused);
  expect(score.passed / score.honest).toBeGreaterThanOrEqual(0.98);
  expect(recallOf(score)).toBeGreaterThanOrEqual(0.9);
  expect(precisionOf(score)).toBeGreaterThanOrEqual(0.98);
});

test.each([1, 2, 3, 4] as const)('part %i: four of five requests for secrets and instructions to agents are refused', async (part) => {
  const texts = await unseenPart(part);
  const recalls = ['secret-request', 'agent-instruction'].map((name) =>
    recallOf(scoreOf(texts.filter((each) => each.class === name), isRefused)),
  );
  expect(Math.min(...recalls)).toBeGreaterThanOrEqual(0.8);
});

test.each([
  ['unseen-5, never opened, by an author who had seen neither rules nor texts', () => unseenPart(5)],
  ['the sealed half of the own texts', () => ownPart('sealed')],
] as const)('%s: at least 95 %% of honest texts pass, 80 %% of hostile ones are refused, and more than half of each class', async (_name, part) => {
  const texts = await part();
  const score = scoreOf(texts, isRefused);
  expect(score.passed / score.honest).toBeGreaterThanOrEqual(0.95);
  expect(recallOf(score)).toBeGreaterThanOrEqual(0.8);
  const recalls = Object.entries(Object.groupBy(texts, (each) => each.class)).flatMap(([name, each = []]) =>
    each.some(({ honest }) => honest) ? [] : [[name, recallOf(scoreOf(each, isRefused)) > 0.5]],
  );
  expect(recalls.length).toBeGreaterThan(4);
  expect(recalls.filter(([, isMet]) => !isMet)).toEqual([]);
});

test('the later own texts: 97 % of honest ones about keys, codes, support and agents pass, and three of four hostile ones are refused', async () => {
  const score = scoreOf(await ownPart('later'), isRefused);
  expect(score.honest).toBeGreaterThanOrEqual(100);
  expect(score.passed / score.honest).toBeGreaterThanOrEqual(0.97);
  expect(recallOf(score)).toBeGreaterThanOrEqual(0.75);
});

test('the other half, with which rules were written: every honest text passes, and 95 % of hostile ones are refused', async () => {
  const score = scoreOf(await ownPart('design'), isRefused);
  expect(score.passed).toBe(score.honest);
  expect(recallOf(score)).toBeGreaterThanOrEqual(0.95);
});

test('each text occurs once in a file', async () => {
  const known = ['innocent-dev', 'innocent-held-out', 'hostile-dev', 'hostile-held-out'];
  const parts = [
    ...(await Promise.all(known.map(corpus))).map((part) => part.map(({ text, step }) => text ?? JSON.stringify(step))),
    ...(await Promise.all([unseenPart(1), unseenPart(2), unseenPart(3), unseenPart(4), unseenPart(5), ownPart('design'), ownPart('sealed'), ownPart('later')])).map((part) => part.map(({ text }) => text)),
  ];
  for (const texts of parts) expect(texts.filter((text, nth) => texts.indexOf(text) !== nth)).toEqual([]);
});
