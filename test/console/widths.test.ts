/** Pages from 360 to 1,920 px: no horizontal scrolling, no hidden row actions, no button over code. */
import { beforeAll, expect, test } from 'bun:test';
import type { NodeRecord } from '@flowgate/client';
import type { Browser, Page } from 'playwright-core';
import { openConsole } from './console-browser.ts';
import { startsConsole } from './starts-console.ts';
import type { TestedConsole } from './tested-console.ts';

let installation: TestedConsole;
let browser: Browser;
let page: Page;
startsConsole(import.meta.file, (started) => {
  ({ installation, browser } = started);
});
beforeAll(async () => {
  const client = await installation.clientOf('admin');
  await client.apiKeys.mint({ label: 'indexer, production, eu-central, the one with a very long label' });
  const { keyId } = await client.apiKeys.mint({ label: 'revoked' });
  await client.apiKeys.revoke(keyId);
  await client.policies.create({
    ...{ name: 'W'.repeat(60), effect: 'deny', subjects: ['user:nouser'] },
    resource: { kind: 'network', id: 'ethereum/other' },
  });
  await client.nodes.register({
    ...{ dlt: 'ethereum', networkId: 'dev', label: 'archive of the indexer, eu-central' },
    url: `${installation.nodeProviderUrl}/key-of-the-provider-0123456789`,
  });
  ({ page } = await openConsole(browser, installation, { user: 'admin' }));
  // The widest measurements of a node.
  await page.route('**/nodes?*', async (route) => {
    const response = await route.fetch();
    const list: { data: NodeRecord[] } = await response.json();
    const data = list.data.map((node) => (node.last5Minutes === undefined ? node : { ...node, ...widest }));
    await route.fulfill({ response, json: { ...list, data } });
  });
});

const widest = {
  ...{ blockHeight: 9_007_199_254, lagBlocks: 1_234_567 },
  circuit: { state: 'cooling-down', retryAfterSeconds: 300 },
  last5Minutes: { calls: 12_345_678, failed: 1_234_567, errorRate: 0.1234, p50Ms: 9_120, p95Ms: 199_000 },
};
const widths = [360, 390, 768, 780, 1_024, 1_100, 1_200, 1_440, 1_920];
const pages = [
  '',
  '/keys',
  '/firewall',
  '/networks/ethereum/dev',
  '/playground',
  '/apps',
  '/admin/nodes',
  '/contracts',
];

/** Elements wider than the page, and table cells out of view. */
const outOfView = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  const tables = [...document.querySelectorAll('table')].flatMap((table) => {
    const scroller = table.parentElement;
    return scroller.scrollWidth > scroller.clientWidth + 1 ? ['table ' + scroller.getAttribute('aria-label')] : [];
  });
  return [...(scrollWidth > clientWidth ? ['page by ' + (scrollWidth - clientWidth)] : []), ...tables];
})()`;

for (const path of pages)
  test(`/console${path} fits every width`, async () => {
    await page.setViewportSize({ width: 1_440, height: 900 });
    await page.goto(`${installation.gatewayUrl}/console${path}`);
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('main').getByLabel('Loading').first().waitFor({ state: 'detached' });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await page.evaluate<string[]>(outOfView)]).toEqual([width, []]);
    }
  });

test('on a phone, the copy button does not cover the code', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${installation.gatewayUrl}/console/playground`);
  const code = page.getByRole('region', { name: 'Code' });
  const [text, button] = await Promise.all([
    code.locator('pre').boundingBox(),
    code.getByRole('button', { name: /^Copy/ }).boundingBox(),
  ]);
  expect((button?.y ?? Number.NaN) + (button?.height ?? Number.NaN)).toBeLessThanOrEqual(text?.y ?? Number.NaN);
});
