/** Latencies of a node: for each method a moving average and a histogram, and its calls in flight (contract/routing#strategy). */

import { endOf, stepOf, steps } from './latency-steps.ts';
import { RecentCalls } from './recent-calls.ts';

/** Only listed methods have their own figures, so method names that callers invent use no memory. */
export type MethodClasses = {
  /** The number of the method's class. All methods that are not listed share one class. */
  readonly of: (method: string) => number;
  readonly batch: number;
};

export function createMethodClasses(listed: Iterable<string>): MethodClasses {
  const other = 0;
  const batch = 1;
  const numbers = new Map([...listed].map((method, nth) => [method, nth + 2]));
  return { of: (method) => numbers.get(method) ?? other, batch };
}

/** The weight of the newest latency in the moving average. */
const weight = 0.1;
/** Without a call, the average falls to a third in this time, so that a slow node is tried again. */
const forgetMs = 10_000;
/** A failure counts as at least this latency, so that fast failures do not attract calls. */
const failureMs = 1_000;
/** A call is overdue after this multiple of its expected latency plus `ms`. */
const overdue = { times: 4, ms: 50 };
/** At this number of latencies, all counts are halved, which gives newer ones more weight. */
const maxTimes = 2_048;
/** Minimum number of latencies for the 99th percentile. */
const minTimesForP99 = 100;
/** Minimum number of latencies for any percentile. */
export const minTimes = 20;
/** The 99th percentile is computed again after this many latencies. */
const refreshedAfter = 32;

class MethodTimes {
  averageMs = 0;
  notedAtMs = 0;
  readonly #counts = new Uint16Array(steps);
  #times = 0;
  #p99Ms: number | undefined;
  #sinceP99 = 0;

  /** `step` belongs to `tookMs`. */
  note(tookMs: number, step: number, answered: boolean, nowMs: number): void {
    const ms = answered ? tookMs : Math.max(tookMs, failureMs);
    this.averageMs = this.averageMs === 0 ? ms : this.averageMs + weight * (ms - this.averageMs);
    this.notedAtMs = nowMs;
    // A timeout is no latency of the node, and would extend the time of the next try.
    if (!answered) return;
    this.#counts[step] = (this.#counts[step] ?? 0) + 1;
    this.#times++;
    this.#sinceP99++;
    if (this.#times >= maxTimes) this.#halve();
  }

  expectedMs(nowMs: number): number {
    return this.averageMs * Math.exp(-(nowMs - this.notedAtMs) / forgetMs);
  }

  p99Ms(): number | undefined {
    if (this.#p99Ms !== undefined && this.#sinceP99 < refreshedAfter) return this.#p99Ms;
    this.#sinceP99 = 0;
    this.#p99Ms = this.#times < minTimesForP99 ? undefined : percentileMs([this], 0.99);
    return this.#p99Ms;
  }

  get times(): number {
    return this.#times;
  }

  countAt(step: number): number {
    return this.#counts[step] ?? 0;
  }

  #halve(): void {
    this.#times = 0;
    for (let step = 0; step < steps; step++) {
      const half = (this.#counts[step] ?? 0) >> 1;
      this.#counts[step] = half;
      this.#times += half;
    }
  }
}

/** The upper bound of the step that contains the percentile, over several nodes. Undefined while fewer than `minTimes` latencies are known. */
function percentileMs(of: readonly MethodTimes[], share: number): number | undefined {
  let known = 0;
  for (const { times } of of) known += times;
  if (known < minTimes) return undefined;
  let above = known * (1 - share);
  for (let step = steps - 1; step > 0; step--) {
    for (const times of of) above -= times.countAt(step);
    if (above < 0) return endOf(step);
  }
  return endOf(0);
}

/** Latencies and calls in flight of one node. Memory is bounded by the number of classes. */
export class NodeLoad {
  #inFlight = 0;
  /** When a call in flight is expected to have ended. Each call that ends shows that the node works, and extends it. */
  #dueMs = 0;
  readonly #classes: (MethodTimes | undefined)[] = [];
  /** All methods together, for a method that the node has not answered yet. */
  readonly #all = new MethodTimes();
  /** For display only; routing does not use it. */
  readonly recent = new RecentCalls();

  get inFlight(): number {
    return this.#inFlight;
  }

  begin(methodClass: number, nowMs: number): void {
    if (this.#inFlight === 0) this.#dueMs = this.#overdueAtMs(methodClass, nowMs);
    this.#inFlight++;
  }

  /** `tookMs` is undefined if the outcome says nothing about the node's latency. */
  end(methodClass: number, tookMs: number | undefined, answered: boolean, nowMs: number): void {
    this.#inFlight--;
    this.#dueMs = Math.max(this.#dueMs, this.#overdueAtMs(methodClass, nowMs));
    if (tookMs === undefined) return;
    this.#classes[methodClass] ??= new MethodTimes();
    const step = stepOf(tookMs);
    this.#classes[methodClass].note(tookMs, step, answered, nowMs);
    this.#all.note(tookMs, step, answered, nowMs);
  }

  /** The expected latency of a call, or how long a call in flight is overdue, times the resulting number of calls in flight. A node without any latency costs 0, or infinity while its first call is in flight. */
  cost(methodClass: number, nowMs: number): number {
    const times = this.#timesOf(methodClass);
    if (times.notedAtMs === 0 && times.averageMs === 0) return this.#inFlight === 0 ? 0 : Number.POSITIVE_INFINITY;
    const overdueMs = this.#inFlight === 0 ? 0 : nowMs - this.#dueMs;
    return Math.max(times.expectedMs(nowMs), overdueMs) * (this.#inFlight + 1);
  }

  #timesOf(methodClass: number): MethodTimes {
    return this.#classes[methodClass] ?? this.#all;
  }

  #overdueAtMs(methodClass: number, nowMs: number): number {
    return nowMs + overdue.times * this.#timesOf(methodClass).expectedMs(nowMs) + overdue.ms;
  }

  /** Milliseconds; undefined while too few latencies are known. */
  p99Ms(methodClass: number): number | undefined {
    return this.#classes[methodClass]?.p99Ms();
  }

  /** Any percentile, computed on each call from this node's latencies, or from those of `all` nodes while this node has too few. */
  percentileMs(methodClass: number, share: number, all: Iterable<NodeLoad> = []): number | undefined {
    const own = this.#classes[methodClass];
    const known = own && percentileMs([own], share);
    if (known !== undefined) return known;
    const times: MethodTimes[] = [];
    for (const load of all) {
      const its = load.#classes[methodClass];
      if (its !== undefined) times.push(its);
    }
    return percentileMs(times, share);
  }
}
