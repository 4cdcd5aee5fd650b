/** Sessions of Flow Apps: start a session, submit its steps, read its events (contract/sessions#life-cycle). */

import { ask } from './ask.ts';
import * as shapes from './generated/shapes.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import { createPaged, type Paged, pageShape, searchOf } from './paged.ts';
import type { CallOptions, Send } from './transport.ts';
import type { FlowEventPage, Session, SessionInput, SessionStatus, StepSubmission } from './wire.ts';

export const eventsRoute = 'GET /flow/sessions/{sessionId}/events';

/** How often a start or a submission is retried by default; its idempotency key makes that safe. */
const keyedRetries = 3;

export type SessionFilter = { readonly appId?: string; readonly status?: SessionStatus };

export type StartOptions = CallOptions & {
  /** 1 to 256 characters; default: generated. To repeat a start after this call failed, for example from another process, pass the same key each time. */
  readonly idempotencyKey?: string | undefined;
};

export type SubmitOptions = CallOptions & {
  /**
   * 1 to 256 characters; default: generated. To repeat a submission after this call failed, for example from another process, pass the same key each time. A
   * new submission needs a new key.
   */
  readonly idempotencyKey?: string | undefined;
  /** An x402 payment for a step that answered 402, as the header's value: for one of the error's `accepts`. */
  readonly payment?: string | undefined;
};

export type EventOptions = CallOptions & {
  /** Only events with a higher sequence; default 0: from the first. */
  readonly after?: number | undefined;
  readonly limit?: number | undefined;
};

/** The caller's own sessions. A session of another user is 404, like an unknown one. */
export type FlowSessions = Paged<Session, SessionFilter> & {
  /**
   * Starts a session, by default of the latest active version at its first start step. Retries create no second session, because all attempts have the same
   * idempotency key.
   */
  start(input: SessionInput, options?: StartOptions): Promise<Session>;
  get(sessionId: string, options?: CallOptions): Promise<Session>;
  /** Cancels a session. Repeated calls succeed. */
  cancel(sessionId: string, options?: CallOptions): Promise<void>;
  /**
   * Submits a step. It is executed once, because all attempts have the same idempotency key. Retried after no answer, 429, 503 and answers that the gateway
   * marks as retryable. Throws `FlowgateError`: 400 with `errors` for the app's findings, 402 with `accepts`, 409 for a stale `stateVersion` or a step that is
   * not the current one, 410 for a retired version, 502 when the app failed.
   */
  submit(sessionId: string, stepId: string, submission: StepSubmission, options?: SubmitOptions): Promise<Session>;
  /** One page, ascending. `nextCursor` is the page's last sequence; pass it as `after` for the next page. */
  events(sessionId: string, options?: EventOptions): Promise<FlowEventPage>;
};

export function createFlowSessions(send: Send): FlowSessions {
  const one = '/flow/sessions/{sessionId}';
  const keyed = { repeatable: true, defaultRetries: keyedRetries };
  return {
    ...createPaged(send, 'GET /flow/sessions', shapes.session, []),
    start: (body, { idempotencyKey, ...options } = {}) =>
      ask(send, 'POST /flow/sessions', shapes.session, [], {
        ...{ ...keyed, body, options },
        headers: { 'Idempotency-Key': idempotencyKey ?? newIdempotencyKey() },
      }),
    get: (sessionId, options) => ask(send, `GET ${one}`, shapes.session, [sessionId], { options }),
    cancel: (sessionId, options) => ask(send, `DELETE ${one}`, undefined, [sessionId], { options }),
    submit: (sessionId, stepId, body, { idempotencyKey, payment, ...options } = {}) =>
      ask(send, `POST ${one}/steps/{stepId}`, shapes.session, [sessionId, stepId], {
        ...{ ...keyed, body, options },
        headers: {
          'Idempotency-Key': idempotencyKey ?? newIdempotencyKey(),
          ...(payment === undefined ? {} : { 'X-Payment': payment }),
        },
      }),
    events: (sessionId, { after = 0, limit, ...options } = {}) =>
      ask(send, eventsRoute, pageShape(shapes.flowEvent), [sessionId], { query: searchOf({ after, limit }), options }),
  };
}
