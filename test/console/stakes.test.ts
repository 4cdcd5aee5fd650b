/** Stakes and contracts in a browser: an injected wallet stakes, unstakes and exits; the page reports rejections, a wrong chain and a wrong account. */
import { expect, test } from 'bun:test';
import { devAccount } from '@flowgate/devkit/dev-token';
import { until } from '@flowgate/testing/until';
import type { Browser } from 'playwright-core';
import { createWalletClient, http } from 'viem';
import { expectAccessibleInBoth, narrow, openConsole, untilValue } from './console-browser.ts';
import type { ConsoleInstallation } from './console-installation.ts';
import { linkWallet } from './linked-wallet.ts';
import { startsOwnConsole } from './starts-console.ts';
import { addTestWallet } from './test-wallet.ts';

let installation: ConsoleInstallation;
let browser: Browser;
startsOwnConsole((started) => {
  ({ installation, browser } = started);
});

const otherChain = 900;

test('a wallet stakes an exact amount, unstakes a part and exits; rejected transactions are not sent', async () => {
  const client = await installation.clientOf('alice');
  const { page, context, expectNoComplaints } = await openConsole(browser, installation, {
    path: '/stakes',
  });
  await page.getByText('No linked wallets').waitFor();
  await linkWallet(client, 1, 'main');
  await page.reload();
  await page.getByText('No positions yet').waitFor();
  await expectAccessibleInBoth(page);
  const dialog = page.getByRole('dialog');
  // The wallet uses an account that is not linked, is on another chain, and claims not to know the right chain.
  const wallet = await addTestWallet(page, {
    ...{ accounts: [2], chainId: otherChain },
    chains: { 31337: installation.chainUrl, [otherChain]: installation.chainUrl },
  });
  wallet.set({ otherAccounts: [1], refuses: ['wallet_switchEthereumChain'] });

  await page.getByRole('button', { name: 'Stake' }).first().click();
  await dialog.getByLabel('Amount, in base units').fill('1.5');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText('Enter a whole number').waitFor();
  await dialog.getByRole('button', { name: 'Read decimals' }).click();
  await page.getByRole('button', { name: 'Test Wallet' }).click();
  await dialog.getByText('You rejected the request in Test Wallet').waitFor();
  wallet.set({ refuses: [] });
  await dialog.getByRole('button', { name: 'Read decimals' }).click();
  const amount = dialog.getByLabel('Amount', { exact: true });
  await amount.fill('20000');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText('This is more than the wallet has: 10,000').waitFor();
  await amount.fill('1.000000000000000001');
  await dialog.getByText('1000000000000000001 base units').waitFor();
  await expectAccessibleInBoth(page);
  await dialog.getByRole('button', { name: 'Continue' }).click();

  const sign = dialog.getByRole('button', { name: 'Sign with Test Wallet' });
  await sign.click();
  await dialog.getByText('is using another account').waitFor();
  await expectAccessibleInBoth(page);
  await dialog.getByRole('button', { name: 'Switch account' }).click();
  wallet.set({ refuses: ['eth_sendTransaction'] });
  await sign.click();
  await dialog.getByText('Nothing was signed').waitFor();
  wallet.set({ refuses: [] });
  expect(wallet.asked.filter((method) => method === 'eth_sendTransaction').length).toBe(1);
  await sign.click();
  await page.getByText('The transaction is in a block').first().waitFor();
  // The rejected request, the approval and the stake: none was requested twice.
  expect(wallet.asked.filter((method) => method === 'eth_sendTransaction').length).toBe(3);
  const row = page.getByRole('row', { name: /main/ });
  await row.getByText('1.000000000000000001').waitFor();
  await page.setViewportSize(narrow.viewport);
  await expectAccessibleInBoth(page);

  const position = (await client.stakes.page()).data[0];
  expect([position?.staked, position?.wallet]).toEqual(['1000000000000000001', devAccount(1).address]);

  await row.getByRole('button', { name: 'Unstake' }).click();
  await dialog.getByLabel('Amount').fill('1');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await sign.click();
  await dialog.waitFor({ state: 'detached' });
  await row.getByText('0.000000000000000001').waitFor();
  await row.getByRole('button', { name: 'Exit' }).click();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await sign.click();
  await page.getByText('No positions yet').waitFor();
  expect((await client.stakes.page()).data).toEqual([]);
  expectNoComplaints();
  await context.close();
});

test('an unknown chain is added to the wallet with an RPC URL that contains a new key', async () => {
  const client = await installation.clientOf('bob');
  await linkWallet(client, 5);
  const { page, context } = await openConsole(browser, installation, { user: 'bob', path: '/stakes' });
  const wallet = await addTestWallet(page, {
    ...{ accounts: [5], chainId: otherChain },
    chains: { 31337: installation.chainUrl, [otherChain]: installation.chainUrl },
  });
  wallet.set({ unknownChains: [31337] });
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Stake' }).first().click();
  await dialog.getByLabel('Amount, in base units').fill('7');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('button', { name: 'Connect wallet' }).click();
  await page.getByRole('button', { name: 'Test Wallet' }).click();
  await dialog.getByRole('button', { name: 'Sign with Test Wallet' }).click();
  await dialog.getByText('does not know Local development chain').waitFor();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await untilValue(dialog.getByLabel('RPC URL'), /rpc\/fk_/);
  await expectAccessibleInBoth(page);
  const address = await dialog.getByLabel('RPC URL').inputValue();
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
  const asked = await fetch(address, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  expect(await asked.json()).toMatchObject({ result: '0x7a69' });
  await dialog.getByRole('button', { name: 'Add to Test Wallet' }).click();
  await page.getByText('The transaction is in a block').first().waitFor();
  expect((await client.stakes.page()).data.map(({ staked }) => staked)).toEqual(['7']);
  const drafts = await page.evaluate<string>('JSON.stringify({ ...sessionStorage })');
  expect(drafts).not.toContain('rpc/fk_');
  await context.close();
});

test('after a dialog is closed during a wallet request, the wallet is not asked again', async () => {
  const client = await installation.clientOf('admin');
  const address = await linkWallet(client, 4);
  const { page, context } = await openConsole(browser, installation, { user: 'admin', path: '/stakes' });
  const wallet = await addTestWallet(page, { chains: { 31337: installation.chainUrl }, accounts: [4] });
  const dialog = page.getByRole('dialog');
  const stake = async () => {
    await page.getByRole('button', { name: 'Stake' }).first().click();
    await dialog.getByLabel('Amount, in base units').fill('5');
    await dialog.getByRole('button', { name: 'Continue' }).click();
  };
  const sent = () => wallet.asked.filter((method) => method === 'eth_sendTransaction').length;
  await stake();
  await dialog.getByRole('button', { name: 'Connect wallet' }).click();
  await page.getByRole('button', { name: 'Test Wallet' }).click();
  const sign = dialog.getByRole('button', { name: 'Sign with Test Wallet' });
  wallet.set({ holds: ['eth_sendTransaction'] });
  await sign.click();
  await dialog.getByText('Your wallet asks you to sign').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  wallet.set({ holds: [] });
  // The approval was signed, so only the stake remains the next time.
  const place = { dlt: 'ethereum', networkId: 'dev', contractId: 'dev-staking' };
  await until(async () => {
    const input = { ...place, wallet: address, action: 'stake', amount: '5' } as const;
    return (await client.stakes.prepare(input)).transactions.length === 1;
  });
  await stake();
  await sign.click();
  await page.getByText('The transaction is in a block').first().waitFor();
  expect(sent()).toBe(2);
  expect((await client.stakes.page()).data.map(({ staked }) => staked)).toEqual(['5']);
  await context.close();
});

test('contracts deployed through the gateway are listed with their states, and so are contracts of the operator', async () => {
  const client = await installation.clientOf('carol');
  const { page, context, expectNoComplaints } = await openConsole(browser, installation, {
    user: 'carol',
    path: '/contracts',
  });
  await page.getByText('No deployed contracts yet').waitFor();
  await page.getByText('Development staking').waitFor();
  await expectAccessibleInBoth(page);
  const { apiKey } = await client.apiKeys.mint({ label: 'deploys' });
  const account = devAccount(3);
  const writer = createWalletClient({ account, transport: http(`${installation.gatewayUrl}/rpc/${apiKey}`) });
  // Init code that returns nothing, and init code that reverts.
  for (const data of ['0x60006000f3', '0x60006000fd'] as const)
    await writer.sendTransaction({ account, data, gas: 100_000n, chain: null });
  await until(async () => (await client.deployedContracts.page()).data.every(({ status }) => status !== 'pending'));
  await page.reload();
  await page.getByText('Its constructor reverted').waitFor();
  await page.getByRole('cell', { name: 'Deployed' }).waitFor();
  await page.setViewportSize(narrow.viewport);
  await expectAccessibleInBoth(page);
  await page.getByLabel('State').selectOption('pending');
  await page.getByText('No matches').waitFor();
  expectNoComplaints();
  await context.close();
});
