/** What callers may rely on, whatever nodes do: many runs of a simulator through the whole engine (contract/heads, contract/logs, contract/nodes#sharing). */

import { expect, test } from 'bun:test';
import type { Property } from '../../test/fixtures/simulated-calls.ts';
import { simulate } from '../../test/fixtures/simulated-run.ts';

/** A run that failed is repeated by `ENGINE_SEED=<its seed> ENGINE_RUNS=1`. */
const runs = Number(process.env['ENGINE_RUNS'] ?? 100);
const firstSeed = Number(process.env['ENGINE_SEED'] ?? 1);
const checked: readonly Property[] = (process.env['ENGINE_PROPERTIES']?.split(',') as Property[] | undefined) ?? [
  'bytes',
];

test(
  `callers of ${runs} simulated gateways get what they may rely on`,
  async () => {
    let answered = 0;
    for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
      const run = await simulate({ seed });
      answered += run.answered;
      const broken = run.violations.filter(({ property }) => checked.includes(property));
      expect({ seed, broken: broken.slice(0, 3) }).toEqual({ seed, broken: [] });
    }
    expect(answered).toBeGreaterThan(100 * runs);
  },
  Math.max(60_000, runs * 1_000),
);
