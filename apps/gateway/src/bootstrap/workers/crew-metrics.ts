/** Joins the metrics of several processes: counters never decrease, also when processes end. */

import { combine, labeledGauges, type MetricsSnapshot, sumOf } from '@flowgate/telemetry/metrics/snapshot';

type Counting = { readonly metrics: () => Promise<MetricsSnapshot | undefined> };

export class CrewMetrics {
  /** The last report of each running process. */
  readonly #last = new Map<Counting, MetricsSnapshot>();
  /** The last reports of ended processes, added up. */
  #past: MetricsSnapshot = [];

  begin(process: Counting): void {
    this.#last.set(process, []);
  }

  /** The last report of a process before its end. */
  reported(process: Counting, metrics: MetricsSnapshot): void {
    if (this.#last.has(process)) this.#last.set(process, metrics);
  }

  end(process: Counting): void {
    this.#past = sumOf([this.#past, this.#last.get(process) ?? []]);
    this.#last.delete(process);
  }

  /**
   * `own`: the metrics of this process. `shown`: the processes whose gauges are exposed, each with the value of its label `worker`. One that does not answer
   * counts with its last report.
   */
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
