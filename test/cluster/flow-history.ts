/**
 * The history of a cluster run with Flow sessions, on one monotonic clock: every submission as its client saw it, the
 * runs of the app, what endpoints and streams received, and the final state of each session.
 */

import type { Clock } from '@flowgate/base/clock';
import type { FlowEvent, Session, WebhookBody } from '@flowgate/client/flow-wire';
import type { Mark, MarkKind, Outcome } from './history.ts';

/** The members of a refusal's ProblemDetails that are checked. */
export type Problem = { readonly type: string; readonly status: number; readonly retryable: boolean };

/** One attempt at a step. Its effect, if any, happened after `startMs`. */
export type Submission = {
  readonly sessionId: string;
  readonly userId: string;
  readonly idempotencyKey: string;
  /** The gateway that received the request. */
  readonly via: string;
  readonly phase: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly outcome: Outcome;
  readonly status?: number;
  /** The body's text, unchanged. */
  readonly text?: string;
  readonly isReplay?: boolean;
  /** The problem of a refusal; absent when the body is not ProblemDetails of the gateway. */
  readonly problem?: Problem;
  readonly retryAfter?: string | null;
};

/** A call of the app for a submission. */
export type Run = {
  readonly sessionId: string;
  /** The caller's Idempotency-Key, which the client also sends as a field. */
  readonly mark: string;
  /** The key that the gateway derived from the Idempotency-Key. */
  readonly derivedKey: string;
  readonly atMs: number;
};

/** One request to an endpoint of one subscription, until it was answered or broke off. */
export type Delivery = {
  readonly endpoint: string;
  readonly webhookId: string;
  readonly text: string;
  readonly body: WebhookBody;
  readonly startMs: number;
  endMs: number;
  /** The endpoint answered with 204. */
  accepted: boolean;
};

/** Created before the user's first session. */
export type Subscribed = {
  readonly endpoint: string;
  readonly userId: string;
  readonly eventType: string;
};

/** An event that arrived over a stream; `follower` is one reader through all its connections. */
export type Streamed = {
  readonly follower: string;
  readonly sessionId: string;
  readonly via: string;
  readonly id: string;
  readonly event: FlowEvent;
  readonly atMs: number;
};

/** A session at the end of the run, with all its events. */
export type Audit = {
  readonly session: Session;
  readonly userId: string;
  readonly events: readonly FlowEvent[];
};

export type FlowHistory = {
  /** The configured limit: requests of one user to one session in any 60 s. */
  readonly sessionPerMinute: number;
  readonly submissions: readonly Submission[];
  readonly runs: readonly Run[];
  readonly deliveries: readonly Delivery[];
  readonly subscriptions: readonly Subscribed[];
  readonly streamed: readonly Streamed[];
  readonly audits: readonly Audit[];
  readonly marks: readonly Mark[];
};

type Lists = Omit<FlowHistory, 'sessionPerMinute' | 'marks'>;

export type FlowRecorder = FlowHistory & {
  readonly now: () => number;
  readonly add: <Kind extends keyof Lists>(kind: Kind, entry: Lists[Kind][number]) => void;
  /** Begins a mark and returns the function that ends it. */
  readonly mark: (kind: MarkKind, service?: string) => () => void;
};

export function createFlowRecorder(sessionPerMinute: number, clock: Pick<Clock, 'monotonic'>): FlowRecorder {
  const lists = {
    submissions: [] as Submission[],
    runs: [] as Run[],
    deliveries: [] as Delivery[],
    subscriptions: [] as Subscribed[],
    streamed: [] as Streamed[],
    audits: [] as Audit[],
  };
  const marks: Mark[] = [];
  return {
    sessionPerMinute,
    ...lists,
    marks,
    now: () => clock.monotonic(),
    add(kind, entry) {
      (lists[kind] as unknown[]).push(entry);
    },
    mark(kind, service) {
      const fromMs = clock.monotonic();
      const mark = { kind, fromMs, toMs: Number.POSITIVE_INFINITY, ...(service === undefined ? {} : { service }) };
      marks.push(mark);
      return () => {
        mark.toMs = clock.monotonic();
      };
    },
  };
}
