/** Wallets in a browser: one is linked by a signature of an injected wallet and unlinked; rejections are explained. */
import { expect, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { expectAccessibleInBoth, narrow, openConsole } from './console-browser.ts';
import { startsConsole } from './starts-console.ts';
import { addTestWallet } from './test-wallet.ts';
import type { TestedConsole } from './tested-console.ts';

let installation: TestedConsole;
let browser: Browser;
startsConsole(import.meta.file, (started) => {
  ({ installation, browser } = started);
});

const chains = () => ({ 31337: installation.chainUrl });

test('a wallet is linked by its signature, listed and unlinked; a hostile label is shown as text', async () => {
  const client = await installation.clientOf('alice');
  const { page, context, expectNoComplaints } = await openConsole(browser, installation, {
    path: '/wallets',
  });
  await page.getByText('No linked wallets').waitFor();
  await expectAccessibleInBoth(page);
  await page.getByRole('button', { name: 'Link wallet' }).first().click();
  await page.getByText('No wallet found').waitFor();
  await expectAccessibleInBoth(page);
  // An extension may start after the page, and there may be two.
  const wallet = await addTestWallet(page, { chains: chains(), accounts: [1, 2] });
  await addTestWallet(page, { name: '\u202e<b>Other</b>', chains: chains() });
  await expectAccessibleInBoth(page);
  wallet.set({ refuses: ['eth_requestAccounts'] });
  const choice = page.getByRole('button', { name: 'Test Wallet' });
  await choice.click();
  await page.getByText('You rejected the request in Test Wallet').waitFor();
  wallet.set({ refuses: ['personal_sign'] });
  await choice.click();
  await page.getByRole('dialog').getByText(wallet.address.toLowerCase()).waitFor();

  const label = '<img src=x>'.padEnd(99, 'Ｗ');
  await page.getByLabel('Label').fill(label);
  const sign = page.getByRole('button', { name: 'Sign and link' });
  await sign.click();
  await page.getByText('You rejected the request in Test Wallet').waitFor();
  expect((await client.wallets.page()).data).toEqual([]);
  await expectAccessibleInBoth(page);
  wallet.set({ refuses: [] });
  await sign.click();
  await page.getByRole('button', { name: /^Unlink/ }).waitFor();
  const { data } = await client.wallets.page();
  expect(data.map(({ address, chainId, kind }) => ({ address, chainId, kind }))).toEqual([
    { address: wallet.address, chainId: 31337, kind: 'account' },
  ]);
  await page.getByRole('cell').first().getByText(label, { exact: true }).waitFor();
  await page.setViewportSize(narrow.viewport);
  await expectAccessibleInBoth(page);

  // The tab reconnects the wallet after a reload without a prompt.
  const questions = () => wallet.asked.filter((method) => method === 'eth_requestAccounts').length;
  const before = questions();
  await page.reload();
  await page.getByRole('button', { name: /^Unlink/ }).waitFor();
  await page.getByRole('button', { name: 'Link wallet' }).first().click();
  await page.getByRole('button', { name: 'Sign and link' }).click();
  await page.getByText('Not possible right now').first().waitFor();
  // Signing checks once that the account is still offered.
  expect(questions() - before).toBe(1);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: /^Unlink/ }).click();
  await expectAccessibleInBoth(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
  await page.getByText('No linked wallets').waitFor();
  expect((await client.wallets.page()).data).toEqual([]);
  expectNoComplaints();
  await context.close();
});

test('another account is selected in the wallet; a refused label is explained at its field', async () => {
  const { page, context } = await openConsole(browser, installation, { user: 'bob', path: '/wallets' });
  const wallet = await addTestWallet(page, { chains: chains(), accounts: [3] });
  wallet.set({ otherAccounts: [4, 3] });
  await page.getByRole('button', { name: 'Link wallet' }).first().click();
  await page.getByRole('button', { name: 'Test Wallet' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(wallet.address.toLowerCase()).waitFor();
  await page.getByRole('button', { name: 'Switch account' }).click();
  await dialog.getByText('0x15d34aaf54267db7d7c367839aaf71a00a2c6a65').waitFor();
  await page.getByLabel('Label').fill('x'.repeat(101));
  await page.getByRole('button', { name: 'Sign and link' }).click();
  await page.locator('[aria-invalid=true]').waitFor();
  await page.getByLabel('Label').fill('');
  await page.getByRole('button', { name: 'Sign and link' }).click();
  await page.getByText('No label').waitFor();
  const linked = await (await installation.clientOf('bob')).wallets.page();
  expect(linked.data.map(({ address }) => address)).toEqual(['0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65']);
  await context.close();
});

test('without a bridge, its pages say so and the history explains what it lists', async () => {
  const { page, context, expectNoComplaints } = await openConsole(browser, installation, {
    path: '/history',
  });
  await page.getByText('made before you linked them').waitFor();
  await expectAccessibleInBoth(page);
  // Only configured features are in the menu; here, staking is configured.
  await page.getByRole('link', { name: 'Stakes' }).waitFor();
  for (const name of ['Deposits', 'Withdrawals']) {
    expect(await page.getByRole('link', { name }).count()).toBe(0);
    await page.goto(`${installation.gatewayUrl}/console/${name.toLowerCase()}`);
    await page.getByRole('heading', { name }).waitFor();
    await page.getByText('This gateway has no bridge').waitFor();
    expect(await page.getByRole('button', { name: /^(Deposit|Withdraw)$/ }).count()).toBe(0);
  }
  await expectAccessibleInBoth(page);
  expectNoComplaints();
  await context.close();
});
