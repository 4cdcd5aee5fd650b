/** Sign-in in a browser: renewal, tabs, an unavailable issuer, an unrequested response. */
import { expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import type { Browser, Page } from 'playwright-core';
import { expectAccessibleInBoth, openConsole } from './console-browser.ts';
import { startsConsole } from './starts-console.ts';
import type { TestedConsole } from './tested-console.ts';

let installation: TestedConsole;
let browser: Browser;
startsConsole(import.meta.file, (started) => {
  ({ installation, browser } = started);
});

const networksAreShown = (page: Page) => page.getByRole('heading', { name: 'Networks' }).waitFor();

/** The access token that the sign-in library stores in the tab. */
const tokenOf = (page: Page) =>
  page.evaluate<string>(
    "JSON.parse(Object.entries(sessionStorage).find(([name]) => name.includes('user:'))?.[1] ?? '{}').access_token",
  );

test('an expired token is renewed without user interaction (contract/console#sign-in)', async () => {
  const { page, context } = await openConsole(browser, installation);
  await networksAreShown(page);
  const before = await tokenOf(page);
  await page.evaluate(`(() => {
    const [name, text] = Object.entries(sessionStorage).find(([each]) => each.includes('user:'));
    sessionStorage.setItem(name, JSON.stringify({ ...JSON.parse(text), expires_at: 1 }));
  })()`);
  await page.reload();
  await until('the token is another', async () => (await tokenOf(page)) !== before);
  await page.getByText('ethereum/dev').first().waitFor();
  expect(await page.getByText('Your sign-in has expired').count()).toBe(0);
  await context.close();
});

test('a second tab signs in separately and opens the requested page; signing out of one tab does not affect the other', async () => {
  const { page, context } = await openConsole(browser, installation);
  const second = await context.newPage();
  await second.goto(`${installation.gatewayUrl}/console/keys`);
  await second.getByRole('button', { name: 'Sign in' }).click();
  const there = second.getByRole('heading', { name: 'API keys' });
  // The issuer may still have a session and then shows no page.
  const choice = second.locator(`button[value="${installation.userOf('alice')}"]`);
  await there.or(choice).first().waitFor();
  if (await choice.isVisible()) await choice.click();
  await there.waitFor();
  expect(new URL(second.url()).pathname).toBe('/console/keys');
  await second.getByRole('button', { name: /alice/i }).click();
  await second.getByRole('menuitem', { name: 'Sign out' }).click();
  await second.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.reload();
  await networksAreShown(page);
  await context.close();
});

test('an unavailable issuer is reported, and signing in works again when it is back', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.route(`${installation.issuer}/**`, (route) => route.abort());
  await page.goto(`${installation.gatewayUrl}/console`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('cannot be reached').waitFor();
  await expectAccessibleInBoth(page);
  await page.unroute(`${installation.issuer}/**`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator(`button[value="${installation.userOf('alice')}"]`).click();
  await networksAreShown(page);
  await context.close();
});

test('an authorization response that the tab did not request signs no one in', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${installation.gatewayUrl}/console/signed-in?code=stolen&state=foreign`);
  await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
  await expectAccessibleInBoth(page);
  expect(await page.evaluate<string[]>('Object.keys(sessionStorage)')).toEqual([]);
  await page.getByRole('link', { name: 'Sign in again' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await context.close();
});
