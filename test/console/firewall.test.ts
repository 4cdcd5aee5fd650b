/** The firewall in a browser: confirmation, preview, and pages without networks. */
import { expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import type { Browser, Locator, Page } from 'playwright-core';
import { expectAccessibleInBoth, narrow, openConsole } from './console-browser.ts';
import type { ConsoleInstallation } from './console-installation.ts';
import { startsOwnConsole } from './starts-console.ts';

let installation: ConsoleInstallation;
let browser: Browser;
startsOwnConsole((started) => {
  ({ installation, browser } = started);
});

const open = (user = 'alice') => openConsole(browser, installation, { user, path: '/firewall' });
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });
const choose = (page: Page, label: string, value: string) =>
  page.getByLabel(label, { exact: true }).selectOption(value);

/** Creates a key of the user that has made one read call. */
async function usedKey(user: string, label: string): Promise<void> {
  const client = await installation.clientOf(user);
  const { apiKey } = await client.apiKeys.mint({ label });
  const response = await fetch(`${installation.gatewayUrl}/rpc`, {
    method: 'POST',
    headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }),
  });
  expect(response.status).toBe(200);
  const everything = { effect: 'deny', subjects: ['*'], resource: { kind: 'network', id: '*' } } as const;
  const isCounted = async () => (await client.policies.preview(everything)).considered > 0;
  // Usage is written every 10 seconds, and a user has 300 requests a minute.
  await until('the call is counted', isCounted, 40_000, 500);
}

test('the unchanged dialog cannot be submitted: it asks for a key', async () => {
  const { page, context, expectNoComplaints } = await open();
  await page.getByText('No policies yet', { exact: true }).waitFor();
  await expectAccessibleInBoth(page);
  await button(page, 'Add policy').press('Enter');
  await page.getByText('The chosen keys may not send transactions').waitFor();
  await button(page.getByRole('dialog'), 'Add policy').press('Enter');
  await page.getByText('Choose at least one key.').waitFor();
  await expectAccessibleInBoth(page);
  expect((await (await installation.clientOf('alice')).policies.page()).data).toEqual([]);
  expectNoComplaints();
  await context.close();
});

test('a preset for one key is previewed, added, tested, edited and removed', async () => {
  await usedKey('bob', 'indexer');
  const { page, context, expectNoComplaints } = await open('bob');
  await button(page, 'Add policy').press('Enter');
  await page.getByRole('checkbox', { name: 'indexer' }).press('Space');
  await page.getByText('The key “indexer” may not send transactions').waitFor();
  await page.getByText(/would have refused none of your \d+ calls?/).waitFor();
  await choose(page, 'Which calls', 'all');
  // Before the preview of the changed policy is shown, it decides already.
  await button(page.getByRole('dialog'), 'Add policy').press('Enter');
  await page.getByText('Type the word deny.').waitFor();
  await page.getByText(/This policy would have refused 1 of your 1 calls/).waitFor();
  expect((await (await installation.clientOf('bob')).policies.page()).data).toEqual([]);
  await choose(page, 'Which calls', 'some');
  await page.getByText(/would have refused none of your \d+ calls?/).waitFor();
  await expectAccessibleInBoth(page);
  await button(page.getByRole('dialog'), 'Add policy').press('Enter');
  await page.getByRole('cell', { name: /^The key “indexer” may not send transactions/ }).waitFor();
  await page.getByRole('textbox', { name: /^Method / }).pressSequentially('eth_call');
  await page.getByRole('textbox', { name: /^Method / }).press('Enter');
  await page.getByText('Allowed', { exact: true }).waitFor();
  await page.setViewportSize(narrow.viewport);
  await expectAccessibleInBoth(page);
  await page.getByRole('button', { name: /^Edit/ }).press('Enter');
  await page.getByLabel('Name').pressSequentially('Reads only');
  await expectAccessibleInBoth(page);
  await button(page, 'Save').press('Enter');
  await page.getByText('Reads only').first().waitFor();
  await page.getByRole('button', { name: /^Remove/ }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter');
  await page.getByText('No policies yet', { exact: true }).waitFor();
  expectNoComplaints();
  await context.close();
});

test('a policy that denies every network needs typed confirmation; pages then link to it', async () => {
  const { page, context } = await open('admin');
  await button(page, 'Add policy').press('Enter');
  await choose(page, 'What should it do?', 'custom');
  await choose(page, 'Who', 'everyone');
  await choose(page, 'Which one', '*');
  await page.getByText('No one may use any network.').waitFor();
  await button(page.getByRole('dialog'), 'Add policy').press('Enter');
  await page.getByText('Type the word deny.').waitFor();
  await expectAccessibleInBoth(page);
  const { policies } = await installation.clientOf('admin');
  expect((await policies.page()).data).toEqual([]);
  await page.getByLabel('Type deny to confirm').pressSequentially('deny');
  await page.getByLabel('Type deny to confirm').press('Enter');
  await page.getByRole('cell', { name: 'No one may use any network.', exact: true }).waitFor();
  for (const name of ['Networks and nodes', 'Playground', 'Overview']) {
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByText('A policy denies every network').waitFor();
  }
  await expectAccessibleInBoth(page);
  await page.getByRole('link', { name: 'Open policy' }).click();
  await page.getByRole('dialog', { name: 'Edit policy' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Remove/ }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter');
  await page.getByText('No policies yet', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Networks and nodes', exact: true }).click();
  await page.getByRole('cell', { name: 'ethereum/dev' }).waitFor();
  await context.close();
});
