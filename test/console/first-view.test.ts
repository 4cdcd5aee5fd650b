/** Download size of the first view (docs/decisions/0119). */
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

const maxBytes = 150_000;
const maxBytesOfPage = 250_000;

test('the sign-in page and the overview each load less than 150 KB, compressed', async () => {
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
  expect(await bytes()).toBeLessThan(maxBytes);
  await button.click();
  await page.locator(`button[value="${installation.userOf('alice')}"]`).click();
  await page.getByRole('heading', { name: 'Networks' }).waitFor();
  // The chart and the font are loaded later, so they are not part of the first view.
  await page.route('**/*.woff2', () => {});
  await page.evaluate("localStorage.removeItem('flowgate.font')");
  await page.route('**/users/me/usage?*', () => {});
  await page.reload();
  await page.getByRole('heading', { name: 'Networks' }).waitFor();
  expect(await bytes()).toBeLessThan(maxBytes);
  await context.close();
});

test('every page loads less than 250 KB, compressed, with an empty cache', async () => {
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
    // Cached files have no transfer: the reference receives the font's bytes from the page.
    const bytes = await page.evaluate<number>(
      `${loaded}.reduce((sum, { transferSize, encodedBodySize }) => sum + (transferSize > 0 ? encodedBodySize : 0), 0)`,
    );
    expect(bytes).toBeGreaterThan(50_000);
    if (bytes >= maxBytesOfPage) heavy.push(`${path} ${bytes}`);
  }
  expect(heavy).toEqual([]);
  await context.close();
});

test('hashed files are immutable, and an unchanged page returns 304', async () => {
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

test('the root redirects browsers to the console and programs to the OpenAPI document (contract/console#serving)', async () => {
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

test('the sign-in page and the overview have no axe violations, on desktop and at 360 px', async () => {
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
