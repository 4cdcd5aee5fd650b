/** What one statement reads of a user who has accumulated series. */

import { expect, test } from 'bun:test';
import type { Statement } from '@flowgate/sql/engine/database';
import { readUsage } from './sql-usage-sums.ts';

const question = { bucket: 'minute', by: 'total', fromMs: 0, toMs: 3_600_000, userId: 'mallory' } as const;

async function asked(series: number) {
  const statements: Statement[] = [];
  const query = async (statement: Statement) => {
    statements.push(statement);
    return statements.length === 1 ? [{ series }] : [];
  };
  const { kind } = await readUsage(query, question, { sums: 1_000, points: 50_000 });
  return { kind, parts: statements.slice(1) };
}

test('few series are read at once, many in parts of two thousand, and too many are refused', async () => {
  expect((await asked(0)).parts).toHaveLength(1);
  expect((await asked(2_000)).parts).toHaveLength(1);
  expect((await asked(20_000)).parts).toHaveLength(10);
  expect(await asked(100_001)).toEqual({ kind: 'too-many-points', parts: [] });
});

test('a part names its series, so that the index is used', async () => {
  const { parts } = await asked(20_000);
  for (const { text } of parts) expect(text).toMatch(/s\.series_id (?:>=|<) \?/);
});
