/** The client's wallets and stakes with a gateway and a real chain (contract/stakes). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { clientsOf, devAccount } from '@flowgate/devkit/dev-token';
import type { Hex } from 'viem';
import { devStaking, startWalletGateway, type WalletGateway } from '../../apps/gateway/test/fixtures/wallet-chain.ts';
import { createFlowgate } from '../../client/src/create-flowgate.ts';
import { refusalOf } from '../../client/test/refusal-of.ts';

let running: WalletGateway;
const broken = { contractId: 'broken', address: `0x${'1'.repeat(40)}` };
beforeAll(async () => {
  running = await startWalletGateway({ staking: [devStaking, broken] });
});
afterAll(() => running.stop());

const hex = (text: string): Hex => `0x${text.slice(2)}`;

test('a stake is prepared, sent by its wallet, listed, found, and exited (contract/stakes)', async () => {
  const { url, token } = running.gateway;
  const { wallets, stakes } = createFlowgate({ url: url, token: token('staker') });
  const account = devAccount(6);
  const { message } = await wallets.challenge({ address: account.address });
  await wallets.link({ message, signature: await account.signMessage({ message }) });
  expect(await stakes.page()).toEqual({
    data: [],
    unreadable: [{ contractId: 'broken', dlt: 'ethereum', networkId: 'dev', wallets: [account.address] }],
  });

  const place = { contractId: 'dev-staking', dlt: 'ethereum', networkId: 'dev', wallet: account.address };
  const { reader, writer } = await clientsOf(running.chain.url, 6);
  const act = async (input: { action: 'stake' | 'exit'; amount?: string }) => {
    const { transactions } = await stakes.prepare({ ...place, ...input });
    for (const { to, data, gas, description } of transactions) {
      expect(description).not.toBe('');
      const call = { to: hex(to), data: hex(data), gas: BigInt(gas), account, chain: writer.chain };
      await reader.waitForTransactionReceipt({ hash: await writer.sendTransaction(call) });
    }
    return transactions.length;
  };
  expect(await act({ action: 'stake', amount: '1000' })).toBe(2);
  const [stake, ...more] = await Array.fromAsync(stakes.list({ limit: 1 }));
  expect(more).toEqual([]);
  expect(stake).toMatchObject({ ...place, staked: '1000', stakingToken: { symbol: 'DEVS', decimals: 18 } });
  const stakeId = stake?.stakeId ?? '';
  expect(await stakes.get(stakeId)).toMatchObject({ stakeId, staked: '1000' });
  expect(await refusalOf(stakes.prepare({ ...place, action: 'unstake', amount: '1001' }))).toMatchObject({
    status: 400,
    message: 'amount is more than the wallet has staked: 1000',
  });
  expect(await act({ action: 'exit' })).toBe(1);
  expect(await refusalOf(stakes.get(stakeId))).toMatchObject({ status: 404 });
});
