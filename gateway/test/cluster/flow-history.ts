/** What happened to Flow sessions in a cluster run: every submission as its client saw it, what the app ran, what endpoints and streams got, and how each session read at the end; on one monotonic clock. */

import type { FlowEvent, Session, WebhookBody } from '@flowgate/client/flow-wire';
import type { Clock } from '../../src/platform/clock.ts';
import type { Mark, MarkKind, Outcome } from './history.ts';

/** A refusal's body, as far as it is ProblemDetails. */
export type Problem = { readonly type: string; readonly status: number; readonly retryable: boolean };

/** One attempt at a step. Its effect, if any, came about after `startMs`. */
export type Submission = {
  readonly sessionId: string;
  readonly userId: string;
  readonly idempotencyKey: string;
  /** The gateway that was asked. */
  readonly via: string;
  readonly phase: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly outcome: Outcome;
  readonly status?: number;
  /** As it came, to the byte. */
  readonly text?: string;
  readonly isReplay?: boolean;
  /** Of a refusal; absent when the body is none of ours. */
  readonly problem?: Problem;
  readonly retryAfter?: string | null;
};

/** The app was asked to run a submission. */
export type Run = {
  readonly sessionId: string;
  /** The caller's Idempotency-Key, which the client also sends as a field. */
  readonly mark: string;
  /** What the gateway made of it. */
  readonly derivedKey: string;
  readonly atMs: number;
};

/** One request to an endpoint of one subscription, until it was answered or cut off. */
export type Delivery = {
  readonly endpoint: string;
  readonly webhookId: string;
  readonly text: string;
  readonly body: WebhookBody;
  readonly startMs: number;
  endMs: number;
  /** Answered with 204, as far as the endpoint knows. */
  accepted: boolean;
};

/** Made before the user's first session. */
export type Subscribed = {
  readonly endpoint: string;
  readonly userId: string;
  readonly eventType: string;
};

/** An event that came over a stream; `follower` is one reader through all its connections. */
export type Streamed = {
  readonly follower: string;
  readonly sessionId: string;
  readonly via: string;
  readonly id: string;
  readonly event: FlowEvent;
  readonly atMs: number;
};

/** A session at the end, and everything that had happened in it. */
export type Audit = {
  readonly session: Session;
  readonly userId: string;
  readonly events: readonly FlowEvent[];
};

export type FlowHistory = {
  /** Requests of one user to one session in any 60 s, as configured. */
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
  /** Begins a mark and answers what ends it. */
  readonly mark: (kind: MarkKind, part?: string) => () => void;
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
    mark(kind, part) {
      const fromMs = clock.monotonic();
      const mark = { kind, fromMs, toMs: Number.POSITIVE_INFINITY, ...(part === undefined ? {} : { part }) };
      marks.push(mark);
      return () => {
        mark.toMs = clock.monotonic();
      };
    },
  };
}
