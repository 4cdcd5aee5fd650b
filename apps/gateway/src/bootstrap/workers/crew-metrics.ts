/** The metrics of several processes as those of one: counters never go down, whoever of them ends. */

import { combine, labeledGauges, type MetricsSnapshot, sumOf } from '@flowgate/telemetry/metrics/snapshot';

type Counting = { readonly metrics: () => Promise<MetricsSnapshot | undefined> };

export class CrewMetrics {
  /** What each living process told last. */
  readonly #last = new Map<Counting, MetricsSnapshot>();
  /** What those told last that are over. */
  #past: MetricsSnapshot = [];

  begin(process: Counting): void {
    this.#last.set(process, []);
  }

  /** What it told shortly before its end. */
  reported(process: Counting, metrics: MetricsSnapshot): void {
    if (this.#last.has(process)) this.#last.set(process, metrics);
  }

  end(process: Counting): void {
    this.#past = sumOf([this.#past, this.#last.get(process) ?? []]);
    this.#last.delete(process);
  }

  /** `own`: those of the asking process. `shown`: the processes whose gauges are exposed, each with the value of its label `worker`. One that does not answer counts as it did before. */
  async collect(own: MetricsSnapshot, shown: readonly (readonly [Counting, string])[]): Promise<MetricsSnapshot> {
    await Promise.all(
      [...this.#last.keys()].map(async (process) => {
        const metrics = await process.metrics();
        if (metrics !== undefined) this.reported(process, metrics);
      }),
    );
    const counted = sumOf([own, this.#past, ...this.#last.values()]);
    const gauges = shown.map(([process, worker]) => labeledGauges(this.#last.get(process) ?? [], 'worker', worker));
    return combine([counted, labeledGauges(own, 'worker', 'supervisor'), ...gauges]);
  }
}
