/** The overview and the reference in a browser: usage of calls, recent activity, temporary errors. */
import { expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import type { Browser } from 'playwright-core';
import { expectAccessibleInBoth, expectFrameAccessible, narrow, openConsole } from './console-browser.ts';
import { startsConsole } from './starts-console.ts';
import type { TestedConsole } from './tested-console.ts';

let installation: TestedConsole;
let browser: Browser;
startsConsole(import.meta.file, (started) => {
  ({ installation, browser } = started);
});

/** Usage of the last minutes, with numbers that occur nowhere else on the page. */
function usageRows() {
  const minuteMs = 60_000;
  const nowMs = Math.floor(Date.now() / minuteMs) * minuteMs;
  const row = (atMs: number, requests: number) => ({
    at: new Date(atMs).toISOString(),
    ...{ requests, failed: 3, limited: 2, cached: 7, p50Ms: 4, p95Ms: 20 },
  });
  const hourBefore = row(nowMs - 90 * minuteMs, 250_725);
  return [
    hourBefore,
    ...Array.from({ length: 30 }, (_, at) => row(nowMs - (29 - at) * minuteMs, at === 29 ? 1_000_000 : 100)),
  ];
}

const entry = (type: string, at: number) => ({
  ...{ type, id: `${type}_${at}`, status: at === 0 ? 'completed' : 'pending', createdAt: new Date().toISOString() },
  ...{ dlt: 'ethereum', networkId: 'dev', wallet: `0x${'12'.repeat(20)}`, transactions: [] },
  sent: { token: { native: false, symbol: `<b>${'Ｗ'.repeat(40)}`, decimals: 18 }, amount: '1500000000000000000' },
});

/** Whether the chart has pixels of the scheme's accent. Reads a copy, because the browser warns about repeated reads of one canvas. */
const hasBars = `(() => {
  const pixelsOf = (width, height, draw) => {
    const copy = Object.assign(document.createElement('canvas'), { width, height });
    const context = copy.getContext('2d', { willReadFrequently: true });
    draw(context);
    return context.getImageData(0, 0, width, height).data;
  };
  const place = document.body.appendChild(document.createElement('span'));
  place.style.color = 'var(--color-accent)';
  const { color } = getComputedStyle(place);
  place.remove();
  const accent = pixelsOf(1, 1, (context) => {
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
  });
  return [...document.querySelectorAll('main canvas')].some((canvas) => {
    const pixels = pixelsOf(canvas.width, canvas.height, (context) => context.drawImage(canvas, 0, 0));
    for (let at = 0; at < pixels.length; at += 4)
      if (accent.every((value, part) => pixels[at + part] === value)) return true;
    return false;
  });
})()`;

test('the overview shows first steps until the first call, then usage as chart and table, and activity; it recovers from errors and fits 360 px', async () => {
  const client = await installation.clientOf('alice');
  const opened = await openConsole(browser, installation, narrow);
  const { page } = opened;
  const usage = page.getByRole('region', { name: 'Usage' });
  const steps = page.getByRole('region', { name: 'First steps' });
  await steps.getByRole('link', { name: 'Create key' }).waitFor();
  await expectAccessibleInBoth(page);
  const { apiKey } = await client.apiKeys.mint({ label: 'first' });
  await page.reload();
  await steps.getByRole('link', { name: 'Create key' }).waitFor({ state: 'detached' });
  await steps.getByRole('link', { name: 'Open playground' }).waitFor();
  const call = await fetch(`${installation.gatewayUrl}/rpc/${apiKey}`, {
    ...{ method: 'POST', headers: { 'Content-Type': 'application/json' } },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }),
  });
  expect(call.status).toBe(200);
  // The gateway counts the first call within seconds, and the page polls for it.
  await steps.waitFor({ state: 'detached' });
  await until('the call is counted', async () => (await client.usage()).length > 0, 40_000, 500);
  await page.reload();
  await usage.getByRole('img').waitFor();
  // Fails until the notice is visible, because the order of the page's requests is not fixed.
  let isLimited = true;
  await page.route('**/users/me/usage?*', (route) => {
    if (isLimited)
      return route.fulfill({
        ...{ status: 429, headers: { 'Retry-After': '1' } },
        json: { timestamp: 0, status: 429, error: 'Service Unavailable', message: 'Not now.', path: '/' },
      });
    return route.fulfill({ json: { data: usageRows() } });
  });
  await page.route('**/users/me/history?*', (route) =>
    route.fulfill({ json: { data: ['deposit', 'withdrawal', 'swap'].map(entry) } }),
  );
  await page.reload();
  await usage.getByText('Too many requests').waitFor();
  isLimited = false;
  await usage.getByText('1,002,900').waitFor();
  await usage.getByText('150', { exact: true }).waitFor();
  await usage.getByText('20 ms', { exact: true }).waitFor();
  // The previous hour had a quarter of the requests.
  await usage.getByText('+300%').first().waitFor();
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await until(`bars have the color of the ${colorScheme} scheme`, () => page.evaluate<boolean>(hasBars));
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await usage.getByRole('img').hover();
  await usage
    .getByText(/ requests · 5 refused or failed · p95 20 ms$/)
    .or(usage.getByText(/ · 0 requests · /))
    .waitFor();
  await page.setViewportSize(narrow.viewport);
  await usage.getByText('Show as table').click();
  await until('the table has a row for each minute', async () => (await usage.getByRole('row').count()) === 31);
  await page.getByText('1.5 <b>').first().waitFor();
  await expectAccessibleInBoth(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expectAccessibleInBoth(page);
  const asked = page.waitForRequest(/usage\?.*bucket=day/);
  await usage.getByLabel('Time range').selectOption('Last 30 days');
  await asked;

  await page.getByRole('link', { name: 'Reference' }).click();
  const reference = page.frameLocator('iframe[title="Reference of every route"]');
  await reference.getByRole('heading', { level: 1 }).waitFor();
  // Only the console's navigation is visible.
  await reference.getByRole('navigation', { name: 'Contents' }).waitFor({ state: 'hidden' });
  await expectFrameAccessible(page);
  opened.expectNoComplaints();
  await opened.context.close();
});
