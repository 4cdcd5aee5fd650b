/** A share of the runs of `run.ts`: two gateways on one database follow two chains through crashes, reorganizations and nodes that lie (docs/decisions/0112). */

import { describe, expect, test } from 'bun:test';
import { postgresMissing } from '@flowgate/testing/postgres';
import { testRounds } from '@flowgate/testing/test-rounds';
import type { Engine } from './bridge-gateways.ts';
import { runFaults } from './bridge-run.ts';
import { noDifferences } from './differences.ts';

/** The same history each time; `run.ts` runs others. */
const seed = 5;
const reorganizations = testRounds({ short: 2, long: 4 });
const maxMs = 300_000;

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine: Engine) => {
  test.skipIf(engine === 'postgres' && postgresMissing !== undefined)(
    'no record is duplicated, missing or wrong after crashes, reorganizations and lies of nodes (contract/bridge)',
    async () => {
      const figures = await runFaults({ engine, seed, crashes: 1, reorganizations, lookEvery: 8 });
      expect({ seed, ...figures.differences }).toEqual({ seed, ...noDifferences });
      expect(figures).toMatchObject({ crashes: 1, reorganizations });
      expect(figures.records).toBeGreaterThan(5);
    },
    maxMs,
  );
});
