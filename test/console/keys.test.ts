/** API keys and the frame in a browser: keys are created, used and revoked; the sign-in expires during a form. */
import { expect, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { expectAccessibleInBoth, openConsole, phone, untilStored } from './console-browser.ts';
import { startsConsole } from './starts-console.ts';
import type { TestedConsole } from './tested-console.ts';

let installation: TestedConsole;
let browser: Browser;
startsConsole(import.meta.file, (started) => {
  ({ installation, browser } = started);
});

const blockNumber = { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] };

async function called(apiKey: string): Promise<number> {
  const response = await fetch(`${installation.gatewayUrl}/rpc`, {
    method: 'POST',
    headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify(blockNumber),
  });
  return response.status;
}

test('a key is created, shown once with snippets, works, and is refused after it is revoked', async () => {
  const { page, context, expectNoComplaints } = await openConsole(browser, installation, { path: '/keys' });
  await page.getByRole('button', { name: 'Create key' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  await page.getByText('Enter a label for this key').waitFor();
  const label = `<b>Ｗ</b>${'Ｗ'.repeat(80)}`;
  await page.getByLabel('Label').pressSequentially(label);
  await expectAccessibleInBoth(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  await page.getByText('shown only once').waitFor();
  const apiKey = (await page.locator('dialog code').first().textContent()) ?? '';
  expect(apiKey).toMatch(/^fk_/);
  expect(await called(apiKey)).toBe(200);
  for (const library of ['viem', 'ethers', 'web3.js', 'wagmi', 'cast', 'curl']) {
    await page.getByRole('tab', { name: library }).click();
    await page.getByRole('tabpanel', { name: library }).getByText(apiKey).waitFor();
  }
  await expectAccessibleInBoth(page);
  await page.getByRole('button', { name: 'I saved the key' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('cell', { name: label }).first().waitFor();
  expect(await page.content()).not.toContain(apiKey);
  await expectAccessibleInBoth(page);

  await page.getByRole('button', { name: `Revoke ${label}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('1 revoked or expired key').press('Enter');
  await page.getByText(/^Revoked /).waitFor();
  expect(await called(apiKey)).toBe(403);
  expectNoComplaints();
  await context.close();
});

test('a sign-in that expires during a form loses no input: the user signs in again in a window and the form continues', async () => {
  const { page, context } = await openConsole(browser, installation, { user: 'bob', path: '/keys' });
  await page.getByRole('button', { name: 'Create key' }).first().click();
  await page.keyboard.type('typed before');
  // The gateway refuses the token and the issuer does not renew it, as after a revocation.
  await page.route(`${installation.issuer}/token`, (route) => route.abort());
  let refused = 0;
  await page.route('**/users/me/api-keys', async (route) => {
    if (route.request().method() !== 'POST' || refused > 0) return route.continue();
    refused += 1;
    await route.fulfill({
      status: 401,
      json: { timestamp: 0, status: 401, error: 'Unauthorized', message: 'x', path: '/' },
    });
  });
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  await page.getByText('Your sign-in has expired').waitFor();
  const opened = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  const popup = await opened;
  const ended = popup.waitForEvent('close');
  const choice = popup.locator(`button[value="${installation.userOf('bob')}"]`);
  // The issuer may still have a session and then shows no page.
  await Promise.race([choice.click().catch(() => {}), ended]);
  await page.getByText('shown only once').waitFor();
  await page.getByRole('dialog').getByText('typed before').first().waitFor();
  expect(refused).toBe(1);
  await context.close();
});

test('palette and shortcuts open pages and move the focus', async () => {
  const { page, context } = await openConsole(browser, installation);
  await page.getByRole('heading', { name: /Hello/ }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Go to a page' }).waitFor();
  await page.keyboard.type('api');
  await expectAccessibleInBoth(page);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await page.getByRole('heading', { name: /Hello/ }).waitFor();
  await page.waitForFunction("document.title === 'Flowgate'");
  await context.close();
});

test('on a phone the navigation is behind a button and closes when a page opens', async () => {
  const { page, context } = await openConsole(browser, installation, phone);
  await page.getByRole('button', { name: 'Open navigation' }).click();
  await expectAccessibleInBoth(page);
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  await page.getByRole('link', { name: 'Reference' }).waitFor({ state: 'hidden' });
  await context.close();
});

test('signing out clears the tab and asks for the user again', async () => {
  const { page, context } = await openConsole(browser, installation);
  await page.getByRole('button', { name: /alice/i }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await untilStored(page, ['flowgate.signed-out']);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator(`button[value="${installation.userOf('admin')}"]`).click();
  await page.getByText('Administrator').first().waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/');
  await context.close();
});
