/** Answers for several processes: whether they can serve, and what they have counted. */

import { singleFlight } from '@flowgate/async/single-flight';
import type { MetricsSnapshot } from '@flowgate/telemetry/metrics/snapshot';
import { CrewMetrics } from './crew-metrics.ts';

export type CrewMember = {
  readonly serving: Promise<void>;
  readonly ended: Promise<unknown>;
  /** Undefined when it does not answer in time, or counts nothing. */
  readonly metrics: () => Promise<MetricsSnapshot | undefined>;
  /** False also when it does not answer in time. */
  readonly ready: () => Promise<boolean>;
};

export class Crew {
  readonly #metrics = new CrewMetrics();
  /** The serving process of each place; a place without one is absent. */
  readonly #serving = new Map<number, CrewMember>();

  /** `workers`: the number of places, which count from 1. */
  constructor(private readonly workers: number) {}

  /** A serving process replaces the previous one of its place. */
  add(worker: number, member: CrewMember): void {
    this.#metrics.begin(member);
    void member.serving.then(() => this.#serving.set(worker, member));
    void member.ended.then(() => {
      this.#metrics.end(member);
      if (this.#serving.get(worker) === member) this.#serving.delete(worker);
    });
  }

  reported(member: CrewMember, metrics: MetricsSnapshot): void {
    this.#metrics.reported(member, metrics);
  }

  /** The numbers of the workers that cannot serve now. Concurrent callers share the questions. */
  readonly unready = singleFlight(async (): Promise<readonly number[]> => {
    const places = Array.from({ length: this.workers }, (_, at) => at + 1);
    const are = await Promise.all(places.map((worker) => this.#serving.get(worker)?.ready() ?? false));
    return places.filter((_, at) => are[at] !== true);
  });

  /** `own`: those of this process. */
  collect(own: MetricsSnapshot): Promise<MetricsSnapshot> {
    const shown = [...this.#serving].map(([worker, member]) => [member, String(worker)] as const);
    return this.#metrics.collect(own, shown);
  }
}
