/**
 * The metrics of this process by name. Instruments are created when the process is composed, and read when the metrics
 * are requested.
 */

import { Counter, Histogram } from './instruments.ts';
import type { FamilySnapshot, MetricKind, MetricsSnapshot, Series } from './snapshot.ts';

export type MetricDescription<Kind extends MetricKind = MetricKind> = {
  /** Named as Prometheus advises: the unit at the end, and `_total` after it for counters. */
  readonly name: string;
  readonly kind: Kind;
  /** One sentence without line breaks. */
  readonly help: string;
  /** Names of labels. Their values come from closed sets only: never a user, a key, a URL or a text of a caller. */
  readonly labels: readonly string[];
  /** For a histogram: the upper bounds of its buckets. */
  readonly bounds?: readonly number[];
};

/** The instruments of one metric, one for each combination of label values. */
export type Family<Instrument> = {
  /**
   * The instrument with these values, in the order of the metric's labels. It is exposed from then on, even if it stays
   * at 0.
   */
  readonly with: (...labelValues: readonly string[]) => Instrument;
};

export type GaugeFamily = {
  /**
   * `read` is called whenever the metrics are read; while it returns undefined, the series is absent. For the same
   * values, the latest one replaces earlier ones: a duplicate series would make a reader refuse all metrics. The
   * returned function removes it.
   */
  readonly add: (labelValues: readonly string[], read: () => number | undefined) => () => void;
};

export type FamilyOf<Kind extends MetricKind> = Kind extends 'gauge'
  ? GaugeFamily
  : Family<Kind extends 'counter' ? Counter : Histogram>;

export type FamiliesOf<Catalog extends Readonly<Record<string, MetricDescription>>> = {
  readonly [Name in keyof Catalog]: FamilyOf<Catalog[Name]['kind']>;
};

export class Registry {
  readonly #families: (() => FamilySnapshot)[] = [];

  /** The families of all metrics of a catalog, by their names in it. */
  families<const Catalog extends Readonly<Record<string, MetricDescription>>>(catalog: Catalog): FamiliesOf<Catalog> {
    const made = Object.entries(catalog).map(([name, description]) => {
      const { kind } = description;
      if (kind === 'gauge') return [name, this.gauge({ ...description, kind })];
      return [
        name,
        kind === 'counter' ? this.counter({ ...description, kind }) : this.histogram({ ...description, kind }),
      ];
    });
    return Object.fromEntries(made) as FamiliesOf<Catalog>;
  }

  counter(description: MetricDescription<'counter'>): Family<Counter> {
    return this.#family(
      description,
      () => new Counter(),
      ({ value }) => [value],
    );
  }

  histogram(description: MetricDescription<'histogram'>): Family<Histogram> {
    return this.#family(
      description,
      () => new Histogram(description.bounds ?? []),
      ({ counts, sum }) => [...counts, sum],
    );
  }

  gauge(description: MetricDescription<'gauge'>): GaugeFamily {
    const readers = new Map<
      string,
      { readonly labelValues: readonly string[]; readonly read: () => number | undefined }
    >();
    this.#add(description, () =>
      [...readers.values()].flatMap(({ labelValues, read }) => {
        const value = read();
        return value === undefined ? [] : [{ labelValues, numbers: [value] }];
      }),
    );
    return {
      add(labelValues, read) {
        const key = JSON.stringify(labelValues);
        const reader = { labelValues, read };
        readers.set(key, reader);
        return () => {
          if (readers.get(key) === reader) readers.delete(key);
        };
      },
    };
  }

  snapshot(): MetricsSnapshot {
    return this.#families.map((read) => read());
  }

  #family<Instrument>(
    description: MetricDescription,
    make: () => Instrument,
    numbersOf: (instrument: Instrument) => readonly number[],
  ): Family<Instrument> {
    const made = new Map<string, { readonly labelValues: readonly string[]; readonly instrument: Instrument }>();
    this.#add(description, () =>
      [...made.values()].map(({ labelValues, instrument }) => ({ labelValues, numbers: numbersOf(instrument) })),
    );
    return {
      with(...labelValues) {
        const key = JSON.stringify(labelValues);
        const known = made.get(key);
        if (known !== undefined) return known.instrument;
        const instrument = make();
        made.set(key, { labelValues, instrument });
        return instrument;
      },
    };
  }

  #add({ name, kind, help, labels, bounds = [] }: MetricDescription, series: () => readonly Series[]): void {
    this.#families.push(() => ({ name, kind, help, labels, bounds, series: series() }));
  }
}
