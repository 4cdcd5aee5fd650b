/** Somebody who takes part in the comparison, and what it needs to start. */
import type { LoadExpectation } from '@flowgate/devkit/load/load-job';
import type { Population } from './population.ts';
import type { Scenario } from './scenarios.ts';
import type { Workshop } from './workshop.ts';

export type Endpoint = { readonly port: number; readonly pid: number };

export type Contestant = {
  readonly name: ContestantName;
  /** Where callers have room for `generousPerMinute`. */
  readonly main: Endpoint;
  /** Where every user may make one request a minute. */
  readonly limited?: Endpoint;
  /** Whether it does this scenario's job, wholly or as the README says. */
  readonly does: (scenario: Scenario) => boolean;
  /** The scenario's expectation, but for what it cannot do. */
  readonly expects: (scenario: Scenario) => LoadExpectation;
};

export const contestantNames = [
  'flowgate',
  'flowgate-pipelined',
  'flowgate-redis',
  'haproxy',
  'nginx',
  'nginx-lua',
  'bun-fetch',
  'bun-fixed',
  'node',
] as const;
export type ContestantName = (typeof contestantNames)[number];

export type Surroundings = {
  readonly workshop: Workshop;
  readonly population: Population;
  readonly upstreamPort: number;
};

/** Requests a minute that one user of the main endpoints has: enough for the bench, small enough that counters stay as in service. */
export const generousPerMinute = 1_000_000;

/** Either a contestant or why it cannot take part. */
export type Entry = Contestant | { readonly name: ContestantName; readonly absent: string };
