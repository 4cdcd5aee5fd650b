/** The content filter on its corpora: texts of honest apps pass, those of thieves are refused, and undecidable ones are flagged. */

import { expect, test } from 'bun:test';
import { type CorpusEntry, corpus, outcomeOf } from './content-filter-corpus.ts';

const least = 0.95;
const languages = ['en', 'de', 'fr', 'es', 'zh', 'ru'];

/** The share of the entries for which `which` holds. */
const shareOf = (entries: readonly CorpusEntry[], which: (entry: CorpusEntry) => boolean) =>
  entries.filter(which).length / entries.length;

const shown = (entry: CorpusEntry) => entry.text ?? JSON.stringify(entry.step);

test.each(['innocent-dev', 'innocent-held-out'])('%s: at least 95 %% pass, and few of them with a warning', async (name) => {
  const entries = await corpus(name);
  expect(entries.length).toBeGreaterThan(150);
  expect(shareOf(entries, (entry) => outcomeOf(entry) !== 'refuse')).toBeGreaterThanOrEqual(least);
  expect(shareOf(entries, (entry) => outcomeOf(entry) === 'flag')).toBeLessThan(0.08);
});

test.each(['hostile-dev', 'hostile-held-out'])('%s: at least 95 %% are refused', async (name) => {
  const entries = await corpus(name);
  expect(entries.length).toBeGreaterThan(150);
  expect(shareOf(entries, (entry) => outcomeOf(entry) === 'refuse')).toBeGreaterThanOrEqual(least);
});

test.each(languages)('%s: in each half nine of ten texts are judged as they are labelled', async (language) => {
  for (const name of ['innocent-dev', 'innocent-held-out', 'hostile-dev', 'hostile-held-out']) {
    const entries = (await corpus(name)).filter((entry) => entry.language === language);
    expect(entries.length).toBeGreaterThan(10);
    const isRight = (entry: CorpusEntry) => (outcomeOf(entry) === 'refuse') === (entry.expect === 'refuse');
    expect([name, shareOf(entries, isRight) >= 0.9]).toEqual([name, true]);
  }
});

test('what no rule can judge is flagged, not refused', async () => {
  const entries = await corpus('uncertain');
  expect(entries.filter((entry) => outcomeOf(entry) === 'refuse').map(shown)).toEqual([]);
  expect(shareOf(entries, (entry) => outcomeOf(entry) === 'flag')).toBeGreaterThanOrEqual(0.8);
});

test('no text stands in two halves, and each says what is expected of it', async () => {
  const names = ['innocent-dev', 'innocent-held-out', 'hostile-dev', 'hostile-held-out', 'uncertain'];
  const all = (await Promise.all(names.map(corpus))).flat();
  const texts = all.map(shown);
  expect(texts.filter((text, nth) => texts.indexOf(text) !== nth)).toEqual([]);
  for (const entry of all) expect([entry, /^[a-z]{2}$/.test(entry.language) && shown(entry) !== '']).toEqual([entry, true]);
});
