/** A contestant of the comparison and its start parameters. */
import type { LoadExpectation } from '@flowgate/devkit/load/load-job';
import type { Population } from './population.ts';
import type { Scenario } from './scenarios.ts';
import type { Workshop } from './workshop.ts';

export type Endpoint = { readonly port: number; readonly pid: number };

export type Contestant = {
  readonly name: ContestantName;
  /** The endpoint where callers have a limit of `generousPerMinute`. */
  readonly main: Endpoint;
  /** The endpoint where every user may make one request a minute. */
  readonly limited?: Endpoint;
  /** Whether it can do this scenario's job, completely or as the README says. */
  readonly does: (scenario: Scenario) => boolean;
  /** The expectation of the scenario, without parts that the contestant cannot do. */
  readonly expects: (scenario: Scenario) => LoadExpectation;
};

/** The node, and the port of its WebSocket. */
export type BenchNode = Contestant & { readonly socketPort: number };

export const contestantNames = [
  'flowgate',
  'flowgate-pipelined',
  'flowgate-websocket',
  'flowgate-redis',
  'flowgate-policies-10',
  'flowgate-policies-1000',
  'flowgate-policies-10000',
  'haproxy',
  'nginx',
  'nginx-lua',
  'bun-fetch',
  'bun-fixed',
  'node',
] as const;
export type ContestantName = (typeof contestantNames)[number];

export type Runtime = {
  readonly workshop: Workshop;
  readonly population: Population;
  readonly upstreamPort: number;
};

/**
 * Requests per minute for one user of the main endpoints: enough for the bench, small enough that counters are sized as
 * in production.
 */
export const generousPerMinute = 1_000_000;

/** Flowgate is measured without global policies and with these numbers of them. */
export const policyCounts = [10, 1000, 10000] as const;

/** Either a contestant, or the reason why it cannot take part. */
export type Entry = Contestant | { readonly name: ContestantName; readonly absent: string };
