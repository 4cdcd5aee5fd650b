/** Computes medians and ratios from the rounds' raw figures. */
import { type Spread, spread } from '@flowgate/devkit/load/percentiles';

/** One contestant in one scenario in one round. */
export type Sample = {
  readonly round: number;
  readonly scenario: string;
  readonly contestant: string;
  readonly calls: number;
  /** CPU time of the server's process in microseconds; undefined if the system does not report it. */
  readonly cpuUs: number | undefined;
  readonly p50Us: number;
  readonly p99Us: number;
};

export type Row = {
  readonly scenario: string;
  readonly contestant: string;
  readonly calls: number;
  readonly cpuUs: Spread | undefined;
  /** The ratio to the baseline in the same scenario. */
  readonly toSame: Spread | undefined;
  /** The ratio to the baseline's own proxied call. */
  readonly toProxied: Spread | undefined;
  readonly p50Us: Spread;
  readonly p99Us: Spread;
};

export type Baseline = { readonly contestant: string; readonly proxied: string };

/** One row for each scenario and contestant, in the order of the samples. Ratios are taken within a round, then the median over rounds. */
export function compare(samples: readonly Sample[], baseline: Baseline): readonly Row[] {
  const groups = Map.groupBy(samples, ({ scenario, contestant }) => `${scenario}\n${contestant}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [rowOf(first, group, samples, baseline)];
  });
}

function rowOf(first: Sample, group: readonly Sample[], samples: readonly Sample[], baseline: Baseline): Row {
  const { scenario, contestant } = first;
  const ratiosTo = (other: string): Spread | undefined =>
    spreadOf(
      group.map((sample) => {
        const match = samples.find(
          (s) => s.round === sample.round && s.scenario === other && s.contestant === baseline.contestant,
        );
        return ratio(sample.cpuUs, match?.cpuUs);
      }),
    );
  return {
    scenario,
    contestant,
    calls: group.reduce((sum, { calls }) => sum + calls, 0),
    cpuUs: spreadOf(group.map(({ cpuUs }) => cpuUs)),
    toSame: ratiosTo(scenario),
    toProxied: ratiosTo(baseline.proxied),
    p50Us: spread(group.map(({ p50Us }) => p50Us)),
    p99Us: spread(group.map(({ p99Us }) => p99Us)),
  };
}

function ratio(value: number | undefined, base: number | undefined): number | undefined {
  return value === undefined || base === undefined || base === 0 ? undefined : value / base;
}

function spreadOf(values: readonly (number | undefined)[]): Spread | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : spread(known);
}

/** The items in order in even rounds and in reverse in odd ones, so that drift of the machine favors none. */
export function interleaved<T>(items: readonly T[], round: number): readonly T[] {
  return round % 2 === 0 ? items : items.toReversed();
}
