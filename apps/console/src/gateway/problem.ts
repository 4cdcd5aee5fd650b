/** Translates errors into texts for users. */
import { FlowgateError } from '@flowgate/client';

export type Problem = {
  readonly title: string;
  readonly text: string;
  readonly requestId: string | undefined;
  /** Seconds until a retry may succeed. */
  readonly retryAfterSeconds: number | undefined;
};

/** Used when the response has no `Retry-After`. */
const defaultWaitSeconds = 5;

export function problemOf(error: unknown): Problem {
  if (!(error instanceof FlowgateError)) {
    const text = error instanceof Error ? error.message : String(error);
    return { title: 'Something went wrong', text, requestId: undefined, retryAfterSeconds: undefined };
  }
  const { status, message, requestId, retryAfter: retryAfterSeconds, kind } = error;
  const wait = (seconds = defaultWaitSeconds) => ({ requestId, retryAfterSeconds: retryAfterSeconds ?? seconds });
  if (kind === 'no-answer')
    return {
      title: 'The gateway is not responding',
      text: 'It may be restarting, or this device may be offline.',
      ...wait(),
    };
  if (status === 429) return { title: 'Too many requests', text: message, ...wait() };
  if (status === 503) return { title: 'Temporarily unavailable', text: message, ...wait() };
  return { title: titleOf(status), text: message, requestId, retryAfterSeconds };
}

function titleOf(status: number): string {
  if (status === 403) return 'Not allowed';
  if (status === 404) return 'Not found';
  if (status === 409) return 'Not possible right now';
  return status >= 500 ? 'Gateway error' : 'Something went wrong';
}
