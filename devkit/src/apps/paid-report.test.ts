/** The report app, driven over its protocol against a real chain; the payment itself is the gateway's. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Address } from 'viem';
import { served, walk } from '../../test/app-driver.ts';
import { type Chain, startChain } from '../chain.ts';
import { deployDevToken, devAccount, fundDevToken } from '../dev-token.ts';
import { paidReport } from './paid-report.ts';

let chain: Chain;
let token: Address;
const payTo = devAccount(7).address;

beforeAll(async () => {
  chain = await startChain();
  token = await deployDevToken({ rpcUrl: chain.url });
  await fundDevToken({ rpcUrl: chain.url, token }, devAccount(0).address, 5_000_000n);
});
afterAll(() => chain.stop());

function app() {
  return served(paidReport({ rpcUrl: chain.url, chainId: 31337, token, payTo }));
}

test('an order asks for its price by x402, and a paid one gets figures of the chain (contract/payments)', async () => {
  const { submit, appData } = await walk(app(), 'order');
  const { step } = await submit('order', { blocks: 50 });
  expect(step.payment).toEqual({
    accepts: [
      {
        ...{ scheme: 'exact', network: 'eip155:31337', asset: token, amount: '500000', payTo, maxTimeoutSeconds: 120 },
        extra: { name: 'Flowgate Dev Dollar', version: '1' },
      },
    ],
  });
  const paymentReceipt = { success: true, transaction: `0x${'1'.repeat(64)}`, network: 'eip155:31337' } as const;
  const sold = await submit('buy', {}, { paymentReceipt });
  // Three blocks: the genesis block, the token's deployment, the minting.
  const figures = { blocks: 3, firstBlock: 0, lastBlock: 2, transactions: 2, tokenSupply: '5000000' };
  expect(sold.step).toMatchObject({ terminal: true, options: figures });
  expect(appData()).toMatchObject({ reports: [{ paidBy: paymentReceipt.transaction, ...figures }] });
});

test('a submission without a payment receipt gets no report', async () => {
  const { submit } = await walk(app(), 'order');
  await submit('order', { blocks: 3 });
  expect((await submit('buy')).errors).toHaveLength(1);
  const fresh = await walk(app(), 'order');
  expect((await fresh.submit('order', { blocks: 51 })).errors).toMatchObject([{ fieldId: 'blocks' }]);
});
