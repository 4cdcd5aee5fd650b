/**
 * The history of a cluster run, on one monotonic clock: every request as its client saw it, and every injected fault.
 */

import type { Clock } from '@flowgate/base/clock';

export type Operation = 'call' | 'identify' | 'mint' | 'list' | 'revoke';

/**
 * `unreachable`: no connection. `broken`: the connection ended before the response. `hung`: no response within the
 * client's timeout.
 */
export type Outcome = 'answered' | 'unreachable' | 'broken' | 'hung';

export type RateLimits = { readonly limit: number; readonly remaining: number; readonly resetSeconds: number };

/** The error in a body, by its form; `foreign` is anything that the gateway's documents do not describe. */
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
  /** The destination of the request. */
  readonly via: string;
  /** The gateway that answered; unknown without a response, and `undefined` when the balancer answered. */
  readonly servedBy?: string;
  /** The key that was used, created or revoked. */
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
 * What did not work, from just before the fault was injected until the whole cluster worked again.
 * `counters-unavailable`: not every gateway decides by the shared counters. `counters-emptied`: the instant at which
 * the shared counters lost their data.
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
  readonly service?: string;
  readonly fromMs: number;
  /** Infinity until the mark ends. */
  toMs: number;
};

/** The guarantees that the run is checked against. */
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
  /** Instants at which the whole cluster worked: requests that were pending before have ended. */
  readonly heals: readonly number[];
  /**
   * Entries that ended later explain others but are not checked themselves, because a request that is still in progress
   * may explain them. Absent for a complete history.
   */
  readonly evaluatedUntilMs?: number;
};

export type Recorder = History & {
  readonly add: (entry: Entry) => void;
  /** Begins a mark and returns the function that ends it. */
  readonly mark: (kind: MarkKind, service?: string) => () => void;
  /** Records an instant: a mark that begins and ends now. */
  readonly note: (kind: MarkKind, service?: string) => void;
  readonly healed: () => void;
};

export function createRecorder(promised: Promised, clock: Pick<Clock, 'monotonic'>): Recorder {
  const entries: Entry[] = [];
  const marks: Mark[] = [];
  const heals: number[] = [];
  const begin = (kind: MarkKind, service: string | undefined, toMs: number): Mark => {
    const mark = { kind, fromMs: clock.monotonic(), toMs, ...(service === undefined ? {} : { service }) };
    marks.push(mark);
    return mark;
  };
  return {
    promised,
    entries,
    marks,
    heals,
    add: (entry) => entries.push(entry),
    mark(kind, service) {
      const mark = begin(kind, service, Number.POSITIVE_INFINITY);
      return () => {
        mark.toMs = clock.monotonic();
      };
    },
    note(kind, service) {
      const mark = begin(kind, service, 0);
      mark.toMs = mark.fromMs;
    },
    healed: () => heals.push(clock.monotonic()),
  };
}

/**
 * The part of a history that can be checked when the oldest request in progress was sent at `ms`. The effects of that
 * request may show in later answers, so these are not checked. Earlier requests have ended and remain: their effects
 * may show in earlier answers.
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
  service?: string,
): boolean {
  return marks.some(
    (mark) =>
      kinds.includes(mark.kind) &&
      (service === undefined || mark.service === undefined || mark.service === service) &&
      mark.fromMs <= toMs &&
      mark.toMs >= fromMs,
  );
}

/**
 * Whether the gateway had authenticated the user: rate-limit headers are on every response after authentication, and on
 * no other (contract/limits).
 */
export function identified(entry: Entry): boolean {
  return entry.limits !== undefined;
}

export function admitted(entry: Entry): boolean {
  return identified(entry) && entry.status !== 429;
}
