/** Replays of failed messages in a browser, on the local rollup (contract/transfers#replays). */
import { expect, test } from 'bun:test';
import type { PreparedTransactions } from '@flowgate/client';
import { devErc20Abi } from '@flowgate/devkit/contracts/dev-erc20-code';
import { until } from '@flowgate/testing/until';
import type { Browser } from 'playwright-core';
import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { expectAccessibleEverywhere, expectAccessibleInBoth, openConsole } from './console-browser.ts';
import type { ConsoleInstallation } from './console-installation.ts';
import { linkWallet } from './linked-wallet.ts';
import { rollupOf } from './rollup-of.ts';
import { startsOwnConsole } from './starts-console.ts';
import { addTestWallet } from './test-wallet.ts';

let installation: ConsoleInstallation;
let browser: Browser;
startsOwnConsole(
  (started) => {
    ({ installation, browser } = started);
  },
  { bridge: true },
);

/** Deposits increase their sender's nonce on L2, so each account sends on one chain only. */
const [onL1, onL2] = [0, 1] as const;
const l2Messenger: Address = '0x4200000000000000000000000000000000000007';
const wrappedEther: Address = '0x4200000000000000000000000000000000000006';
const receiver: Address = `0x${'5e'.repeat(20)}`;
const messengerAbi = parseAbi(['function sendMessage(address target, bytes message, uint32 minGas) payable']);

const transfer = (to: Address) => encodeFunctionData({ abi: devErc20Abi, functionName: 'transfer', args: [to, 5n] });
/** A message that transfers tokens from the messenger. It fails until the messenger has tokens. */
const taking = (token: Address) =>
  encodeFunctionData({ abi: messengerAbi, functionName: 'sendMessage', args: [token, transfer(receiver), 200_000] });

test('a failed deposit message is replayed on L2, which completes the deposit; a conflict explains why not', async () => {
  const client = await installation.clientOf('alice');
  await linkWallet(client, onL1, 'main');
  await linkWallet(client, onL2, 'second');
  const { send, contracts, chains, l2 } = rollupOf(installation);
  await send(onL1, 'l1', contracts.l1CrossDomainMessenger as Hex, taking(wrappedEther));
  await until('the message has failed', async () => (await client.deposits.page()).data[0]?.status === 'failed');
  const [failed] = (await client.deposits.page()).data;
  const path = `/deposits/${failed?.depositId}`;
  const { page, context } = await openConsole(browser, installation, { path });
  const wallet = await addTestWallet(page, { chains, chainId: 31337, accounts: [onL2] });
  const dialog = page.getByRole('dialog');
  await page.getByText('its message failed').waitFor();
  await page.getByRole('button', { name: 'Copy message hash' }).waitFor();
  const replay = page.getByRole('button', { name: 'Replay message' });
  await replay.waitFor();
  await expectAccessibleEverywhere(page);

  await page.route('**/replay', (route) =>
    route.fulfill({
      status: 409,
      json: { timestamp: 0, status: 409, error: 'Conflict', message: 'The message has been relayed.', path: '/' },
    }),
  );
  await replay.click();
  await page.getByText('Nothing to replay').waitFor();
  await page.getByText('The message has been relayed.').waitFor();
  await expectAccessibleInBoth(page);
  await page.unroute('**/replay');

  await send(onL2, 'l2', wrappedEther, '0xd0e30db0', 5n);
  await send(onL2, 'l2', wrappedEther, transfer(l2Messenger));
  await replay.click();
  // The dialog shows the call, its sender and its target on L2.
  await dialog.getByText('Message from').waitFor();
  await dialog.getByText(wrappedEther.slice(0, 6)).first().waitFor();
  await dialog.getByRole('button', { name: 'Connect wallet' }).click();
  await page.getByRole('button', { name: 'Test Wallet' }).click();
  const sign = dialog.getByRole('button', { name: 'Sign with Test Wallet' });
  wallet.set({ refuses: ['eth_sendTransaction'] });
  await sign.waitFor();
  await expectAccessibleEverywhere(page);
  // The replay was prepared before a wallet was connected, for the linked wallet that sent the deposit.
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await replay.click();
  await sign.click();
  await dialog.getByText('Nothing was signed').waitFor();
  wallet.set({ refuses: [] });
  await sign.click();
  await page
    .getByText(/This page updates after the gateway reads its outcome|Completed/)
    .first()
    .waitFor();
  expect(wallet.chainId()).toBe(l2.chainId);
  await page.getByText('Completed', { exact: true }).waitFor();
  expect(await replay.count()).toBe(0);
  expect((await client.deposits.page()).data[0]?.status).toBe('completed');
  await context.close();
});

test('a failed withdrawal message is replayed on L1, which finalizes the withdrawal', async () => {
  const client = await installation.clientOf('bob');
  await linkWallet(client, onL2, 'main');
  await linkWallet(client, onL1, 'second');
  const { send, control, contracts, chains, l1 } = rollupOf(installation);
  const { l1Token, l1CrossDomainMessenger } = contracts;
  await send(onL2, 'l2', l2Messenger, taking(l1Token as Address));
  await until('the withdrawal is listed', async () => (await client.withdrawals.page()).data.length === 1);
  const id = (await client.withdrawals.page()).data[0]?.withdrawalId ?? '';
  const become = (status: string) =>
    until(`the withdrawal is ${status}`, async () => (await client.withdrawals.get(id)).status === status);
  const sign = async ({ transactions }: PreparedTransactions) => {
    for (const { to, data } of transactions) await send(onL1, 'l1', to as Hex, data as Hex);
  };
  const { game } = await control('/propose');
  await become('ready_to_prove');
  const { address: payer } = (await client.wallets.page()).data.find(({ label }) => label === 'second') ?? {};
  const input = payer === undefined ? {} : { wallet: payer };
  await sign(await client.withdrawals.prove(id, input));
  await control('/advance', { seconds: 30 });
  await control('/resolve', { game });
  await control('/advance', { seconds: 10 });
  await become('ready_to_finalise');
  await sign(await client.withdrawals.finalize(id, input));
  await become('failed');

  const { page, context } = await openConsole(browser, installation, {
    ...{ user: 'bob', path: `/withdrawals/${id}` },
  });
  const wallet = await addTestWallet(page, { chains, chainId: 31337, accounts: [onL1] });
  await page.getByText('its message failed').waitFor();
  await expectAccessibleEverywhere(page);
  const dialog = page.getByRole('dialog');
  const replay = page.getByRole('button', { name: 'Replay message' });
  await replay.click();
  await dialog.getByRole('button', { name: 'Connect wallet' }).click();
  await page.getByRole('button', { name: 'Test Wallet' }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await send(onL1, 'l1', l1Token as Hex, transfer(l1CrossDomainMessenger as Address));
  await replay.click();
  await dialog.getByRole('button', { name: 'Sign with Test Wallet' }).click();
  const outcome = /This page updates after the gateway reads its outcome|^Finalized$/;
  await page.getByText(outcome).first().waitFor();
  expect(wallet.chainId()).toBe(l1.chainId);
  // The gateway checks again when time advances on L1.
  await control('/advance', { seconds: 60 });
  await page.getByText('Finalized', { exact: true }).waitFor();
  expect((await client.withdrawals.get(id)).status).toBe('finalised');
  await context.close();
});
