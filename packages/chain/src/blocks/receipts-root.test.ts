/** Roots of receipts, compared with the roots in headers of real chains. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { runAtOnce } from '@flowgate/async/time-slices';
import { type LocalRollup, startLocalRollup } from '@flowgate/devkit/rollup/local-rollup';
import type { Hex } from 'viem';
import { rollupControl } from '../../../../devkit/test/rollup-clients.ts';
import { membersOf } from './json-rpc-values.ts';
import { orderedTrieRoot } from './ordered-trie-root.ts';
import { receiptsRoot } from './receipts-root.ts';

let rollup: LocalRollup;
beforeAll(async () => {
  rollup = await startLocalRollup({ isAutomatic: false });
});
afterAll(() => rollup?.stop());

async function ask(side: 'l1' | 'l2', method: string, params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(rollup.bridge[side].url, { method: 'POST', headers, body });
  return membersOf(await answer.json())['result'];
}

for (const side of ['l1', 'l2'] as const)
  test(`every block of ${side}: its receipts have the root of its header; without one log they have another root`, async () => {
    await rollupControl(rollup.bridge.controlUrl)('/propose');
    const head = Number(await ask(side, 'eth_blockNumber', []));
    let withLogs = 0;
    const types = new Set<unknown>();
    for (let number = 0; number <= head; number++) {
      const block = `0x${number.toString(16)}`;
      const receipts = await ask(side, 'eth_getBlockReceipts', [block]);
      const root = membersOf(await ask(side, 'eth_getBlockByNumber', [block, false]))['receiptsRoot'];
      if (!Array.isArray(receipts)) throw new Error('no receipts');
      expect([number, runAtOnce(receiptsRoot(receipts))]).toEqual([number, root as Hex]);
      for (const receipt of receipts) types.add(membersOf(receipt)['type']);
      const at = receipts.findIndex((receipt) => (membersOf(receipt)['logs'] as unknown[]).length > 0);
      if (at < 0) continue;
      withLogs++;
      const logs = (membersOf(receipts[at])['logs'] as unknown[]).slice(1);
      expect(runAtOnce(receiptsRoot(receipts.with(at, { ...membersOf(receipts[at]), logs })))).not.toBe(root as Hex);
    }
    expect(withLogs).toBeGreaterThan(0);
    expect(types.size).toBeGreaterThan(0);
  });

test('a block with so many transactions that their indexes take one, two and three bytes', async () => {
  const [from] = (await ask('l1', 'eth_accounts', [])) as readonly string[];
  await ask('l1', 'evm_setAutomine', [false]);
  const count = 260;
  const first = Number(await ask('l1', 'eth_getTransactionCount', [from, 'latest']));
  const send = (nth: number) => {
    const nonce = `0x${(first + nth).toString(16)}`;
    return ask('l1', 'eth_sendTransaction', [{ from, to: from, gas: '0x5208', nonce }]);
  };
  await Promise.all(Array.from({ length: count }, (_, nth) => send(nth)));
  await ask('l1', 'evm_mine', []);
  await ask('l1', 'evm_setAutomine', [true]);
  const block = await ask('l1', 'eth_blockNumber', []);
  const receipts = await ask('l1', 'eth_getBlockReceipts', [block]);
  const { receiptsRoot: root } = membersOf(await ask('l1', 'eth_getBlockByNumber', [block, false]));
  if (!Array.isArray(receipts)) throw new Error('no receipts');
  expect([receipts.length, runAtOnce(receiptsRoot(receipts))]).toEqual([count, root as Hex]);
});

test('lists of every length have the right root: empty, one entry, and beyond indexes of one and two bytes', () => {
  // The root of the empty list, as in each block without transactions.
  expect(runAtOnce(orderedTrieRoot([]))).toBe('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421');
  const roots = [1, 2, 3, 17, 127, 128, 129, 255, 256, 257, 1_000].map((count) =>
    runAtOnce(
      orderedTrieRoot(
        Array.from({ length: count }, (_, at) => Buffer.from((at + 1).toString(16).padStart(8, '0'), 'hex')),
      ),
    ),
  );
  expect(new Set(roots).size).toBe(roots.length);
});

test('a long log is hashed in steps of 8 KiB: anyone can emit one, and no other caller waits for it', () => {
  const hash = `0x${'00'.repeat(32)}`;
  const place = { blockNumber: '0x1', blockHash: hash, transactionHash: hash, logIndex: '0x0' };
  const stepsFor = (bytes: number): number => {
    const log = { ...place, address: `0x${'00'.repeat(20)}`, topics: [], data: `0x${'ab'.repeat(bytes)}` };
    const bloom = `0x${'00'.repeat(256)}`;
    const receipt = { type: '0x2', status: '0x1', cumulativeGasUsed: '0x1', logsBloom: bloom, logs: [log] };
    const steps = receiptsRoot([receipt]);
    let count = 0;
    while (steps.next().done !== true) count += 1;
    return count;
  };
  const [short, long] = [stepsFor(8_192), stepsFor(200 * 8_192)];
  expect(long - short).toBe(199);
});

test('a value that is no receipt has no root', () => {
  for (const receipt of [
    null,
    {},
    { type: '0x80', status: '0x1', cumulativeGasUsed: '0x1', logsBloom: '0x', logs: [] },
  ])
    expect(runAtOnce(receiptsRoot([receipt]))).toBeUndefined();
});
