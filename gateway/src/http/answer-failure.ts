/** What a caller gets, and the log says, when answering a request threw: a dependency that did not answer, or a bug. */

import type { Log } from '../platform/log.ts';
import { Unavailable } from '../platform/unavailable.ts';
import type { Exchange } from './exchange.ts';

export type AnswerFailure = (exchange: Exchange, cause: unknown) => Response;

export function createAnswerFailure(log: Log): AnswerFailure {
  return (exchange, cause) => {
    if (cause instanceof Unavailable) {
      log.warn('request.unavailable', {
        requestId: exchange.requestId,
        path: exchange.shownPath,
        error: cause.message,
      });
      return exchange.refuse('unavailable', { detail: `The ${cause.dependency} is unavailable.` });
    }
    log.error('request.failed', { requestId: exchange.requestId, path: exchange.shownPath, error: describe(cause) });
    return exchange.refuse('internal');
  };
}

export function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
