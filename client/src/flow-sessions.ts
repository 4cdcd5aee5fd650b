/** Walking through Flow Apps: start a session, submit its steps, read its events (contract/sessions#life-cycle). */

import { ask } from './ask.ts';
import * as shapes from './generated/shapes.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import { createPaged, type Paged, pageShape, searchOf } from './paged.ts';
import type { CallOptions, Send } from './transport.ts';
import type { FlowEventPage, Session, SessionInput, SessionStatus, StepSubmission } from './wire.ts';

export const eventsRoute = 'GET /flow/sessions/{sessionId}/events';

/** How often a start or a submission is repeated by default: its key makes that safe. */
const keyedRetries = 3;

export type SessionFilter = { readonly appId?: string; readonly status?: SessionStatus };

export type StartOptions = CallOptions & {
  /**
   * 1 to 256 characters; generated when left out. A start that may have to be repeated after this call failed, for example by another process, needs one of your
   * own, the same each time.
   */
  readonly idempotencyKey?: string | undefined;
};

export type SubmitOptions = CallOptions & {
  /**
   * 1 to 256 characters; generated when left out. A submission that may have to be repeated after this call failed, for example by another process, needs one of
   * your own, the same each time; a new submission needs a new one.
   */
  readonly idempotencyKey?: string | undefined;
  /** An x402 payment for a step that answered 402, as the header's value: made from one of the error's `accepts`. */
  readonly payment?: string | undefined;
};

export type EventOptions = CallOptions & {
  /** Only events with a higher sequence; default 0: from the first. */
  readonly after?: number | undefined;
  readonly limit?: number | undefined;
};

/** The caller's own sessions; somebody else's looks like an absent one: 404. */
export type FlowSessions = Paged<Session, SessionFilter> & {
  /** By default of the latest active version, at its first start step. Makes one session, however often it is repeated: every attempt has the same idempotency key. */
  start(input: SessionInput, options?: StartOptions): Promise<Session>;
  get(sessionId: string, options?: CallOptions): Promise<Session>;
  /** Repeating is no error. */
  cancel(sessionId: string, options?: CallOptions): Promise<void>;
  /**
   * Executed once, however often it is repeated: every attempt has the same idempotency key. Repeated after no answer, 429, 503 and answers that the gateway calls
   * retryable. Throws `FlowgateError`: 400 with `errors` for what the app found wrong, 402 with `accepts`, 409 for a stale `stateVersion` or a step that is not the
   * current one, 410 for a retired version, 502 when the app failed.
   */
  submit(sessionId: string, stepId: string, submission: StepSubmission, options?: SubmitOptions): Promise<Session>;
  /** One page, ascending. `nextCursor` is the page's last sequence: the next page's `after`. */
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
