/** Reads small app responses at once, and large ones in the validation worker: nobody else waits for what an app's author wrote. */

import { type AppResponse, parseResponse, type ResponseReading, readParsed } from '../app-responses/read-response.ts';
import { compilingMs } from '../app-responses/step-spec.ts';
import { final, retryable } from '../apps/remote-app-failure.ts';
import type { ContentFilter } from '../content-filter/content-filter.ts';
import type { SecretScan } from '../secrets/secret-mark.ts';
import type { Asker } from './asker-queue.ts';
import type { QueueOutcome, ValidationQueue } from './validation-queue.ts';

/** Never throws because of the answer. */
export type ReadResponse = (asker: Asker, response: AppResponse) => ResponseReading | Promise<ResponseReading>;

/** In bytes. An honest answer of that size takes less than 1 ms, a hostile one up to 5 ms; of 1 MiB the filter takes 0.1 s and 0.3 s. */
export const smallResponseBytes = 8_192;

/** Of a text that was made for secrets of many lengths, each length is looked at anew at every place: with so many, only what is tiny is read at once. */
const fewMarks = 20;
const tinyResponseBytes = 1_024;

/** Whether reading so many bytes, with so much to look for in them, is sure to be quick. */
export function isSmall(bytes: number, { marks }: SecretScan): boolean {
  return bytes <= (marks.length > fewMarks ? tinyResponseBytes : smallResponseBytes);
}

/** Compiling patterns is what takes longest in a small answer. By an estimate that few patterns come near. */
const mostCompilingMs = 10;

/** `contentFilter` is the one that the thread of `turns` has, too. */
export function createReadResponse(contentFilter: ContentFilter, queue: ValidationQueue): ReadResponse {
  return (asker, response) => {
    if (!isSmall(response.bytes.length, response.secrets)) return readElsewhere(queue, asker, response);
    const parsed = parseResponse(response.bytes);
    if (!parsed.ok) return parsed;
    return compilingMs(parsed.value) > mostCompilingMs
      ? readElsewhere(queue, asker, response)
      : readParsed(parsed.value, response, contentFilter);
  };
}

async function readElsewhere(queue: ValidationQueue, asker: Asker, response: AppResponse): Promise<ResponseReading> {
  // A copy: the bytes may be part of a larger buffer, all of which would travel.
  return readingOf(await queue.run(asker, { response: { ...response, bytes: new Uint8Array(response.bytes) } }));
}

function readingOf(outcome: QueueOutcome): ResponseReading {
  if (outcome === 'crowded') return retryable('too many large answers of apps are being checked');
  if (outcome === 'late') return final("the app's answer takes too long to check");
  if (outcome === 'died') return retryable("the app's answer could not be checked");
  const validation: ResponseReading = JSON.parse(outcome.result);
  return validation;
}
