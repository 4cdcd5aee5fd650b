/** A share of the walk of `run.ts` on the real local rollup: the gateway's view equals viem's (docs/decisions/0112). */

import { expect, test } from 'bun:test';
import { runOnRollup } from './rollup-run.ts';

const seed = 5;
const maxMs = 120_000;

test(
  "in every comparison hashes and statuses of deposits and withdrawals equal those of viem's op-stack actions (contract/bridge)",
  async () => {
    const figures = await runOnRollup({ seed, steps: 24, lookEvery: 8 });
    expect({ seed, disagreements: figures.disagreements }).toEqual({ seed, disagreements: [] });
    expect(figures.looks).toBeGreaterThan(2);
  },
  maxMs,
);
