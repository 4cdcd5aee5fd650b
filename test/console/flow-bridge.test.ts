/** A deposit through the bridge app, from the form to its arrival on L2, with a wallet that signs and sends in one call. */
import { expect, test } from 'bun:test';
import { devAccount } from '@flowgate/devkit/dev-token';
import type { Browser, Page } from 'playwright-core';
import { expectAccessibleInBoth, openConsole } from './console-browser.ts';
import type { ConsoleInstallation } from './console-installation.ts';
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

/** Presses the button that checks again until the deposit has arrived. */
async function lookUntilArrived(page: Page): Promise<void> {
  const arrived = page.getByRole('heading', { name: 'The deposit has arrived' });
  const look = page.getByRole('button', { name: 'Look again', exact: true });
  for (let looks = 0; looks < 60; looks++) {
    await arrived.or(look).first().waitFor();
    if (await arrived.isVisible()) return;
    await Promise.all([page.waitForResponse(/\/steps\//), look.click().catch(() => {})]);
  }
}

test('a deposit is signed once on L1 and followed until it arrives', async () => {
  const { bridge } = installation;
  if (bridge === undefined) throw new Error('There is no rollup.');
  const payer = [0, 1, 2, 3, 4, 5].find((each) => devAccount(each).address === bridge.accounts[0]?.address) ?? 0;
  const { page, context, expectNoComplaints } = await openConsole(browser, installation, {
    path: '/apps/flowgate/bridge',
  });
  const chains = { [bridge.l2.chainId]: bridge.l2.url, [bridge.l1.chainId]: bridge.l1.url };
  const wallet = await addTestWallet(page, { chains, chainId: bridge.l2.chainId, accounts: [payer] });
  await page.getByRole('button', { name: 'Start session' }).click();
  await page.getByLabel('Amount').fill('0.125');
  await page.getByLabel('Your account').fill(wallet.address);
  await page.getByRole('button', { name: 'Prepare the transaction' }).click();
  await page.getByRole('heading', { name: 'Sign the transfer' }).waitFor();
  await page.getByRole('button', { name: 'Connect wallet' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Test Wallet' }).click();
  await page.getByRole('button', { name: 'Sign with Test Wallet' }).click();
  await page.getByText('Continue below').waitFor();
  expect(wallet.chainId()).toBe(bridge.l1.chainId);
  await expectAccessibleInBoth(page);
  await page.getByRole('button', { name: 'Send it' }).click();
  await lookUntilArrived(page);
  await page.getByText('Transfer status').first().waitFor();
  await expectAccessibleInBoth(page);
  expect(wallet.asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(1);
  expectNoComplaints();
  await context.close();
});
