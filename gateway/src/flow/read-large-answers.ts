/** Reads small answers of apps at once, and large ones in a thread of their own: nobody else waits for what an app's author wrote. */

import { createContentFilter } from './content-filter.ts';
import { type AnswerReading, type ReadAnswer, readAnswer } from './read-answer.ts';
import { createReadingTurns, type ReadingTurnsOptions, type TurnOutcome } from './reading-turns.ts';
import { final, retryable } from './remote-app-failure.ts';

/** In bytes. An honest answer of that size takes less than 1 ms, a hostile one up to 5 ms; of 1 MiB they take up to 0.3 s and 1.3 s. */
export const smallAnswerBytes = 8_192;

/** For one answer. No answer is known that takes half as long. */
const mostReadingMs = 5_000;

export type AnswerReaderOptions = Omit<ReadingTurnsOptions, 'mostMs'> & { readonly mostReadingMs?: number };

export type AnswerReader = {
  readonly read: ReadAnswer;
  /** Ends the thread; whoever waits for it is refused. */
  readonly close: () => void;
};

export function createAnswerReader(options: AnswerReaderOptions): AnswerReader {
  const contentFilter = createContentFilter(options.settings);
  const turns = createReadingTurns({ ...options, mostMs: options.mostReadingMs ?? mostReadingMs });
  return {
    read(appId, answer) {
      if (answer.bytes.length <= smallAnswerBytes) return readAnswer(answer, contentFilter);
      // A copy: the bytes may be part of a larger buffer, all of which would travel.
      return turns.run(appId, { answer: { ...answer, bytes: new Uint8Array(answer.bytes) } }).then(readingOf);
    },
    close: turns.close,
  };
}

function readingOf(outcome: TurnOutcome): AnswerReading {
  if (outcome === 'crowded') return retryable('too many large answers of apps are being checked');
  if (outcome === 'late') return final("the app's answer takes too long to check");
  if (outcome === 'died') return retryable("the app's answer could not be checked");
  const reading: AnswerReading = JSON.parse(outcome.result);
  return reading;
}
