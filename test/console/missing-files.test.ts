/** Pages whose files cannot be loaded, because the gateway is unavailable or was upgraded. */
import { expect, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { expectAccessibleInBoth, openConsole, untilValue } from './console-browser.ts';
import { startsConsole } from './starts-console.ts';
import type { TestedConsole } from './tested-console.ts';

let installation: TestedConsole;
let browser: Browser;
startsConsole(import.meta.file, (started) => {
  ({ installation, browser } = started);
});

const keysFile = /\/console\/assets\/keys-page-[^/]+\.js$/;
const paletteFile = /\/console\/assets\/command-palette-[^/]+\.js$/;

test('a page says that the gateway is not responding and loads by itself when the gateway is back', async () => {
  const { page, context } = await openConsole(browser, installation);
  await page.getByRole('heading', { name: /Hello/ }).waitFor();
  await page.route('**/console/**', (route) => route.abort('connectionrefused'));
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByText('The gateway is not responding.').waitFor();
  expect(await page.getByText('dynamically imported module').count()).toBe(0);
  await expectAccessibleInBoth(page);
  await page.unroute('**/console/**');
  await page.getByRole('button', { name: 'Create key' }).first().waitFor();
  await page.getByText('The gateway is not responding.').waitFor({ state: 'detached' });
  await context.close();
});

test('after an upgrade, opening a page reloads the new console', async () => {
  const { page, context } = await openConsole(browser, installation);
  await page.getByRole('heading', { name: /Hello/ }).waitFor();
  const notFound = { status: 404, body: 'There is no such file.' };
  await page.route(keysFile, (route) => route.fulfill(notFound));
  // The page's own checks get another entry; the reload gets the real one.
  await page.route(`${installation.gatewayUrl}/console/`, async (route) => {
    if (route.request().isNavigationRequest()) return route.continue();
    await route.fulfill({
      contentType: 'text/html',
      body: '<script type="module" src="/console/assets/new.js"></script>',
    });
  });
  const reloaded = page.waitForRequest((request) => request.isNavigationRequest());
  await page.getByRole('link', { name: 'API keys' }).click();
  await reloaded;
  await page.unroute(keysFile);
  await page.getByRole('button', { name: 'Create key' }).first().waitFor();
  expect(page.url()).toBe(`${installation.gatewayUrl}/console/keys`);
  await context.close();
});

test('when an upgrade removed a part of a page, the user decides when to reload and the input is preserved', async () => {
  const { page, context } = await openConsole(browser, installation, { path: '/firewall' });
  await page.route(paletteFile, (route) => route.fulfill({ status: 404, body: '' }));
  await page.route(`${installation.gatewayUrl}/console/`, (route) =>
    route.fulfill({ contentType: 'text/html', body: 'new' }),
  );
  const method = page.getByRole('textbox', { name: /^Method / });
  await method.pressSequentially('eth_call');
  await page.keyboard.press('Control+k');
  await page.getByText('The gateway was upgraded.').waitFor();
  await page.getByRole('button', { name: 'Reload' }).waitFor();
  await untilValue(method, 'eth_call');
  await expectAccessibleInBoth(page);
  await context.close();
});
