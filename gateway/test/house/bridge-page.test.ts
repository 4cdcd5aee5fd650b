/** The pictures of docs/contract/bridge.md have the statuses of the code, and its table their blockers. */

import { expect, test } from 'bun:test';
import { depositStatuses } from '../../src/bridge/deposits/deposit.ts';
import { blockersOf, withdrawalStatuses } from '../../src/bridge/withdrawals/withdrawal.ts';
import { expectPart, page, table } from './document-part.ts';

/** The arrows of each picture, as pairs. */
async function pictures(): Promise<readonly (readonly (readonly [string, string])[])[]> {
  const text = await page('contract/bridge.md');
  return [...text.matchAll(/```mermaid\nstateDiagram-v2\n([\s\S]*?)```/g)].map(([, lines = '']) =>
    [...lines.matchAll(/^ {2}(\S+) --> (\S+): \S/gm)].map(([, from = '', to = '']) => [from, to] as const),
  );
}

test('each picture has every status of the code and no other, and each can be reached', async () => {
  const [ofDeposits = [], ofWithdrawals = [], ...more] = await pictures();
  expect(more).toEqual([]);
  for (const [arrows, statuses] of [
    [ofDeposits, depositStatuses],
    [ofWithdrawals, withdrawalStatuses],
  ] as const) {
    const named = new Set(arrows.flat());
    named.delete('[*]');
    expect([...named].toSorted()).toEqual([...statuses].toSorted());
    const reached = new Set(['[*]']);
    // As many rounds as there are arrows are enough for the longest way.
    for (const _ of arrows) for (const [from, to] of arrows) if (reached.has(from)) reached.add(to);
    expect(statuses.filter((status) => !reached.has(status))).toEqual([]);
    expect(new Set(arrows.map(String)).size).toBe(arrows.length);
  }
});

test('the table names the blockers of each status', async () => {
  const rows = withdrawalStatuses.map((status) => [
    `\`${status}\``,
    blockersOf(status, false)
      .map((blocker) => `\`${blocker}\``)
      .join(', ') || '–',
  ]);
  await expectPart('contract/bridge.md', 'withdrawal-blockers', table(['status', 'blockers'], rows));
});
