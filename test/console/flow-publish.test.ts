/** Publishing in a browser: register an app, publish and retire a version, subscribe a URL; problems appear at their fields. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { expectAccessibleInBoth, openConsole } from './console-browser.ts';
import { type HostileApp, startHostileApp } from './hostile-app.ts';
import { startsConsole } from './starts-console.ts';
import type { TestedConsole } from './tested-console.ts';

let installation: TestedConsole;
let browser: Browser;
let app: HostileApp;
startsConsole(import.meta.file, (started) => {
  ({ installation, browser } = started);
});
beforeAll(async () => {
  app = startHostileApp();
});
afterAll(async () => {
  await app?.stop();
});

test('an app is registered, published, subscribed to and retired; secrets are shown only once', async () => {
  const { page, context, expectNoComplaints } = await openConsole(browser, installation, { path: '/apps' });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await button('Register app').click();
  await page.getByLabel('App ID').fill('Not An Id');
  await button('Register').click();
  await page.getByText('This must be publisher/slug').waitFor();
  await expectAccessibleInBoth(page);
  await page.getByLabel('App ID').fill('flowgate/mine');
  await page.getByLabel('Name', { exact: true }).fill('Mine');
  await button('Register').click();
  await page.getByLabel('App ID').and(page.locator('[aria-invalid]')).waitFor();
  await page.getByLabel('App ID').fill('alice-apps/mine');
  await button('Register').click();
  await page.getByRole('heading', { name: 'Mine' }).waitFor();
  await page.getByText('No version of this app is active').waitFor();

  await page.getByRole('tab', { name: 'Versions' }).click();
  await button('Publish version').click();
  const manifest = page.getByLabel('Manifest');
  await manifest.fill('{ "version": ');
  await button('Publish').click();
  await page.getByText(/^This is not valid JSON/).waitFor();
  await manifest.fill('{ "version": "one", "steps": [] }');
  await button('Publish').click();
  for (const member of ['version', 'baseUrl', 'steps'])
    await page.getByRole('alert').filter({ hasText: member }).waitFor();
  await expectAccessibleInBoth(page);
  const { signingSecret: _, ...version } = app.publication.version;
  await manifest.fill(JSON.stringify({ ...version, version: '1.0.0' }));
  await button('Publish').click();
  const secret = page.locator('dialog code').first();
  await secret.waitFor();
  const signingSecret = (await secret.textContent()) ?? '';
  expect(signingSecret).toMatch(/^whsec_/);
  await expectAccessibleInBoth(page);
  await button('I saved the secret').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(signingSecret);
  await button('View version 1.0.0').click();
  await page.getByRole('dialog').getByText('form, done').waitFor();
  await page.keyboard.press('Escape');

  await page.getByRole('tab', { name: 'Webhooks' }).click();
  await button('Subscribe').first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Event').selectOption('recorded');
  await dialog.getByLabel('URL').fill('not an address');
  await dialog.getByRole('button', { name: 'Subscribe', exact: true }).click();
  await dialog.getByLabel('URL').and(page.locator('[aria-invalid]')).waitFor();
  await expectAccessibleInBoth(page);
  await dialog.getByLabel('URL').fill('http://127.0.0.1:9/hook');
  await dialog.getByRole('button', { name: 'Subscribe', exact: true }).click();
  await button('I saved the secret').click();
  await page.getByRole('cell', { name: 'recorded' }).waitFor();
  await button('Remove').click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No webhooks yet').waitFor();

  await page.getByRole('tab', { name: 'Versions' }).click();
  await button('Retire version 1.0.0').click();
  await dialog.getByRole('button', { name: 'Retire' }).click();
  await page.getByText('Retired', { exact: true }).waitFor();
  await page.getByText('No version of this app is active').waitFor();
  await expectAccessibleInBoth(page);
  expectNoComplaints();
  await context.close();
});
