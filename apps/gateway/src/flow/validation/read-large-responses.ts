/** Reads small app responses synchronously, and large ones in the validation worker, so that no app's author can delay other callers. */

import type { ContentFilter } from '@flowgate/content-filter/content-filter';
import { final, retryable } from '@flowgate/flow-format/app-responses/app-failure';
import {
  type AppResponse,
  parseResponse,
  type ResponseReading,
  readParsed,
} from '@flowgate/flow-format/app-responses/read-response';
import { compilingMs } from '@flowgate/flow-format/app-responses/step-spec';
import type { SecretScan } from '@flowgate/flow-format/secrets/secret-mark';
import type { Asker } from './asker-queue.ts';
import type { QueueOutcome, ValidationQueue } from './validation-queue.ts';

/** Never throws because of the response. */
export type ReadResponse = (asker: Asker, response: AppResponse) => ResponseReading | Promise<ResponseReading>;

/** The content filter takes 0.1 ms for a new text of 60 characters: a response of this size full of such texts takes 4 ms. 1 MiB takes 0.1 to 0.3 s. */
export const smallResponseBytes = 4_096;

/** A hostile text makes the search check every length of secret at every position. With more marks than this only tiny responses are read synchronously. */
const fewMarks = 20;
const tinyResponseBytes = 1_024;

/** Whether reading this many bytes and searching them for this many marks is certainly quick. */
export function isSmall(bytes: number, { marks }: SecretScan): boolean {
  return bytes <= (marks.length > fewMarks ? tinyResponseBytes : smallResponseBytes);
}

/** Compiling patterns takes most of the time of a small response. Compared with an upper bound that few patterns approach. */
const maxCompilingMs = 10;

/** `contentFilter` has the same settings as the filter in `queue`'s worker. */
export function createReadResponse(contentFilter: ContentFilter, queue: ValidationQueue): ReadResponse {
  return (asker, response) => {
    if (!isSmall(response.bytes.length, response.secrets)) return readElsewhere(queue, asker, response);
    const parsed = parseResponse(response.bytes);
    if (!parsed.ok) return parsed;
    return compilingMs(parsed.value) > maxCompilingMs
      ? readElsewhere(queue, asker, response)
      : readParsed(parsed.value, response, contentFilter);
  };
}

async function readElsewhere(queue: ValidationQueue, asker: Asker, response: AppResponse): Promise<ResponseReading> {
  // A copy, because the bytes may be a view of a larger buffer, and posting a view clones the whole buffer.
  return readingOf(await queue.run(asker, { response: { ...response, bytes: new Uint8Array(response.bytes) } }));
}

function readingOf(outcome: QueueOutcome): ResponseReading {
  if (outcome === 'crowded') return retryable('too many large answers of apps are being checked');
  if (outcome === 'late') return final("the app's answer takes too long to check");
  if (outcome === 'died') return retryable("the app's answer could not be checked");
  const validation: ResponseReading = JSON.parse(outcome.result);
  return validation;
}
