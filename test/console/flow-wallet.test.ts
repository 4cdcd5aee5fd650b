/** The sample Flow Apps with an injected wallet: each is signed and paid exactly once, also when the wallet fails. */
import { expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import type { Browser, Page } from 'playwright-core';
import { expectAccessibleInBoth, narrow, openConsole } from './console-browser.ts';
import { startsConsole } from './starts-console.ts';
import { addTestWallet, type TestWallet, type TestWalletOptions } from './test-wallet.ts';
import type { TestedConsole } from './tested-console.ts';

let installation: TestedConsole;
let browser: Browser;
startsConsole(import.meta.file, (started) => {
  ({ installation, browser } = started);
});

async function openApp(slug: string, options: Partial<TestWalletOptions> = {}) {
  const opened = await openConsole(browser, installation, { path: `/apps/flowgate/${slug}` });
  const wallet = await addTestWallet(opened.page, { chains: { 31337: installation.chainUrl }, ...options });
  await opened.page.getByRole('button', { name: 'Start session' }).click();
  return { ...opened, wallet };
}

async function connect(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connect wallet' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Test Wallet' }).click();
}

/** Waits until this is the only primary button. */
async function untilPrimary(page: Page, name: string): Promise<void> {
  const primaries = page.locator('main .bg-accent-solid').filter({ visible: true });
  await until(`“${name}” is the primary button`, async () => (await primaries.allTextContents()).join() === name);
}
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const count = ({ asked }: TestWallet, method: string) => asked.filter((each) => each === method).length;

test('a transfer is sent exactly once by a wallet that first rejects, then is on another chain, then does not know the chain', async () => {
  const { page, context, wallet, expectNoComplaints } = await openApp('token-transfer', {
    chains: { 1: installation.chainUrl, 31337: installation.chainUrl },
  });
  await page.getByLabel('From').fill(wallet.address);
  await page.getByLabel('To', { exact: true }).fill('0x70997970C51812dc3A010C7d01b50e0d17dc79C8');
  await page.getByLabel('Amount in dollars').fill('1.250000');
  await button(page, 'Prepare the transfer').dblclick();
  await page.getByRole('heading', { name: 'Sign the transfer' }).waitFor();
  await page.getByRole('heading', { name: 'Transfer development dollars', level: 1 }).waitFor();
  await page.getByText('Step 2: Sign').waitFor();
  await untilPrimary(page, 'Connect wallet');
  await connect(page);
  const card = page.getByRole('region', { name: 'Transaction', exact: true });
  await card.getByText('Transfer tokens').waitFor();
  const sign = page.getByRole('button', { name: 'Sign with Test Wallet' });
  wallet.set({ unknownChains: [31337] });
  await sign.click();
  await page.getByText(/Test Wallet does not know/).waitFor();
  await expectAccessibleInBoth(page);
  wallet.set({ unknownChains: [], refuses: ['eth_sendTransaction'] });
  await sign.click();
  await page.getByText('You rejected the request in Test Wallet').waitFor();
  expect(wallet.chainId()).toBe(31337);
  wallet.set({ refuses: [] });
  await page.reload();
  await page.getByRole('heading', { name: 'Sign the transfer' }).waitFor();
  await card.getByText(/^1\.25 [A-Z]/).waitFor();
  await sign.dblclick();
  await page.getByText('Signed and sent by your wallet').waitFor();
  await page.getByText('Continue below').waitFor();
  await page.getByLabel('Signed transaction').waitFor({ state: 'hidden' });
  await untilPrimary(page, 'Send');
  expect(count(wallet, 'eth_sendTransaction')).toBe(2);
  await page.reload();
  await page.getByText('Signed and sent by your wallet').waitFor();
  await page.setViewportSize(narrow.viewport);
  await expectAccessibleInBoth(page);
  await button(page, 'Send').click();
  await page.getByRole('heading', { name: 'Sent', exact: true }).waitFor();
  await untilPrimary(page, 'Finish');
  await button(page, 'Finish').click();
  await page.getByRole('heading', { name: 'Done' }).waitFor();
  await untilPrimary(page, 'Done');
  const results = page.getByRole('region', { name: 'Results' });
  await results.getByText('Transfer sent').waitFor();
  await expectAccessibleInBoth(page);
  const client = await installation.clientOf('alice');
  expect(await client.flow.query('flowgate/token-transfer', 'transfers')).toMatchObject([
    { amount: '1.250000', status: 'sent' },
  ]);
  expect(count(wallet, 'eth_sendTransaction')).toBe(2);
  expectNoComplaints();
  await context.close();
});

test('a wallet that only signs deploys a contract; the page asks for another account', async () => {
  const { page, context, wallet, expectNoComplaints } = await openApp('deploy-contract', { accounts: [3] });
  await page.getByLabel('Account that deploys and pays').fill(wallet.address);
  await button(page, 'Prepare the transaction').click();
  await page.getByRole('heading', { name: 'Sign the deployment' }).waitFor();
  await page.getByText(/^a new contract, \d+ bytes of code$/).waitFor();
  await connect(page);
  await page.getByRole('button', { name: 'Sign with Test Wallet' }).waitFor();
  await button(page, 'Deploy').click();
  await page.getByText('This is required.').waitFor();
  await wallet.choose([4]);
  wallet.set({ signsOnly: true, otherAccounts: [3] });
  await page.getByRole('button', { name: 'Sign with Test Wallet' }).click();
  await page.getByText(/is using another account/).waitFor();
  await page.getByRole('button', { name: 'Switch account' }).click();
  await page.getByRole('button', { name: 'Sign with Test Wallet' }).click();
  await page.getByText('It is sent when you continue').waitFor();
  await page.getByText('This is required.').waitFor({ state: 'detached' });
  await button(page, 'Deploy').click();
  await page.getByRole('heading', { name: 'Deployed', exact: true }).waitFor();
  // The app has its own connection to the chain; this is said at once and at the end.
  const notListed = page
    .getByRole('region', { name: 'Results' })
    .getByText('This contract is not listed under Contracts');
  await notListed.waitFor();
  await expectAccessibleInBoth(page);
  await button(page, 'Finish').click();
  await page.getByRole('heading', { name: 'Done' }).waitFor();
  await notListed.waitFor();
  await page.getByRole('region', { name: 'Results' }).getByRole('link', { name: 'Contracts' }).click();
  await page.getByText('Deployments that a wallet or a Flow App sends over its own connection do not.').waitFor();
  expect([count(wallet, 'eth_signTransaction'), count(wallet, 'eth_sendTransaction')]).toEqual([1, 0]);
  expectNoComplaints();
  await context.close();
});

test('a report is paid once by a signature; amount, token, payee and network are shown first', async () => {
  const { page, context, wallet, expectNoComplaints } = await openApp('paid-report', { accounts: [1] });
  await page.getByLabel('How many blocks').fill('3');
  await button(page, 'Order').click();
  await page.getByRole('heading', { name: 'Pay for the report' }).waitFor();
  await button(page, 'Pay and read').click();
  await connect(page);
  const pay = page.getByRole('button', { name: /^Pay 0\.03 / });
  await pay.waitFor();
  const card = (await page.getByRole('region', { name: 'Payment' }).textContent()) ?? '';
  for (const said of ['0.03', 'Flowgate Dev Dollar', 'chain 31337', '0x14dC79']) expect(card).toContain(said);
  await expectAccessibleInBoth(page);
  wallet.set({ refuses: ['eth_signTypedData_v4'] });
  await pay.click();
  await page.getByText('You rejected the request in Test Wallet').waitFor();
  wallet.set({ refuses: [] });
  await pay.dblclick();
  await page.getByRole('heading', { name: /^Blocks \d+ to/ }).waitFor();
  await page.getByRole('region', { name: 'Receipt' }).waitFor();
  await page.reload();
  await page.getByRole('region', { name: 'Receipt' }).waitFor();
  await expectAccessibleInBoth(page);
  expect(count(wallet, 'eth_signTypedData_v4')).toBe(2);
  const client = await installation.clientOf('alice');
  expect(await client.flow.query('flowgate/paid-report', 'reports')).toHaveLength(1);
  expectNoComplaints();
  await context.close();
});
