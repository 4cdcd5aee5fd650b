/** Deposits, withdrawals and history in a browser, on the local rollup: a deposit until it completes, and a withdrawal that is proven and finalized, signed by an injected wallet. */
import { expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import type { Browser } from 'playwright-core';
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

const rollup = () => rollupOf(installation);

test('a deposit shows problems at its fields, is signed on L1 and is followed until it completes', async () => {
  const client = await installation.clientOf('alice');
  const { page, context, expectNoComplaints } = await openConsole(browser, installation, {
    path: '/deposits',
  });
  await page.getByText('No linked wallets').waitFor();
  const address = await linkWallet(client, 1, 'main');
  await page.reload();
  await page.getByText('No deposits yet').waitFor();
  await expectAccessibleInBoth(page);
  const wallet = await addTestWallet(page, {
    ...{ chains: rollup().chains, chainId: 31337, accounts: [1] },
  });
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Deposit' }).first().click();
  await dialog.getByLabel('Amount').fill('1,5');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText('Enter the amount without commas').waitFor();
  await dialog.getByLabel('Amount').fill('1000000');
  await dialog.getByLabel(/^To\s*optional/).fill(`0x${'0'.repeat(40)}`);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText('This is the zero address').waitFor();
  await expectAccessibleEverywhere(page);
  await dialog.getByLabel(/^To\s*optional/).fill('');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText(/more than the wallet has: [\d,.]+ ETH/).waitFor();
  await dialog.getByLabel('Amount').fill('0.250000000000000001');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('button', { name: 'Connect wallet' }).click();
  wallet.set({ staysOnChain: true });
  await page.getByRole('button', { name: 'Test Wallet' }).click();
  const sign = dialog.getByRole('button', { name: 'Sign with Test Wallet' });
  await sign.click();
  await dialog.getByText('is still on another chain').waitFor();
  await expectAccessibleInBoth(page);
  expect(wallet.asked).not.toContain('eth_sendTransaction');
  wallet.set({ staysOnChain: false });
  await sign.click();
  await page.getByText('Deposit sent on L1').first().waitFor();
  expect(wallet.chainId()).toBe(rollup().l1.chainId);
  expect(wallet.asked.filter((method) => method === 'eth_sendTransaction').length).toBe(1);

  await until(async () => (await client.deposits.page()).data.length === 1);
  await page.reload();
  await page.getByRole('link', { name: '0.250000000000000001' }).click();
  await page.getByRole('heading', { name: '0.250000000000000001' }).waitFor();
  await page.getByText('Completed', { exact: true }).waitFor();
  await expectAccessibleEverywhere(page);
  const [deposit] = (await client.deposits.page()).data;
  expect([deposit?.status, deposit?.amount, deposit?.from, deposit?.to]).toEqual([
    ...['completed', '250000000000000001', address, address],
  ]);
  await page.getByRole('link', { name: 'Deposits' }).last().click();
  // The filters of the gateway: several states, a transaction, days.
  const row = page.getByRole('link', { name: '0.250000000000000001' });
  await page.goto(`${installation.gatewayUrl}/console/deposits?state=pending,failed`);
  await page.getByText('No matches').waitFor();
  await page.getByText('Pending or Failed').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await row.waitFor();
  await page.getByLabel('Transaction').fill(String(deposit?.l2TransactionHash));
  await page.getByLabel('Since').fill('2020-01-01');
  await page.getByRole('button', { name: 'State' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Completed' }).click();
  await page.keyboard.press('Escape');
  await page.waitForURL(/state=completed/);
  await row.waitFor();
  await page.getByLabel('Transaction').fill(`0x${'1'.repeat(64)}`);
  await page.getByText('No matches').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await row.waitFor();
  await expectAccessibleEverywhere(page);
  expectNoComplaints();
  await context.close();
});

test('a withdrawal is signed on L2, proven and finalized, and says what it waits for in between', async () => {
  const client = await installation.clientOf('bob');
  await linkWallet(client, 2, 'main');
  const { page, context } = await openConsole(browser, installation, { user: 'bob', path: '/withdrawals' });
  const wallet = await addTestWallet(page, {
    ...{ chains: rollup().chains, chainId: 31337, accounts: [2] },
  });
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Connect wallet' }).click();
  await page.getByRole('button', { name: 'Test Wallet' }).click();
  await page.getByRole('button', { name: 'Withdraw' }).first().click();
  // The draft survives a reload and is removed after the transaction is prepared.
  await dialog.getByLabel('Amount').fill('0.125');
  await page.reload();
  await page.getByRole('button', { name: 'Withdraw' }).first().click();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const sign = dialog.getByRole('button', { name: 'Sign with Test Wallet' });
  await sign.click();
  await page.getByText('Withdrawal sent on L2').first().waitFor();
  await until(async () => (await client.withdrawals.page()).data.length === 1);
  const withdrawalId = (await client.withdrawals.page()).data[0]?.withdrawalId ?? '';
  await page.goto(`${installation.gatewayUrl}/console/withdrawals/${withdrawalId}`);
  await page.getByText('No action is needed').waitFor();
  await expectAccessibleEverywhere(page);

  const { game } = await rollup().control('/propose');
  const prove = page.getByRole('button', { name: 'Prove withdrawal' });
  await prove.waitFor();
  // The record is older than the chain, so the gateway's refusal is shown as the reason for waiting.
  await page.route('**/prove', (route) =>
    route.fulfill({
      status: 409,
      json: { timestamp: 0, status: 409, error: 'Conflict', message: 'Blocked by state_root_not_posted.', path: '/' },
    }),
  );
  await prove.click();
  await page.getByText('Not yet').waitFor();
  await expectAccessibleInBoth(page);
  await page.unroute('**/prove');
  await prove.click();
  wallet.set({ refuses: ['eth_sendTransaction'] });
  await sign.click();
  await dialog.getByText('Nothing was signed').waitFor();
  wallet.set({ refuses: [] });
  await sign.click();
  await page.getByText('Proof sent on L1').first().waitFor();
  await page.getByText('The dispute window is open').waitFor();
  await expectAccessibleInBoth(page);

  await rollup().control('/advance', { seconds: 30 });
  await rollup().control('/resolve', { game });
  await rollup().control('/advance', { seconds: 10 });
  await page.getByRole('button', { name: 'Finalize withdrawal' }).click();
  await sign.click();
  await page.getByText('Withdrawal finalized on L1').first().waitFor();
  await page.getByText('Finalized', { exact: true }).waitFor();
  expect((await client.withdrawals.get(withdrawalId)).status).toBe('finalised');
  await expectAccessibleEverywhere(page);

  // The withdrawal is hidden while its wallet is unlinked.
  await client.wallets.unlink(wallet.address);
  await page.reload();
  await page.getByText('This withdrawal was not found').waitFor();
  await expectAccessibleInBoth(page);
  await linkWallet(client, 2, 'main');
  await page.reload();
  await page.getByText('Finalized', { exact: true }).waitFor();
  await context.close();
});

const hostileSymbols = ['<img src=x onerror=alert(1)>', '\u202eHTE', 'Ｗ'.repeat(32), 'ETH', ''];
const historyLength = 10_000;
const newestMs = Date.parse('2026-11-22T12:00:00.000Z');

/** In the gateway's order, newest first. */
function historyEntry(at: number) {
  const address = `0x${at.toString(16).padStart(40, '0')}`;
  const type = (['deposit', 'swap', 'withdrawal'] as const)[at % 3] ?? 'swap';
  const token = { native: false, address, symbol: hostileSymbols[at % hostileSymbols.length], decimals: 18 };
  return {
    ...{ type, id: `${type}_${at}`, status: type === 'withdrawal' ? 'finalised' : 'completed' },
    createdAt: new Date(newestMs - at * 60_000).toISOString(),
    ...{ dlt: 'ethereum', networkId: 'l1', wallet: address },
    sent: { token, amount: `${at}1${'0'.repeat(60)}1` },
    transactions: [{ dlt: 'ethereum', networkId: 'l1', hash: `0x${at.toString(16).padStart(64, '0')}`, purpose: type }],
  };
}

test('a history of 10,000 entries loads page by page and filters by kind, wallet and time; token names are shown as text', async () => {
  const { page, context, expectNoComplaints } = await openConsole(browser, installation, {
    user: 'carol',
    path: '/history',
  });
  await page.getByText('made before you linked them').waitFor();
  const asked: URLSearchParams[] = [];
  await page.route('**/users/me/history*', (route) => {
    const { searchParams } = new URL(route.request().url());
    asked.push(searchParams);
    const [from, limit] = [Number(searchParams.get('cursor') ?? 0), Number(searchParams.get('limit'))];
    const data = Array.from({ length: Math.min(limit, historyLength - from) }, (_, at) => historyEntry(from + at));
    return route.fulfill({ json: { data, nextCursor: String(from + limit) } });
  });
  await page.reload();
  const rows = page.locator('tbody tr');
  await until(async () => (await rows.count()) === 25);
  await expectAccessibleEverywhere(page);
  for (const pages of [2, 3, 4]) {
    await page.getByRole('button', { name: 'Show more' }).click();
    await until(async () => (await rows.count()) === 25 * pages);
  }
  // Only the shown pages were requested.
  expect([...new Set(asked.map((query) => query.get('cursor')))]).toEqual([null, '25', '50', '75']);
  expect(await page.getByText('<img src=x onerror=alert(1)>').count()).toBeGreaterThan(0);
  expect(await page.locator('main img').count()).toBe(0);
  await page.getByLabel('Kind').selectOption('swap');
  await page.getByLabel('Until').fill('2026-11-20');
  await page.waitForURL(/kind=swap&until=2026-11-20$/);
  await until(async () => asked.at(-1)?.get('before') != null);
  const last = asked.at(-1);
  const until20th = new Date(2026, 10, 21).toISOString();
  expect([last?.get('type'), last?.get('before'), last?.get('cursor')]).toEqual(['swap', until20th, null]);
  expectNoComplaints();
  await context.close();
});

test('a deposit that is stalled, outdated or failed says so', async () => {
  const { page, context } = await openConsole(browser, installation);
  const place = { dlt: 'ethereum', networkId: 'l1' };
  const address = `0x${'ab'.repeat(20)}`;
  const time = '2026-11-22T12:00:00.000Z';
  const base = {
    ...{ bridgeId: 'main', kind: 'token', status: 'relaying', stalled: true, stalledReason: 'It is confirmed.' },
    ...{ source: place, destination: { ...place, networkId: 'l2' }, amount: '5', from: address, to: address },
    token: { native: false, l1: address, l2: address },
    ...{ l1TransactionHash: `0x${'1'.repeat(64)}`, l1LogIndex: 0, l1BlockNumber: 7 },
    ...{ l2TransactionHash: `0x${'2'.repeat(64)}`, confirmations: 9, requiredConfirmations: 3 },
    ...{ createdAt: time, updatedAt: time, statusChangedAt: time, staleSince: time },
  };
  const failed = { ...base, status: 'failed', stalled: false, failureReason: 'l2_reverted' };
  for (const [depositId, record, text] of [
    ['dep_1', base, 'It is confirmed.'],
    ['dep_2', failed, 'The transaction on L2 failed'],
  ] as const) {
    await page.route(`**/users/me/deposits/${depositId}`, (route) => route.fulfill({ json: { ...record, depositId } }));
    await page.goto(`${installation.gatewayUrl}/console/deposits/${depositId}`);
    await page.getByText(text).waitFor();
    await page.getByText('has not been able to read one of the chains').waitFor();
    // The decimals are unknown, so the amount is in base units.
    await page.getByRole('heading', { name: '5 base units' }).waitFor();
    await expectAccessibleInBoth(page);
  }
  await context.close();
});
