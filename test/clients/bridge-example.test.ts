/** The bridge example as a reader would run it: in its own process, with a real gateway and a real rollup. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RollupGateway, startRollupGateway } from '../../apps/gateway/test/fixtures/rollup-gateway.ts';
import { runExample } from './run-example.ts';

let running: RollupGateway;
beforeAll(async () => {
  running = await startRollupGateway({ bridge: { stalledAfterMinutes: 0.04 } });
});
afterAll(() => running?.stop());

/** For each heading the statuses that were read, without consecutive duplicates. */
function looksOf(lines: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  let heading = '';
  for (const line of lines) {
    const [, status] = /^ {2}([a-z_]+)(?:, .*)? \| viem: .+$/.exec(line) ?? [];
    if (line.endsWith(':')) heading = line;
    if (status === undefined) continue;
    const statuses = found.get(heading) ?? [];
    found.set(heading, statuses.at(-1) === status ? statuses : [...statuses, status]);
  }
  return found;
}

test('a wallet deposits, swaps and withdraws through the gateway, which agrees with viem at every read (contract/bridge#statuses)', async () => {
  const { gateway, rollup } = running;
  const file = join(gateway.directory, 'bridge.json');
  writeFileSync(file, JSON.stringify(rollup.bridge));
  const { apiKey } = await gateway.mint('alice');
  const { code, output, errors } = await runExample('bridge.ts', {
    FLOWGATE_URL: gateway.url,
    FLOWGATE_API_KEY: apiKey,
    FLOWGATE_BRIDGE: file,
    FLOWGATE_PAUSE_MS: '200',
  });
  if (code !== 0) console.error(output);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  for (const secret of [apiKey, ...rollup.bridge.accounts.map(({ privateKey }) => privateKey)])
    expect(output).not.toContain(secret);

  const lines = output.trimEnd().split('\n');
  const looks = looksOf(lines);
  // Whether the preceding state is read depends on timing, here and below.
  for (const heading of ['deposit of 1 ether:', 'deposit of 100 tokens:'])
    expect(looks.get(heading)?.at(-1)).toBe('completed');
  expect(looks.get('deposit while the sequencer is paused:')).toEqual([
    ...['pending', 'confirmed', 'relaying', 'completed'],
  ]);
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}relaying, stalled: .+ \| viem: not on L2 yet$/));
  expect(looks.get('withdrawal of ether:')).toEqual([
    ...['awaiting_state_root', 'ready_to_prove', 'in_dispute_window', 'challenged'],
    ...['awaiting_state_root', 'ready_to_prove', 'in_dispute_window'],
  ]);
  for (const heading of ['withdrawal of 0.25 ether:', 'withdrawal of 10 tokens:'])
    expect(looks.get(heading)?.filter((status) => status !== 'in_dispute_window')).toEqual([
      ...['ready_to_finalise', 'finalised'],
    ]);
  expect(lines.filter((line) => line.startsWith('[refused]')).map((line) => /: (\d+) ./.exec(line)?.[1])).toEqual([
    ...['409', '409', '409'],
  ]);
  expect(lines).toContainEqual(expect.stringMatching(/^swap completed: 2 FBT for 0\.000\d+ WETH$/));
  // Each chain has its own clock, and blocks within one second have the same time.
  expect(lines.slice(lines.indexOf('history, newest first:') + 1, -1).toSorted()).toEqual([
    ...['0.000000000000000005 ETH', '1 ETH', '100 FBT'].map((sum) => `  deposit completed on l1: ${sum} → ${sum}`),
    expect.stringMatching(/^ {2}swap completed on l2: 2 FBT → 0\.000\d+ WETH$/),
    ...['0.25 ETH', '10 FBT'].map((sum) => `  withdrawal finalised on l2: ${sum} → ${sum}`),
  ]);
  expect(lines.at(-1)).toMatch(/^the gateway and viem agreed at each of \d+ looks$/);
});
