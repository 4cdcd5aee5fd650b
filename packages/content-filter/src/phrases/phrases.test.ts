import { expect, test } from 'bun:test';
import { readText, type TextReading } from '../content-filter-text.ts';
import { phraseLists } from './all-phrases.ts';
import { occursIn, type Phrase, type PhraseList } from './phrase.ts';
import { createWordIndex, words } from './word-pattern.ts';

const phrasesOf = (list: PhraseList): readonly Phrase[] => [
  ...list.secretRequests,
  ...list.agentInstructions,
  ...list.frauds,
];

const says = (text: TextReading, phrase: Phrase, list: PhraseList) =>
  text.sentences(list).some((_, at, sentences) => occursIn(sentences, at, phrase, list));

test.each([...phraseLists])(
  '$name: each phrase is found in its examples, and no phrase of any language in the texts that pass',
  (list) => {
    for (const phrase of phrasesOf(list)) {
      expect(phrase.refuses.length * phrase.passes.length).toBeGreaterThan(0);
      for (const text of phrase.refuses)
        expect([phrase.phraseId, text, says(readText(text), phrase, list)]).toEqual([phrase.phraseId, text, true]);
      for (const text of phrase.passes) {
        const reading = readText(text);
        const found = phraseLists.flatMap((each) => phrasesOf(each).filter((other) => says(reading, other, each)));
        expect([text, found.map(({ phraseId }) => phraseId)]).toEqual([text, []]);
      }
    }
  },
);

test('the name of a phrase is unique and begins with its language', () => {
  const ids = phraseLists.flatMap((list) =>
    phrasesOf(list).map(({ phraseId }) => ({ phraseId, language: list.language })),
  );
  expect(new Set(ids.map(({ phraseId }) => phraseId)).size).toBe(ids.length);
  for (const { phraseId, language } of ids) expect(phraseId).toStartWith(`${language}-`);
});

test('a pattern is found by its first word, including optional parts and classes', () => {
  const patterns = [
    words('priv(?:ate)? ?keys?'),
    words('(?:the |your ){0,2}user'),
    words('sche[mn]a\\w*'),
    words('^only first'),
    words('(?<!no )secrets?'),
  ];
  const spans = (text: string) =>
    patterns.map((pattern) =>
      createWordIndex(patterns)(text)
        .get(pattern)
        ?.map(({ start, end }) => text.slice(start, end)),
    );
  expect(spans('only first, the user, privkeys and private key schemata')).toEqual([
    ['privkeys', 'private key'],
    ['the user'],
    ['schemata'],
    ['only first'],
    undefined,
  ]);
  expect(spans('no secret but secrets, not only first')).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    ['secrets'],
  ]);
});

test('a pattern that could begin with any word is refused', () => {
  expect(() => createWordIndex([words('\\w+ tool')])).toThrow('begins with anything');
  expect(() => createWordIndex([words('a\\w*')])).toThrow('begins with too little');
});

test('matches of one pattern do not overlap', () => {
  const pattern = words('very very|very');
  expect(createWordIndex([pattern])('very very very').get(pattern)).toEqual([
    { start: 0, end: 9 },
    { start: 10, end: 14 },
  ]);
});
