/** Walking through Flow Apps: start a session, submit its steps, read its events (contract/flow-apps#sessions). */

import { askFor } from './ask-for.ts';
import { hasMembers } from './has-members.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import { createPaged, type Paged } from './paged.ts';
import { pathSegment } from './path-segment.ts';
import type { CallOptions, Send } from './transport.ts';
import type { FlowEvent, FlowEventPage, Session, SessionInput, SessionStatus, StepSubmission } from './wire.ts';

const sessionsPath = '/flow/sessions';

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
  return {
    ...createPaged<Session, SessionFilter>(send, sessionsPath, isSession),
    async start(input, { idempotencyKey, ...options } = {}) {
      return askFor(send, isSession, {
        method: 'POST',
        path: sessionsPath,
        body: input,
        headers: { 'Idempotency-Key': idempotencyKey ?? newIdempotencyKey() },
        repeatable: true,
        usualRetries: keyedRetries,
        options,
      });
    },
    get: async (sessionId, options = {}) =>
      askFor(send, isSession, { method: 'GET', path: sessionPath(sessionId), repeatable: true, options }),
    async cancel(sessionId, options = {}) {
      await send({ method: 'DELETE', path: sessionPath(sessionId), repeatable: true, options });
    },
    async submit(sessionId, stepId, submission, { idempotencyKey, payment, ...options } = {}) {
      return askFor(send, isSession, {
        method: 'POST',
        path: `${sessionPath(sessionId)}/steps/${pathSegment(stepId)}`,
        body: submission,
        headers: {
          'Idempotency-Key': idempotencyKey ?? newIdempotencyKey(),
          ...(payment === undefined ? {} : { 'X-Payment': payment }),
        },
        repeatable: true,
        usualRetries: keyedRetries,
        options,
      });
    },
    async events(sessionId, { after, limit, ...options } = {}) {
      const query = new URLSearchParams({ after: String(after ?? 0) });
      if (limit !== undefined) query.set('limit', String(limit));
      const path = `${eventsPath(sessionId)}?${query}`;
      return askFor(send, isEventPage, { method: 'GET', path, repeatable: true, options });
    },
  };
}

export function eventsPath(sessionId: string): string {
  return `${sessionPath(sessionId)}/events`;
}

function sessionPath(sessionId: string): string {
  return `${sessionsPath}/${pathSegment(sessionId)}`;
}

function isSession(value: unknown): value is Session {
  const texts = { sessionId: 'string', appId: 'string', version: 'string', status: 'string' } as const;
  const times = { createdAt: 'string', updatedAt: 'string', expiresAt: 'string' } as const;
  return (
    hasMembers(
      value,
      { ...texts, ...times, stateVersion: 'number', currentStep: 'object' },
      { paymentReceipt: 'object' },
    ) && hasMembers(value['currentStep'], { stepId: 'string', title: 'string', fields: 'objects', actions: 'objects' })
  );
}

function isEventPage(value: unknown): value is FlowEventPage {
  if (!hasMembers(value, { data: 'objects' }, { nextCursor: 'string' })) return false;
  const { data } = value;
  return Array.isArray(data) && data.every(isFlowEvent);
}

export function isFlowEvent(value: unknown): value is FlowEvent {
  return hasMembers(value, { id: 'string', sequence: 'number', type: 'string', timestamp: 'string', data: 'object' });
}
