/** Drives a job's connections: closed loop (the next request after the last answer) or open loop (at the intended times). */

import { AnswerCheck } from './answer-check.ts';
import { fixedRate } from './arrivals.ts';
import { type LoadConnection, openLoadConnection } from './load-connection.ts';
import type { LoadJob, LoadPace, LoadResult } from './load-job.ts';
import { percentile } from './percentiles.ts';
import { FreshDigits, type RenderedRequest, renderRequests } from './render-requests.ts';

type InFlight = { readonly request: RenderedRequest; readonly startedNs: number };

/** The next request for a free connection; undefined when none is due yet or none is left. */
type Next = () => InFlight | undefined;

export class LoadRun {
  readonly #requests: readonly RenderedRequest[];
  readonly #check: AnswerCheck;
  readonly #inFlight = new Map<LoadConnection, InFlight>();
  readonly #idle: LoadConnection[] = [];
  readonly #latenciesNs: number[] = [];
  readonly #digits = new FreshDigits();
  #turn = 0;
  #next: Next = () => undefined;
  #settled: (() => void) | undefined;
  #problem: string | undefined;

  constructor(
    readonly job: LoadJob,
    /** Monotonic nanoseconds. */
    readonly nowNs: () => number,
  ) {
    this.#requests = renderRequests(job.requests);
    this.#check = new AnswerCheck(job.expectation);
  }

  /** Opens each connection and warms up; rejects when an answer is wrong. */
  async prepare(): Promise<void> {
    const opening = Array.from({ length: this.job.connections }, () =>
      openLoadConnection(this.job.requests.port, {
        answered: (connection, answer) => {
          const done = this.#inFlight.get(connection);
          if (done === undefined) return this.#fail('an answer to no request');
          this.#inFlight.delete(connection);
          this.#latenciesNs.push(this.nowNs() - done.startedNs);
          const problem = this.#check.problemWith(answer, done.request);
          if (problem !== undefined) return this.#fail(problem);
          this.#offer(connection);
        },
        failed: (problem) => this.#fail(problem),
      }),
    );
    this.#idle.push(...(await Promise.all(opening)));
    if (this.job.warmUpMs > 0) await this.measure({ kind: 'closed', durationMs: this.job.warmUpMs });
  }

  async measure(pace: LoadPace): Promise<LoadResult> {
    this.#latenciesNs.length = 0;
    const toleratedBefore = this.#check.tolerated;
    const startNs = this.nowNs();
    const lateNs =
      pace.kind === 'open' ? await this.#runOpen(pace.perSecond, pace.durationMs) : await this.#runClosed(pace);
    const durationMs = (this.nowNs() - startNs) / 1e6;
    const problem = this.#problem ?? this.#check.problemInAll();
    if (problem !== undefined) throw new Error(problem);
    return {
      ...summary(this.#latenciesNs),
      durationMs,
      tolerated: this.#check.tolerated - toleratedBefore,
      ...(lateNs && { lateP99Us: percentile(lateNs.sort(), 0.99) / 1000 }),
    };
  }

  close(): void {
    for (const connection of [...this.#idle, ...this.#inFlight.keys()]) connection.close();
  }

  async #runClosed(pace: { kind: 'once' } | { kind: 'closed'; durationMs: number }): Promise<undefined> {
    const endNs = pace.kind === 'closed' ? this.nowNs() + pace.durationMs * 1e6 : Number.POSITIVE_INFINITY;
    let left = pace.kind === 'once' ? this.#requests.length : Number.POSITIVE_INFINITY;
    if (pace.kind === 'once') this.#turn = 0;
    this.#next = () => {
      const startedNs = this.nowNs();
      if (left === 0 || startedNs >= endNs) return undefined;
      left -= 1;
      return { request: this.#turnedRequest(), startedNs };
    };
    for (const connection of this.#idle.splice(0)) this.#offer(connection);
    await this.#drained();
  }

  async #runOpen(perSecond: number, durationMs: number): Promise<Float64Array> {
    const arrivals = fixedRate(perSecond, durationMs);
    const lateNs = new Float64Array(arrivals.total);
    const startNs = this.nowNs();
    let sent = 0;
    this.#next = () => {
      const elapsedNs = this.nowNs() - startNs;
      if (sent >= arrivals.dueBy(elapsedNs)) return undefined;
      const intendedNs = arrivals.intendedNs(sent);
      lateNs[sent] = elapsedNs - intendedNs;
      sent += 1;
      return { request: this.#turnedRequest(), startedNs: startNs + intendedNs };
    };
    // Timers have a resolution of one millisecond, so the wait for the next due time spins the event loop.
    while (sent < arrivals.total && this.#problem === undefined) {
      const free = this.#idle.pop();
      if (free !== undefined && this.#offer(free)) continue;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await this.#drained();
    return lateNs;
  }

  /** Gives a free connection its next request; false when none is due. */
  #offer(connection: LoadConnection): boolean {
    const next = this.#next();
    if (next === undefined) {
      this.#idle.push(connection);
      if (this.#inFlight.size === 0) this.#settled?.();
      return false;
    }
    this.#inFlight.set(connection, next);
    connection.send(next.request.bytes);
    return true;
  }

  #turnedRequest(): RenderedRequest {
    const request = this.#requests[this.#turn % this.#requests.length];
    if (request === undefined) throw new Error('a job without requests');
    this.#turn += 1;
    // A request is reused only after its answer has arrived or its bytes were copied.
    this.#digits.writeTo(request);
    return request;
  }

  /** Resolves when nothing is in flight, or at the first problem. */
  #drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#settled = resolve;
      if (this.#problem !== undefined || this.#inFlight.size === 0) resolve();
    });
  }

  #fail(problem: string): void {
    this.#problem ??= problem;
    this.#settled?.();
  }
}

function summary(latenciesNs: readonly number[]): Omit<LoadResult, 'durationMs' | 'tolerated'> {
  const ascending = Float64Array.from(latenciesNs).sort();
  return {
    answers: ascending.length,
    p50Us: percentile(ascending, 0.5) / 1000,
    p99Us: percentile(ascending, 0.99) / 1000,
    p999Us: percentile(ascending, 0.999) / 1000,
    maxUs: percentile(ascending, 1) / 1000,
  };
}
