/** Phrases of one-time codes. An app asks for the codes that it sent itself; a thief asks for those of a bank, an exchange or a wallet, or has a person pass them on. */

import type { Phrase } from './phrase.ts';
import type { WordPattern } from './word-pattern.ts';

type CodeWords = {
  /** Begins the ids of the phrases. */
  readonly language: string;
  /** The code and the request for it, in the order of the language. */
  readonly asked: readonly [WordPattern, WordPattern];
  /** The code and the request to pass it on to a person. */
  readonly passedOn: readonly [WordPattern, WordPattern];
  /** Banks, exchanges and wallets. */
  readonly others: WordPattern;
  readonly unless: WordPattern;
  readonly examples: {
    readonly ofAnother: string;
    readonly passedOn: string;
    /** The app's own code, and a warning. */
    readonly passes: readonly string[];
  };
};

export function codePhrases({ language, asked, passedOn, others, unless, examples }: CodeWords): readonly Phrase[] {
  const common = { maxGap: 8, acrossClauses: true, unless, unlessLater: unless, passes: examples.passes };
  return [
    {
      phraseId: `${language}-code-of-another`,
      reason: 'A code of a bank, exchange or wallet gives access to what lies there.',
      antecedent: others,
      parts: asked,
      ...common,
      refuses: [examples.ofAnother],
    },
    {
      phraseId: `${language}-code-passed-on`,
      reason: 'A code is typed where it was asked for, and never passed on to a person.',
      parts: passedOn,
      ...common,
      refuses: [examples.passedOn],
    },
  ];
}

/** Names that are the same in every language. */
export const otherServices =
  'binance|coinbase|kraken|okx|bybit|kucoin|bitget|crypto com|meta ?mask|ledger|trezor|phantom|trust wallet|google|gmail|apple|icloud|telegram|whatsapp|paypal|revolut|microsoft';
