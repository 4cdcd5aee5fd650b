/** Describes failures of Flow Apps, and whether repeating may help (contract/flow-apps#answers). */

import { type AppFailure, final, retryable } from '@flowgate/flow-format/app-responses/app-failure';
import type { SafeReply } from '@flowgate/http1/safe-fetch/safe-fetch';

type Failed = Extract<SafeReply, { ok: false }>;

/** `path` is `/renderStep` or `/health`. */
export function failedRequest({ failure, detail }: Failed, path: string, timeoutMs: number): AppFailure {
  switch (failure) {
    case 'timeout':
      return retryable(`the app did not answer within ${timeoutMs / 1000} seconds`);
    case 'connect':
    case 'unfit':
      return retryable(`no connection to the app could be made (${detail})`);
    case 'broken':
      return retryable('the app closed the connection before its answer was complete');
    case 'overloaded':
    case 'released':
    case 'abandoned':
    case 'owner-full':
    case 'all-full':
      return retryable('too many requests to the app are under way');
    case 'forbidden':
      return final(`the app's address is not allowed: ${detail}`);
    case 'too-large':
      return final(`the app's ${path} answered more than ${mostResponseText}`);
    case 'malformed':
      return final(`the app's ${path} answered with an invalid HTTP message (${detail})`);
  }
}

/** Redirects are not followed; they count like any other status. */
export function failedStatus(status: number, path: string): AppFailure {
  const detail = `the app's ${path} answered ${status}`;
  return status >= 500 || status === 429 ? retryable(detail) : final(detail);
}

/** Also the limit after decompression (contract/flow-apps#downstream). */
export const mostResponseBytes = 1_048_576;
const mostResponseText = '1 MiB';
