/** The sentences of a text, each with what the phrase lists know in it. */

import { once } from '../once.ts';
import { phraseLists } from './all-phrases.ts';
import type { PhraseList } from './phrase.ts';
import { createWordIndex, type Sentence, type WordPattern } from './word-pattern.ts';

const marks = /[.!?;\n\u3002\uff01\uff1f\uff1b\u0964\u061f]+/;
const aside = /[,\uff0c] ?(?:please|kindly|now|bitte|por favor|s il vous plait|svp|пожалуиста|请)[,\uff0c]/gu;

type Splitter = (text: string) => readonly Sentence[];

function splitterFor(reading: PhraseList['reading']): Splitter {
  const lists = phraseLists.filter((list) => list.reading === reading);
  const index = once(() => createWordIndex(lists.flatMap(patternsOf)));
  const refersBack = lists.flatMap((list) => list.refersBack ?? []);
  const listCommas = lists.flatMap((list) => list.listComma ?? []);
  return (text) => {
    let joined = text.replaceAll(aside, ' ');
    for (const pattern of refersBack) joined = joined.replaceAll(pattern, ',');
    for (const pattern of listCommas) joined = joined.replaceAll(pattern, '$1 ');
    return joined.split(marks).flatMap((part) => {
      const sentence = part.trim();
      return sentence === '' ? [] : [{ text: sentence, found: index()(sentence) }];
    });
  };
}

function patternsOf(list: PhraseList): readonly WordPattern[] {
  const phrases = [...list.secretRequests, ...list.agentInstructions, ...list.frauds];
  return [
    ...new Set([
      ...phrases.flatMap(({ parts, antecedent, alongside, unless, unlessAnywhere, unlessLater }) =>
        [...parts, antecedent, alongside, unless, unlessAnywhere, unlessLater].filter((each) => each !== undefined),
      ),
      ...[list.secret, list.labelFillers, list.explains, list.unfinished, list.clauseWord],
    ]),
  ];
}

/** Splits plain words into sentences. */
export const sentencesOf: Readonly<Record<PhraseList['reading'], Splitter>> = {
  latin: splitterFor('latin'),
  words: splitterFor('words'),
};
