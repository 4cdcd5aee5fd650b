/** Networks and nodes in a browser: the life of a node, and a gateway that becomes unavailable and returns. */
import { expect, test } from 'bun:test';
import type { NodeRecord } from '@flowgate/client';
import { until } from '@flowgate/testing/until';
import type { Browser, Page } from 'playwright-core';
import { expectAccessibleInBoth, narrow, openConsole, untilValue } from './console-browser.ts';
import type { ConsoleInstallation } from './console-installation.ts';
import { startsOwnConsole } from './starts-console.ts';

let installation: ConsoleInstallation;
let browser: Browser;
startsOwnConsole((started) => {
  ({ installation, browser } = started);
});

const providersKey = 'secret-of-the-provider-0123456789';
const hostile = `<img src=x onerror=alert(1)>${'Ｗ'.repeat(72)}`;
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

test('a node is registered, becomes healthy without a reload, is edited and removed; its secret is never shown', async () => {
  const opened = await openConsole(browser, installation, { path: '/networks' });
  const { page } = opened;
  await page.getByText('Local node provider').waitFor();
  await expectAccessibleInBoth(page);
  await page.getByRole('link', { name: 'Local development chain' }).click();
  await page.getByRole('heading', { name: 'Local development chain' }).waitFor();
  await rowOf(page, 'dev-1').getByText('Healthy').waitFor();

  await page.getByRole('button', { name: 'Register node' }).click();
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await page.getByText('Enter the URL of your node').waitFor();
  await page.getByLabel('URL').fill('http://user:pw@nodes.example:81/short?x=1');
  await page.getByLabel('Label').fill('Ｗ'.repeat(101));
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  const problem = async (field: string) => {
    const id = (await page.getByLabel(field).getAttribute('aria-describedby')) ?? '';
    return page.locator(`[id="${id}"]`).textContent();
  };
  await page.getByText('This must have 1 to 100 characters.').waitFor();
  await page.getByLabel('Label').fill(hostile);
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await page.getByText('This must have no query.').waitFor();
  const atUrl = await problem('URL');
  for (const rule of ['scheme https', 'no user', 'no query', 'approved provider', "provider's key", 'default port'])
    expect(atUrl).toContain(rule);
  await expectAccessibleInBoth(page);

  await page.getByLabel('URL').fill(`${installation.nodeProviderUrl}/${providersKey}`);
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  const row = rowOf(page, hostile);
  await row.getByText('Yours').waitFor();
  // Without a reload.
  await row.getByText('Healthy').waitFor();
  await row.getByText('/v2/***').waitFor();
  await expectAccessibleInBoth(page);
  await page.setViewportSize(narrow.viewport);
  await expectAccessibleInBoth(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  await row.getByRole('button', { name: /Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByLabel('Label').fill('archive');
  await page.getByLabel('New URL').fill('https://nodes.example/x');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('approved provider', { exact: false }).last().waitFor();
  await page.getByLabel('New URL').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await rowOf(page, 'archive').getByText('/v2/***').waitFor();
  const storedItems = await page.evaluate<string>('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])');
  expect(storedItems + (await page.content())).not.toContain(providersKey);

  await rowOf(page, 'archive')
    .getByRole('button', { name: /Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('“archive” removed').first().waitFor();
  await rowOf(page, 'archive').waitFor({ state: 'detached' });
  await page.goto(`${installation.gatewayUrl}/console/networks/ethereum/unknown`);
  await page.getByText('Network not found').waitFor();
  expect(await page.getByRole('button', { name: 'Register node' }).count()).toBe(0);
  const client = await installation.clientOf('alice');
  expect((await client.nodes.page()).data.filter(({ source }) => source === 'user')).toEqual([]);
  opened.expectNoComplaints();
  await opened.context.close();
});

test('latency, errors and circuit of a node are shown to its owner with units (contract/node-figures)', async () => {
  const carol = await installation.clientOf('carol');
  const name = { dlt: 'ethereum', networkId: 'dev' };
  const { nodeId } = await carol.nodes.register({
    ...{ ...name, label: 'indexer' },
    url: `${installation.nodeProviderUrl}/key-of-carol-0123456789`,
  });
  const opened = await openConsole(browser, installation, {
    ...{ user: 'carol', path: '/networks/ethereum/dev' },
  });
  const { page } = opened;
  const row = rowOf(page, 'indexer');
  await row.getByText('No calls in 5 minutes').waitFor();
  await row.getByText('Closed', { exact: true }).waitFor();
  // Only administrators see the figures of the operator's nodes.
  expect(await rowOf(page, 'dev-1').getByText('No calls').count()).toBe(0);
  expect(await rowOf(page, 'dev-1').getByText('Closed').count()).toBe(0);

  const { apiKey } = await carol.apiKeys.mint({ label: 'figures' });
  const called = await fetch(`${installation.gatewayUrl}/dlts/ethereum/nodes/${nodeId}/rpc/${apiKey}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_gasPrice', params: [] }),
  });
  expect(called.status).toBe(200);
  await page.reload();
  await row.getByText(/^p50 [\d.,]+ ms,$/).waitFor();
  await row.getByText('0% errors in 1 call', { exact: true }).waitFor();

  const figures = { calls: 12_040, failed: 3, errorRate: 0.0002, p50Ms: 38.5, p95Ms: 12_300 };
  const known = await carol.nodes.get(nodeId);
  const circuits: readonly (readonly [NodeRecord['circuit'], string])[] = [
    [{ state: 'open', retryAfterSeconds: 12 }, 'Open, retry in 12 s'],
    [{ state: 'half-open' }, 'Half-open'],
    [{ state: 'cooling-down', retryAfterSeconds: 200 }, 'Cooling down, retry in 200 s'],
  ];
  await page.route('**/nodes?*', (route) =>
    route.fulfill({
      json: {
        data: circuits.map(([circuit], at) => ({ ...known, nodeId: `node-${at}`, last5Minutes: figures, circuit })),
      },
    }),
  );
  await page.reload();
  for (const [, words] of circuits) await page.getByText(words, { exact: true }).waitFor();
  await page.getByText('p95 12.3 s').first().waitFor();
  await page.getByText('< 0.1% errors in 12,040 calls').first().waitFor();
  await expectAccessibleInBoth(page);
  await page.setViewportSize(narrow.viewport);
  await expectAccessibleInBoth(page);
  opened.expectNoComplaints();
  await opened.context.close();
});

test('a hundred networks fit a screen of 360 px and can be searched; the page explains 429 and an unavailable gateway, and recovers by itself', async () => {
  const opened = await openConsole(browser, installation, { ...narrow, user: 'bob', path: '/networks' });
  const { page } = opened;
  const network = (at: number) => ({
    ...{ dlt: 'ethereum', networkId: `n-${at}`, name: at % 2 === 0 ? `Network ${at}` : `${'Ｗ'.repeat(90)} ${at}` },
    ...{ family: 'evm', chainId: 2 ** 50 + at, default: at === 0, status: at % 3 === 0 ? 'down' : 'degraded' },
    ...{ blockHeight: 9_007_199_254_740_991, nodes: { healthy: 0, total: 9 } },
  });
  // Fails until the notice is visible, because the order of the page's requests is not fixed.
  let isLimited = true;
  await page.route('**/networks?*', async (route) => {
    if (isLimited)
      return route.fulfill({
        ...{ status: 429, headers: { 'Retry-After': '1', 'X-Request-Id': 'req-of-429' } },
        json: { timestamp: 0, status: 429, error: 'Too Many Requests', message: 'Over the limit.', path: '/networks' },
      });
    return route.fulfill({ json: { data: Array.from({ length: 100 }, (_, at) => network(at)) } });
  });
  await page.reload();
  await page.getByText('Too many requests').waitFor();
  await page.getByText('req-of-429').waitFor();
  isLimited = false;
  await page.getByText('Network 98').waitFor();
  await expectAccessibleInBoth(page);
  await page.getByLabel('Find a network').fill('n-97');
  await page.getByText('Network 98').waitFor({ state: 'detached' });
  await until('one network is left', async () => (await page.getByRole('row').count()) === 2);
  await page.unroute('**/networks?*');

  await page.goto(`${installation.gatewayUrl}/console/networks/ethereum/dev`);
  await page.getByRole('heading', { name: 'Nodes' }).waitFor();
  const startAgain = await installation.killGateway();
  await page.getByRole('button', { name: 'Register node' }).first().click();
  await page.getByLabel('URL').fill(`${installation.nodeProviderUrl}/another-key-0123456789`);
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await page.getByText('The gateway is not responding').first().waitFor();
  await startAgain();
  await untilValue(page.getByLabel('URL'), /another-key/);
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await page.getByText('Yours').waitFor();
  await opened.context.close();
});
