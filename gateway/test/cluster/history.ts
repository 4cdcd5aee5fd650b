/** What happened in a cluster run: every request as its client saw it, and every fault that the test injected, on one monotonic clock. */

import type { Clock } from '../../src/platform/clock.ts';

export type Operation = 'call' | 'identify' | 'mint' | 'list' | 'revoke';

/** `unreachable`: no connection. `broken`: it ended before an answer. `hung`: no answer within the client's patience. */
export type Outcome = 'answered' | 'unreachable' | 'broken' | 'hung';

export type RateLimits = { readonly limit: number; readonly remaining: number; readonly resetSeconds: number };

/** A body that is no success, by its envelope; `foreign` is anything that the gateway's documents do not know. */
export type ErrorBody =
  | { readonly envelope: 'rpc'; readonly code: number; readonly message: string }
  | { readonly envelope: 'standard'; readonly status: number; readonly label: string }
  | { readonly envelope: 'foreign'; readonly text: string };

export type ListedKey = { readonly keyId: string; readonly revokedAt?: string };

/** One request. Its effect, if any, came about somewhere between `startMs` and `endMs` (monotonic). */
export type Entry = {
  readonly operation: Operation;
  readonly startMs: number;
  readonly endMs: number;
  /** Wall clock at the end: what `X-RateLimit-Reset` is compared with. */
  readonly endWallMs: number;
  readonly userId: string;
  /** Requests that it counts as. */
  readonly cost: number;
  /** Whom the client spoke to. */
  readonly via: string;
  /** The gateway that answered; unknown when nothing was answered, `undefined` too when the balancer answered by itself. */
  readonly servedBy?: string;
  /** The key that was presented, minted or revoked. */
  readonly keyId?: string;
  readonly outcome: Outcome;
  readonly status?: number;
  readonly limits?: RateLimits;
  /** The texts of rate-limit headers that are missing or no whole numbers. */
  readonly malformedLimits?: string;
  readonly retryAfter?: string;
  readonly hasRequestId?: boolean;
  readonly error?: ErrorBody;
  readonly listed?: readonly ListedKey[];
  readonly phase: string;
};

/**
 * What was out of order, from the moment before it was injected until the cluster was seen whole again.
 * `counters-unavailable`: not every node decides by the shared counters. `counters-emptied`: an instant at which they forgot.
 */
export type MarkKind =
  | 'gateway-down'
  | 'gateway-paused'
  | 'gateway-slow'
  | 'counters-unavailable'
  | 'counters-emptied'
  | 'database-unavailable'
  | 'balancer-unavailable';

export type Mark = {
  readonly kind: MarkKind;
  /** The gateway concerned. */
  readonly part?: string;
  readonly fromMs: number;
  /** Infinity while it lasts. */
  toMs: number;
};

/** The promises that the run is held against. */
export type Promised = {
  readonly userPerMinute: number;
  readonly activeKeys: number;
  readonly gateways: readonly string[];
  /** Milliseconds within which every request has its answer. */
  readonly answerWithinMs: number;
};

export type History = {
  readonly promised: Promised;
  readonly entries: readonly Entry[];
  readonly marks: readonly Mark[];
  /** Instants at which the whole cluster was seen serving: what was pending before has ended. */
  readonly heals: readonly number[];
  /** What ended later explains other entries and is not itself judged: something that is not in this history may explain it. Absent for a history that is whole. */
  readonly judgedUntilMs?: number;
};

export type Recorder = History & {
  readonly add: (entry: Entry) => void;
  /** Begins a mark and answers what ends it. */
  readonly mark: (kind: MarkKind, part?: string) => () => void;
  /** An instant: begins and ends now. */
  readonly note: (kind: MarkKind, part?: string) => void;
  readonly healed: () => void;
};

export function createRecorder(promised: Promised, clock: Pick<Clock, 'monotonic'>): Recorder {
  const entries: Entry[] = [];
  const marks: Mark[] = [];
  const heals: number[] = [];
  const begin = (kind: MarkKind, part: string | undefined, toMs: number): Mark => {
    const mark = { kind, fromMs: clock.monotonic(), toMs, ...(part === undefined ? {} : { part }) };
    marks.push(mark);
    return mark;
  };
  return {
    promised,
    entries,
    marks,
    heals,
    add: (entry) => entries.push(entry),
    mark(kind, part) {
      const mark = begin(kind, part, Number.POSITIVE_INFINITY);
      return () => {
        mark.toMs = clock.monotonic();
      };
    },
    note(kind, part) {
      const mark = begin(kind, part, 0);
      mark.toMs = mark.fromMs;
    },
    healed: () => heals.push(clock.monotonic()),
  };
}

/**
 * The part of it that can be judged when `ms` is the sending of the oldest request that is still under way: whatever that one did belongs to it, and may show in
 * answers that came later. What was sent before has ended, and stays: it may show in answers that came earlier.
 */
export function settledBy(history: History, ms: number): History {
  return { ...history, entries: history.entries.filter(({ startMs }) => startMs < ms), judgedUntilMs: ms };
}

export function isJudged({ judgedUntilMs }: Pick<History, 'judgedUntilMs'>, { endMs }: Pick<Entry, 'endMs'>): boolean {
  return judgedUntilMs === undefined || endMs < judgedUntilMs;
}

/** Whether a mark of this kind (and this gateway) touches the time between. */
export function marked(
  { marks }: Pick<History, 'marks'>,
  kinds: readonly MarkKind[],
  fromMs: number,
  toMs: number,
  part?: string,
): boolean {
  return marks.some(
    (mark) =>
      kinds.includes(mark.kind) &&
      (part === undefined || mark.part === undefined || mark.part === part) &&
      mark.fromMs <= toMs &&
      mark.toMs >= fromMs,
  );
}

/** Known to the gateway as its user: rate-limit headers stand on every answer given after authentication, and on no other (contract/limits). */
export function identified(entry: Entry): boolean {
  return entry.limits !== undefined;
}

export function admitted(entry: Entry): boolean {
  return identified(entry) && entry.status !== 429;
}
