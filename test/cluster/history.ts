/** The history of a cluster run, on one monotonic clock: every request as its client saw it, and every fault that the test injected. */

import type { Clock } from '@flowgate/base/clock';

export type Operation = 'call' | 'identify' | 'mint' | 'list' | 'revoke';

/** `unreachable`: no connection. `broken`: it ended before an answer. `hung`: no answer within the client's time-out. */
export type Outcome = 'answered' | 'unreachable' | 'broken' | 'hung';

export type RateLimits = { readonly limit: number; readonly remaining: number; readonly resetSeconds: number };

/** The error in a body, by its envelope; `foreign` is anything that the gateway's documents do not describe. */
export type ErrorBody =
  | { readonly envelope: 'rpc'; readonly code: number; readonly message: string }
  | { readonly envelope: 'standard'; readonly status: number; readonly label: string }
  | { readonly envelope: 'foreign'; readonly text: string };

export type ListedKey = { readonly keyId: string; readonly revokedAt?: string };

/** One request. Its effect, if any, happened between `startMs` and `endMs` (monotonic milliseconds). */
export type Entry = {
  readonly operation: Operation;
  readonly startMs: number;
  readonly endMs: number;
  /** The wall clock at the end, with which `X-RateLimit-Reset` is compared. */
  readonly endWallMs: number;
  readonly userId: string;
  /** The number of requests that it counts as. */
  readonly cost: number;
  /** Where the client sent it. */
  readonly via: string;
  /** The gateway that answered; unknown when there was no answer, and `undefined` when the balancer answered by itself. */
  readonly servedBy?: string;
  /** The key that was used, minted or revoked. */
  readonly keyId?: string;
  readonly outcome: Outcome;
  readonly status?: number;
  readonly limits?: RateLimits;
  /** The texts of rate-limit headers that are missing or not whole numbers. */
  readonly malformedLimits?: string;
  readonly retryAfter?: string;
  readonly hasRequestId?: boolean;
  readonly error?: ErrorBody;
  readonly listed?: readonly ListedKey[];
  readonly phase: string;
};

/**
 * What did not work, from just before the fault was injected until the whole cluster was seen working again.
 * `counters-unavailable`: not every node decides by the shared counters. `counters-emptied`: the instant at which the shared counters lost their data.
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
  /** The gateway that is affected. */
  readonly part?: string;
  readonly fromMs: number;
  /** Infinity until the mark ends. */
  toMs: number;
};

/** The promises that the run is checked against. */
export type Promised = {
  readonly userPerMinute: number;
  readonly activeKeys: number;
  readonly gateways: readonly string[];
  /** Milliseconds within which every request must be answered. */
  readonly answerWithinMs: number;
};

export type History = {
  readonly promised: Promised;
  readonly entries: readonly Entry[];
  readonly marks: readonly Mark[];
  /** Instants at which the whole cluster was seen working: requests that were pending before have ended. */
  readonly heals: readonly number[];
  /** Entries that ended later explain others but are not judged themselves, because a request that is still in progress may explain them. Absent for a complete history. */
  readonly evaluatedUntilMs?: number;
};

export type Recorder = History & {
  readonly add: (entry: Entry) => void;
  /** Begins a mark and returns the function that ends it. */
  readonly mark: (kind: MarkKind, part?: string) => () => void;
  /** Records an instant: a mark that begins and ends now. */
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
 * The part of a history that can be judged when `ms` is the sending time of the oldest request in progress. That request's effects may show in later answers,
 * so these are not judged. Requests that were sent before have ended and stay: their effects may show in earlier answers.
 */
export function settledBy(history: History, ms: number): History {
  return { ...history, entries: history.entries.filter(({ startMs }) => startMs < ms), evaluatedUntilMs: ms };
}

export function isEvaluated(
  { evaluatedUntilMs }: Pick<History, 'evaluatedUntilMs'>,
  { endMs }: Pick<Entry, 'endMs'>,
): boolean {
  return evaluatedUntilMs === undefined || endMs < evaluatedUntilMs;
}

/** Whether a mark of this kind (and of this gateway) overlaps the interval. */
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

/** Whether the gateway knew the user: rate-limit headers are on every answer after authentication, and on no other (contract/limits). */
export function identified(entry: Entry): boolean {
  return entry.limits !== undefined;
}

export function admitted(entry: Entry): boolean {
  return identified(entry) && entry.status !== 429;
}
