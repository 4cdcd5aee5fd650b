/** Reads small answers of apps at once, and large ones in the reading thread: nobody else waits for what an app's author wrote. */

import { final, retryable } from '../apps/remote-app-failure.ts';
import type { ContentFilter } from '../content-filter/content-filter.ts';
import type { Asker } from './asker-queue.ts';
import { type AnswerReading, type AppAnswer, parseAnswer, type ReadAnswer, readParsed } from './read-answer.ts';
import type { ReadingTurns, TurnOutcome } from './reading-turns.ts';
import type { SecretScan } from './secret-mark.ts';
import { compilingMs } from './step-spec.ts';

/** In bytes. An honest answer of that size takes less than 1 ms, a hostile one up to 5 ms; of 1 MiB the filter takes 0.1 s and 0.3 s. */
export const smallAnswerBytes = 8_192;

/** Of a text that was made for secrets of many lengths, each length is looked at anew at every place: with so many, only what is tiny is read at once. */
const fewMarks = 20;
const tinyAnswerBytes = 1_024;

/** Whether reading so many bytes, with so much to look for in them, is sure to be quick. */
export function isSmall(bytes: number, { marks }: SecretScan): boolean {
  return bytes <= (marks.length > fewMarks ? tinyAnswerBytes : smallAnswerBytes);
}

/** Compiling patterns is what takes longest in a small answer. By an estimate that few patterns come near. */
const mostCompilingMs = 10;

/** `contentFilter` is the one that the thread of `turns` has, too. */
export function createReadAnswer(contentFilter: ContentFilter, turns: ReadingTurns): ReadAnswer {
  return (asker, answer) => {
    if (!isSmall(answer.bytes.length, answer.secrets)) return readElsewhere(turns, asker, answer);
    const parsed = parseAnswer(answer.bytes);
    if (!parsed.ok) return parsed;
    return compilingMs(parsed.value) > mostCompilingMs
      ? readElsewhere(turns, asker, answer)
      : readParsed(parsed.value, answer, contentFilter);
  };
}

async function readElsewhere(turns: ReadingTurns, asker: Asker, answer: AppAnswer): Promise<AnswerReading> {
  // A copy: the bytes may be part of a larger buffer, all of which would travel.
  return readingOf(await turns.run(asker, { answer: { ...answer, bytes: new Uint8Array(answer.bytes) } }));
}

function readingOf(outcome: TurnOutcome): AnswerReading {
  if (outcome === 'crowded') return retryable('too many large answers of apps are being checked');
  if (outcome === 'late') return final("the app's answer takes too long to check");
  if (outcome === 'died') return retryable("the app's answer could not be checked");
  const reading: AnswerReading = JSON.parse(outcome.result);
  return reading;
}
