/**
 * Hostile texts by their structure, the same in each language: two or three concepts that no honest text joins in one sentence. A language supplies the
 * words of each concept. Concepts are wide, so an author has to avoid all words of one to get past.
 */

import type { Phrase, PhraseList } from './phrase.ts';
import { type WordPattern, words } from './word-pattern.ts';

/** A text that the phrase refuses, and one that it passes. */
type Example = readonly [refused: string, passes: string];

export type Concepts = {
  /** Begins the ids of the phrases. */
  readonly language: string;
  /** What controls a wallet, by its names. */
  readonly secret: WordPattern;
  /** Ways to make the reader hand something over: verbs, places for it, and demands without a verb. */
  readonly act: WordPattern;
  /** What a secret is written on or as, and what makes that the secret of a wallet: where it came from, where it lies, what it can do. */
  readonly described: readonly [carrier: WordPattern, origin: WordPattern];
  /** A password of a bank, exchange, wallet or mailbox. */
  readonly credential: WordPattern;
  /** A password or card number, and its second factor, in any order. */
  readonly pair: readonly [first: WordPattern, second: WordPattern];
  /** A text says who speaks, and that is support, a bank, an authority or a superior. */
  readonly speaker: readonly [claim: WordPattern, office: WordPattern];
  /** What a fraud says next: a threat, an order, or help that was not asked for. */
  readonly demand: WordPattern;
  /** Verbs that move funds. */
  readonly move: string;
  /** Wallets and accounts that a text offers to send funds to, besides an address. */
  readonly destination: string;
  /** Reasons to send funds that no transaction of an app has. */
  readonly pretext: WordPattern;
  /** Software that reads for a person. */
  readonly reader: WordPattern;
  /** Acts that take a decision away from that person. */
  readonly override: WordPattern;
  /** Excuses before and between the concepts: denials, warnings, what the reader does alone. */
  readonly alone: WordPattern;
  /** Excuses behind them. */
  readonly later: WordPattern;
  /** Third parties of whom a text warns, anywhere in the sentence. */
  readonly warnsOf: WordPattern;
  /** Excuses of speakers: who can be reached when. */
  readonly reachable: WordPattern;
  /** Excuses of funds: what the reader does of its own accord. */
  readonly ownFunds: WordPattern;
  /** Excuses of readers, and advice to ask the person. */
  readonly assists: WordPattern;
  readonly asksPerson: WordPattern;
  readonly examples: {
    readonly secret: Example;
    readonly described: Example;
    readonly credential: Example;
    readonly pair: Example;
    readonly speaker: Example;
    readonly funds: Example;
    readonly reader: Example;
  };
};

/** Denials behind a fraud, in every language of this structure. */
const denials = words('scams?|never|nie|niemals|betrug|nunca|jamas|estafas?|jamais|arnaques?');

/** In a reading in which digits of words are letters. */
const address = 'ox[oi2eas6tb9cdf]\\w{13,63}';

export function structuredPhrases(
  concepts: Concepts,
): Pick<PhraseList, 'secretRequests' | 'agentInstructions' | 'frauds'> {
  const { language, act, alone, later, pair, examples } = concepts;
  const phrase = (id: string, [refused, passes]: Example, given: Omit<Phrase, 'phraseId' | 'refuses' | 'passes'>) => ({
    phraseId: `${language}-${id}`,
    acrossClauses: true,
    unlessAnywhere: concepts.warnsOf,
    ...given,
    refuses: [refused],
    passes: [passes],
  });
  return {
    secretRequests: [
      phrase('secret-and-act', examples.secret, {
        reason: 'A secret and an act of handing it over, in any order and far apart.',
        parts: [concepts.secret],
        alongside: act,
        maxGap: 10,
        unless: alone,
        unlessLater: later,
      }),
      phrase('described-secret', examples.described, {
        reason: 'The same with a secret that is described by its origin, its place or its power instead of its name.',
        parts: concepts.described,
        alongside: act,
        maxGap: 8,
        unless: alone,
        unlessLater: later,
      }),
      phrase('credential-and-act', examples.credential, {
        reason: 'Passwords of banks, exchanges, wallets and mailboxes open what lies there, and no app needs them.',
        parts: [concepts.credential],
        alongside: act,
        maxGap: 8,
        unless: alone,
        unlessLater: later,
      }),
      phrase('pair-of-credentials', examples.pair, {
        reason: 'A password with its second factor, or a card number with its code, is all that a thief needs.',
        parts: [pair[0]],
        alongside: pair[1],
        maxGap: 6,
        unless: alone,
        unlessLater: later,
      }),
    ],
    agentInstructions: [
      phrase('reader-and-override', examples.reader, {
        reason: 'Addresses software that reads, and has it decide, hide or carry something away.',
        parts: [concepts.reader],
        alongside: concepts.override,
        maxGap: 8,
        unless: concepts.assists,
        unlessLater: concepts.asksPerson,
      }),
    ],
    frauds: [
      phrase('speaker-and-demand', examples.speaker, {
        reason:
          'Support, banks, authorities and superiors do not write in the texts of an app, least of all to demand something.',
        parts: concepts.speaker,
        alongside: concepts.demand,
        alongsideLater: true,
        maxGap: 14,
        unless: concepts.reachable,
        unlessLater: denials,
      }),
      phrase('moved-for-pretext', examples.funds, {
        reason:
          'An app moves funds by a transaction of a step; a text that sends them to an address of its own, and says why, is a fraud.',
        parts: [words(concepts.move), words(`${address}|${concepts.destination}`)],
        alongside: concepts.pretext,
        maxGap: 14,
        unless: concepts.ownFunds,
        unlessLater: denials,
      }),
    ],
  };
}
