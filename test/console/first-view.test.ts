/** What a browser loads before it shows anything (docs/decisions/0119). */
import { expect, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { expectAccessibleInBoth, narrow, openConsole, phone } from './console-browser.ts';
import { startsConsole } from './starts-console.ts';
import type { TestedConsole } from './tested-console.ts';

let installation: TestedConsole;
let browser: Browser;
startsConsole(import.meta.file, (started) => {
  ({ installation, browser } = started);
});

const mostBytes = 150_000;
const mostBytesOfPage = 250_000;

test('the page and all that it loads before the sign-in, and the overview after it, are under 150 KB compressed each', async () => {
  const { gatewayUrl } = installation;
  const context = await browser.newContext();
  const page = await context.newPage();
  const bytes = async () => {
    const sizes = "performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))";
    return page.evaluate<number>(`${sizes}.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`);
  };
  await page.goto(`${gatewayUrl}/console`);
  const button = page.getByRole('button', { name: 'Sign in' });
  await button.waitFor();
  expect(await bytes()).toBeLessThan(mostBytes);
  await button.click();
  await page.locator(`button[value="${installation.userOf('alice')}"]`).click();
  await page.getByRole('heading', { name: 'Networks' }).waitFor();
  // The chart is loaded once there is something to draw and the rest is there, and so is the font: they are no part of the first view.
  await page.route('**/*.woff2', () => {});
  await page.evaluate("localStorage.removeItem('flowgate.font')");
  await page.route('**/users/me/usage?*', () => {});
  await page.reload();
  await page.getByRole('heading', { name: 'Networks' }).waitFor();
  expect(await bytes()).toBeLessThan(mostBytes);
  await context.close();
});

test('every page is under 250 KB compressed with an empty cache', async () => {
  const { page, context } = await openConsole(browser, installation, { user: 'admin' });
  await page.getByText('Administrator').first().waitFor();
  const links = "[...document.querySelectorAll('nav a')].map((link) => new URL(link.href).pathname)";
  const paths = new Set(await page.evaluate<string[]>(links));
  expect([...paths]).toContain('/console/reference');
  const session = await context.newCDPSession(page);
  const heavy: string[] = [];
  for (const path of paths) {
    await session.send('Network.clearBrowserCache');
    await page.goto(installation.gatewayUrl + path, { waitUntil: 'networkidle' });
    const loaded = "performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))";
    // What comes from the cache has no transfer: the reference is given the bytes of the font that the page has.
    const bytes = await page.evaluate<number>(
      `${loaded}.reduce((sum, { transferSize, encodedBodySize }) => sum + (transferSize > 0 ? encodedBodySize : 0), 0)`,
    );
    expect(bytes).toBeGreaterThan(50_000);
    if (bytes >= mostBytesOfPage) heavy.push(`${path} ${bytes}`);
  }
  expect(heavy).toEqual([]);
  await context.close();
});

test('files are kept for good under names that change with them, the page is asked for and is 304 when it is the same', async () => {
  const { gatewayUrl } = installation;
  const page = await fetch(`${gatewayUrl}/console/keys`);
  expect(page.headers.get('cache-control')).toBe('no-cache');
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).not.toMatch(/unsafe|\*/);
  const etag = page.headers.get('etag') ?? '';
  const again = await fetch(`${gatewayUrl}/console`, { headers: { 'If-None-Match': etag } });
  expect(again.status).toBe(304);
  const [asset] = /assets\/[\w.-]+\.js/.exec(await page.text()) ?? [];
  const file = await fetch(`${gatewayUrl}/console/${asset}`, { headers: { 'Accept-Encoding': 'zstd' } });
  expect([file.status, file.headers.get('content-encoding'), file.headers.get('vary')]).toEqual([
    200,
    'zstd',
    'Accept-Encoding',
  ]);
  expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect((await fetch(`${gatewayUrl}/console/assets/none.js`)).status).toBe(404);
  expect((await fetch(`${gatewayUrl}/console/assets/../../flowgate.db`)).status).toBe(404);
});

test('the bare address sends browsers to the console and programs to the description (contract/console#serving)', async () => {
  const at = async (accept: string) =>
    (await fetch(`${installation.gatewayUrl}/`, { headers: { Accept: accept }, redirect: 'manual' })).headers.get(
      'location',
    );
  expect([await at('text/html,*/*'), await at('*/*'), await at('application/json')]).toEqual([
    '/console',
    '/openapi.json',
    '/openapi.json',
  ]);
});

test('before the sign-in and on the overview axe finds nothing, on a screen and at 360 pixels', async () => {
  for (const options of [narrow, phone, {}]) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    await page.goto(`${installation.gatewayUrl}/console`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await expectAccessibleInBoth(page);
    await context.close();
    const opened = await openConsole(browser, installation, options);
    await opened.page.getByRole('heading', { name: 'Networks' }).waitFor();
    await expectAccessibleInBoth(opened.page);
    opened.expectNoComplaints();
    await opened.context.close();
  }
});
