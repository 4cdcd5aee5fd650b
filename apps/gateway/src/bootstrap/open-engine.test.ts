/**
 * Guarantees to callers, for any behavior of nodes: many runs of a simulator through the whole engine (contract/heads, contract/logs,
 * contract/nodes#what-shared-nodes-are-asked).
 */

import { expect, test } from 'bun:test';
import { testRounds } from '@flowgate/testing/test-rounds';
import { simulate } from '../../test/fixtures/simulated-run.ts';

/** A run that failed is repeated by `ENGINE_SEED=<its seed> ENGINE_RUNS=1`. */
const runs = testRounds({ short: 30, long: 120, variable: 'ENGINE_RUNS' });
const firstSeed = Number(process.env['ENGINE_SEED'] ?? 1);
const seeds = Array.from({ length: runs }, (_, nth) => firstSeed + nth);
const timeLimitMs = Math.max(60_000, runs * 1_000);

test(
  `callers of ${runs} simulated gateways get the guaranteed answers`,
  async () => {
    let answered = 0;
    for (const seed of seeds) {
      const run = await simulate({ seed });
      answered += run.answered;
      expect({ seed, broken: run.violations.slice(0, 3) }).toEqual({ seed, broken: [] });
    }
    expect(answered).toBeGreaterThan(100 * runs);
  },
  timeLimitMs,
);

test(
  'while the operator’s nodes answer, however far apart they are, callers get the same with and without lying shared nodes',
  async () => {
    for (const seed of seeds.slice(0, Math.ceil(runs / 6))) {
      const [alone, withShared] = [
        await simulate({ seed, isCalm: true, hasShared: false }),
        await simulate({ seed, isCalm: true }),
      ];
      expect(withShared.askedShared).toBe(0);
      expect({ seed, transcript: withShared.transcript }).toEqual({ seed, transcript: alone.transcript });
    }
  },
  timeLimitMs,
);
