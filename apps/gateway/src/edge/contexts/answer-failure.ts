/** The answer and the log line when a handler throws: a dependency does not answer, or there is a bug. */

import { Unavailable } from '@flowgate/base/unavailable';
import type { OutgoingReply } from '@flowgate/http1/server/incoming-request';
import type { Log } from '@flowgate/telemetry/log';
import type { RequestContext } from './request-context.ts';

export type AnswerFailure = (context: RequestContext, cause: unknown) => OutgoingReply;

export function createAnswerFailure(log: Log): AnswerFailure {
  return (context, cause) => {
    if (cause instanceof Unavailable) {
      log.warn('request.unavailable', {
        requestId: context.requestId,
        path: context.maskedPath,
        error: cause.message,
      });
      return context.refuse('unavailable', { detail: `The ${cause.dependency} is unavailable.` });
    }
    log.error('request.failed', { requestId: context.requestId, path: context.maskedPath, error: describe(cause) });
    return context.refuse('internal');
  };
}

export function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
