/**
 * The maximum amounts of ether for deposits and withdrawals: nodes accept them with the fees that wallets sign
 * (contract/transfers#deposits-and-withdrawals).
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  type Hex,
  http,
  numberToHex,
  pad,
  parseEther,
} from 'viem';
import { expectStandardError } from '../../apps/gateway/test/fixtures/answers.ts';
import { type ChargingNode, startChargingNode } from '../../apps/gateway/test/fixtures/charging-node.ts';
import {
  type PreparedTransaction,
  type RollupGateway,
  rollupAccount,
  startRollupGateway,
} from '../../apps/gateway/test/fixtures/rollup-gateway.ts';
import { rollupControl } from '../../devkit/test/rollup-clients.ts';

/** The rollup's fee for the data of a transaction on L1. */
const dataFee = parseEther('0.004');
const oracle = '0x420000000000000000000000000000000000000F';

let running: RollupGateway;
let charging: ChargingNode;
beforeAll(async () => {
  running = await startRollupGateway();
  for (const nth of [0, 1]) await running.link('alice', rollupAccount(running.rollup, nth));
  // Blocks are only mined on request, so the base fee stays the same between two calls.
  await rollupControl(running.rollup.bridge.controlUrl)('/pause');
  const { url } = running.rollup.bridge.l2;
  // Returns the fee for call data of two words and more, which is `getL1Fee(bytes)`, and 0 otherwise.
  const bytecode: Hex = `0x6044361060${'2e'}577f${pad(numberToHex(dataFee)).slice(2)}5f5260205ff35b60205ff3`;
  await createTestClient({ mode: 'anvil', transport: http(url) }).setCode({ address: oracle, bytecode });
  charging = startChargingNode(url, dataFee);
});
afterAll(async () => {
  await charging?.stop();
  await running?.stop();
});

const paths = { l1: '/deposits/transactions', l2: '/withdrawals/transactions' } as const;
type Side = keyof typeof paths;

const ask = (side: Side, nth: number, amount: bigint) =>
  running.as('alice', 'POST', paths[side], {
    ...{ bridgeId: 'main', wallet: rollupAccount(running.rollup, nth).address, token: 'native' },
    amount: String(amount),
  });

/** The maximum from the refusal. */
async function greatest(side: Side, nth: number, balance: bigint): Promise<bigint> {
  const refusal = { status: 400, error: 'Bad request', path: paths[side] };
  const message = await expectStandardError(await ask(side, nth, balance), refusal);
  const found = /^amount leaves too little for fees\. At most (\d+) can be sent now; the wallet has (\d+)$/.exec(
    message,
  );
  expect([message, found?.[2]]).toEqual([message, String(balance)]);
  return BigInt(found?.[1] ?? 0);
}

/** viem signs 1.2 times the base fee plus the tip, ethers twice the base fee plus the tip. */
const wallets = [
  ['viem', 12n],
  ['ethers', 20n],
] as const;

for (const [side, nth] of [
  ['l1', 0],
  ['l2', 1],
] as const)
  for (const [name, tenths] of wallets)
    test(`the maximum amount in the message can be sent from ${side} with the fees that ${name} signs`, async () => {
      const account = rollupAccount(running.rollup, nth);
      const url = side === 'l1' ? running.rollup.bridge.l1.url : charging.url;
      const chain = createPublicClient({ transport: http(url), pollingInterval: 20, cacheTime: 0 });
      const balance = await chain.getBalance({ address: account.address });
      const amount = await greatest(side, nth, balance);
      expect((await ask(side, nth, amount + 1n)).status).toBe(400);
      const answer = await ask(side, nth, amount);
      const { transactions } = (await answer.json()) as { transactions: readonly PreparedTransaction[] };
      const [transaction] = transactions;
      if (transaction === undefined) throw new Error('nothing was prepared');
      const { baseFeePerGas } = await chain.getBlock();
      const tip = await chain.estimateMaxPriorityFeePerGas();
      const hash = await createWalletClient({ account, transport: http(url) }).sendTransaction({
        ...{ to: transaction.to, data: transaction.data, value: amount, gas: BigInt(transaction.gas), chain: null },
        ...{ maxFeePerGas: ((baseFeePerGas ?? 0n) * tenths) / 10n + tip, maxPriorityFeePerGas: tip },
      });
      expect((await chain.waitForTransactionReceipt({ hash })).status).toBe('success');
      // The small remainder pays the fees of the next round.
      const left = await chain.getBalance({ address: account.address });
      expect(left).toBeLessThan(parseEther('0.05'));
      await createTestClient({ mode: 'anvil', transport: http(running.rollup.bridge[side].url) }).setBalance({
        ...{ address: account.address, value: parseEther('3') },
      });
    });
