/** What is known of a node's speed: for each method a moving average and a histogram, and how many calls it has now (contract/routing#strategy). */

import { endOf, stepOf, steps } from './latency-steps.ts';
import { RecentCalls } from './recent-calls.ts';

/** Methods that have figures of their own are listed, so that names which callers invent do not make them grow. */
export type MethodClasses = {
  /** The number of the method's class; all that are not listed share one. */
  readonly of: (method: string) => number;
  /** That of batches. */
  readonly batch: number;
};

export function createMethodClasses(listed: Iterable<string>): MethodClasses {
  const other = 0;
  const batch = 1;
  const numbers = new Map([...listed].map((method, nth) => [method, nth + 2]));
  return { of: (method) => numbers.get(method) ?? other, batch };
}

/** The weight of the newest time in the average. */
const weight = 0.1;
/** Without a call the average falls to a third in this time, so that a node that was slow is tried again. */
const forgetMs = 10_000;
/** A failure counts as at least so long, however quickly it came. */
const failureMs = 1_000;
/** A call is late after so many times what it was expected to take, and so many milliseconds more. */
const patience = { times: 4, ms: 50 };
/** At so many times all counts are halved: what is old fades. */
const maxTimes = 2_048;
/** Fewer times say nothing about the 99th percentile. */
const minTimesForP99 = 100;
/** Fewer times say nothing about any percentile. */
export const minTimes = 20;
/** The 99th percentile is looked up again after so many times. */
const refreshedAfter = 32;

class MethodTimes {
  averageMs = 0;
  notedAtMs = 0;
  readonly #counts = new Uint16Array(steps);
  #times = 0;
  #p99Ms: number | undefined;
  #sinceP99 = 0;

  /** `step` is that of `tookMs`. */
  note(tookMs: number, step: number, answered: boolean, nowMs: number): void {
    const ms = answered ? tookMs : Math.max(tookMs, failureMs);
    this.averageMs = this.averageMs === 0 ? ms : this.averageMs + weight * (ms - this.averageMs);
    this.notedAtMs = nowMs;
    // How long a node was waited for in vain says nothing about how long it takes, and would make the next call wait longer.
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

/** Of several nodes together: the upper end of the step that has it. Undefined while fewer than `minTimes` are known. */
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

/** One for each node; bounded by the number of classes. */
export class NodeLoad {
  #inFlight = 0;
  /** When a call that is in progress should have ended; each one that ends shows that the node works, and puts it off. */
  #dueMs = 0;
  readonly #classes: (MethodTimes | undefined)[] = [];
  /** Of all methods together: for one that the node was not asked yet. */
  readonly #all = new MethodTimes();
  /** For people: nothing is decided by it. */
  readonly recent = new RecentCalls();

  get inFlight(): number {
    return this.#inFlight;
  }

  begin(methodClass: number, nowMs: number): void {
    if (this.#inFlight === 0) this.#dueMs = this.#patientUntil(methodClass, nowMs);
    this.#inFlight++;
  }

  /** `tookMs` is undefined when its end says nothing about the node's speed. */
  end(methodClass: number, tookMs: number | undefined, answered: boolean, nowMs: number): void {
    this.#inFlight--;
    this.#dueMs = Math.max(this.#dueMs, this.#patientUntil(methodClass, nowMs));
    if (tookMs === undefined) return;
    this.#classes[methodClass] ??= new MethodTimes();
    const step = stepOf(tookMs);
    this.#classes[methodClass].note(tookMs, step, answered, nowMs);
    this.#all.note(tookMs, step, answered, nowMs);
  }

  /** The expected time of a call, or the time by which one in progress is late, times the calls that it would then have. 0 for a node that no one has asked, so that it is tried; while it has its first call, others go elsewhere. */
  cost(methodClass: number, nowMs: number): number {
    const times = this.#timesOf(methodClass);
    if (times.notedAtMs === 0 && times.averageMs === 0) return this.#inFlight === 0 ? 0 : Number.POSITIVE_INFINITY;
    const lateMs = this.#inFlight === 0 ? 0 : nowMs - this.#dueMs;
    return Math.max(times.expectedMs(nowMs), lateMs) * (this.#inFlight + 1);
  }

  #timesOf(methodClass: number): MethodTimes {
    return this.#classes[methodClass] ?? this.#all;
  }

  #patientUntil(methodClass: number, nowMs: number): number {
    return nowMs + patience.times * this.#timesOf(methodClass).expectedMs(nowMs) + patience.ms;
  }

  /** Milliseconds; undefined while too few times are known. */
  p99Ms(methodClass: number): number | undefined {
    return this.#classes[methodClass]?.p99Ms();
  }

  /** Of any percentile, computed each time: by this node's times, or by those of `all` nodes together while it has too few. */
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
