/** The playground in a browser: its key, form and JSON, responses of any size, errors, subscriptions, history and snippets. */
import { expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import type { Browser, Page } from 'playwright-core';
import { expectAccessibleInBoth, narrow, openConsole, untilStored, untilValue } from './console-browser.ts';
import type { ConsoleInstallation } from './console-installation.ts';
import { startsOwnConsole } from './starts-console.ts';

let installation: ConsoleInstallation;
let browser: Browser;
startsOwnConsole((started) => {
  ({ installation, browser } = started);
});

const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const json = (page: Page) => page.getByLabel('Parameters as JSON');
const answer = (page: Page) => page.getByRole('region', { name: 'Response' });
const methodButton = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Methods' }).getByRole('button', { name, exact: true });
const isRevoked = (keys: readonly { readonly revokedAt?: string }[]) =>
  keys.every(({ revokedAt }) => revokedAt !== undefined);
const keysOf = async (user: string) => (await (await installation.clientOf(user)).apiKeys.page()).data;

async function mine(method: string): Promise<void> {
  await fetch(installation.chainUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
  });
}

test('the playground creates a key with consent, syncs form and JSON, shows errors and subscriptions, shares no key, and revokes the key at sign-out', async () => {
  const opened = await openConsole(browser, installation, { path: '/playground' });
  const { page } = opened;
  await methodButton(page, 'eth_getBalance').waitFor();
  await page.getByLabel('Find a method').fill('balance');
  await methodButton(page, 'eth_blockNumber').waitFor({ state: 'detached' });
  await methodButton(page, 'eth_getBalance').click();

  // The form and the JSON.
  await page.getByLabel('Address', { exact: true }).fill('0x12');
  await page.getByText('40 hexadecimal digits after 0x.').waitFor();
  await page.getByLabel('Address', { exact: true }).fill(account);
  await page.getByLabel('Block', { exact: true }).fill('1');
  await page.getByLabel('Block', { exact: true }).blur();
  await untilValue(json(page), new RegExp(`^\\s*\\[\\s*"${account}",\\s*"0x1"\\s*\\]\\s*$`));
  await json(page).fill(`["${account}", "latest"`);
  await page.getByText('This is not valid JSON yet').waitFor();
  expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
  await json(page).fill(`["${account}", 12345678901234567890]`);
  await page.getByText('cannot be sent exactly').waitFor();
  await json(page).fill(`["${account}", "latest"]`);
  await untilValue(page.getByLabel('Block', { exact: true }), 'latest');
  await expectAccessibleInBoth(page);

  // The key.
  expect(await keysOf('alice')).toEqual([]);
  await page.keyboard.press('Control+Enter');
  await page.getByText('Calls need an API key').waitFor();
  await expectAccessibleInBoth(page);
  await page.getByRole('button', { name: 'Create key for this tab' }).click();
  await answer(page).getByText('Result', { exact: true }).waitFor();
  await answer(page)
    .getByText(/“0x[0-9a-f]+”/)
    .waitFor();
  await answer(page).getByText('dev-1').waitFor();
  const [minted, ...others] = await keysOf('alice');
  expect([minted?.label, others.length]).toEqual(['Console playground', 0]);
  const lifeMs = Date.parse(minted?.expiresAt ?? '') - Date.parse(minted?.createdAt ?? '');
  expect(Math.abs(lifeMs - 86_400_000)).toBeLessThan(60_000);
  const apiKey = await page.evaluate<string>("JSON.parse(sessionStorage.getItem('flowgate.console-key')).apiKey");
  expect(apiKey).toContain(minted?.keyId ?? 'no key');
  for (const tool of ['viem', 'cast', 'curl']) {
    await page.getByRole('tab', { name: tool }).click();
    const panel = page.getByRole('region', { name: 'Code' }).getByRole('tabpanel', { name: tool });
    await panel.getByText('FLOWGATE_API_KEY').first().waitFor();
    await panel.getByText('eth_getBalance').first().waitFor();
  }
  expect(await page.content()).not.toContain(apiKey);
  await expectAccessibleInBoth(page);

  // A complete request is pasted, and the node returns an error.
  await json(page).fill('{ "jsonrpc": "2.0", "id": 7, "method": "eth_getBalance", "params": ["0x12", "latest"] }');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await answer(page).getByText('Error -32602').waitFor();
  await answer(page).getByText('Invalid parameters').waitFor();
  await expectAccessibleInBoth(page);

  // Call and key survive a reload.
  await page.reload();
  await methodButton(page, 'eth_getBalance').waitFor();
  await untilValue(json(page), /0x12/);
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByRole('button', { name: 'Repeat eth_getBalance' }).last().click();
  await answer(page).getByText('Result', { exact: true }).waitFor();
  await untilValue(json(page), new RegExp(account));

  await page.getByRole('tab', { name: 'Subscribe' }).click();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('Waiting for the first event.').waitFor();
  await mine('evm_mine');
  const reported = page.getByRole('list', { name: 'Notifications, newest first' });
  await reported
    .getByText(/block \d+/)
    .first()
    .waitFor();
  await expectAccessibleInBoth(page);
  await page.setViewportSize(narrow.viewport);
  await expectAccessibleInBoth(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText(/Stopped after \d/).waitFor();

  await page.getByRole('button', { name: 'alice alice' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await until('the key is revoked', async () => isRevoked(await keysOf('alice')));
  await untilStored(page, ['flowgate.signed-out']);
  opened.expectNoComplaints();
  await opened.context.close();
});

test('an empty required parameter is marked and focused, and nothing is sent', async () => {
  const { page, context, expectNoComplaints } = await openConsole(browser, installation, {
    user: 'bob',
    path: '/playground',
  });
  let sent = 0;
  await page.route('**/rpc', (route) => {
    sent += 1;
    return route.abort();
  });
  await methodButton(page, 'eth_getBalance').press('Enter');
  const address = page.getByLabel('Address', { exact: true });
  expect(await address.getAttribute('aria-invalid')).toBeNull();
  await page.getByRole('button', { name: 'Send', exact: true }).press('Enter');
  await page.getByText('This is required.').waitFor();
  await address.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Control+Enter');
  await expectAccessibleInBoth(page);
  await page.keyboard.type(account);
  await page.getByText('This is required.').waitFor({ state: 'detached' });
  await methodButton(page, 'eth_getBlockByNumber').press('Enter');
  await json(page).focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('[""]');
  await page.keyboard.press('Control+Enter');
  await page.getByText('This is required.').first().waitFor();
  expect([sent, await page.getByRole('dialog').count()]).toEqual([0, 0]);
  expectNoComplaints();
  await context.close();
});

test('on a phone, a response of 5 MB is rendered in pieces with exact numbers and markup as text; 429 shows the wait; a revoked key is replaced', async () => {
  const opened = await openConsole(browser, installation, {
    ...narrow,
    ...{ user: 'carol', path: '/playground' },
  });
  const { page } = opened;
  const client = await installation.clientOf('carol');
  const { apiKey, keyId } = await client.apiKeys.mint({ label: 'pasted' });
  await page.getByRole('button', { name: 'Choose key' }).click();
  await page.getByRole('button', { name: 'Paste key' }).click();
  await page.getByLabel('API key', { exact: true }).fill('fk_too.short');
  await page.getByRole('button', { name: 'Use key' }).click();
  await page.getByText('This is not a complete API key').waitFor();
  await page.getByLabel('API key', { exact: true }).fill(apiKey);
  await page.getByRole('button', { name: 'Use key' }).click();
  await page.getByText('Choose a method').click();
  await methodButton(page, 'eth_gasPrice').click();
  await expectAccessibleInBoth(page);

  const logs = Array.from({ length: 15_000 }, (_, at) => ({ at, data: `0x${'ab'.repeat(150)}`, removed: false }));
  const body = `{"jsonrpc":"2.0","id":1,"result":{"<img src=x onerror=alert(1)>":"<b>bold</b>","exact":12345678901234567890,"logs":${JSON.stringify(logs)}}}`;
  expect(body.length).toBeGreaterThan(5_000_000);
  await page.route('**/networks/dev/rpc', (route) => route.fulfill({ contentType: 'application/json', body }));
  // The longest time between two frames while the response is parsed and rendered.
  await page.evaluate(`(() => {
    let last = performance.now();
    window.maxFrameMs = 0;
    const frame = (now) => { window.maxFrameMs = Math.max(window.maxFrameMs, now - last); last = now; requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
  })()`);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await answer(page).getByText('“<b>bold</b>”').waitFor();
  await answer(page).getByText('12345678901234567890').waitFor();
  await answer(page).getByRole('button', { name: 'logs' }).click();
  await answer(page).getByText('Show 100 more of 14,900').click();
  await answer(page).getByText('Show 100 more of 14,800').waitFor();
  await answer(page).getByRole('tab', { name: 'Text' }).click();
  await answer(page)
    .getByText(/Show more \([\d,]+ characters left\)/)
    .waitFor();
  const maxFrameMs = await page.evaluate<number>('window.maxFrameMs');
  console.log(
    `A response of ${(body.length / 1e6).toFixed(1)} MB: the longest frame took ${Math.round(maxFrameMs)} ms.`,
  );
  // Counts elements instead of milliseconds, because the machine may be busy.
  expect(await page.evaluate<number>("document.querySelectorAll('*').length")).toBeLessThan(5_000);
  await expectAccessibleInBoth(page);
  await page.unroute('**/networks/dev/rpc');

  await page.route('**/networks/dev/rpc', (route) =>
    route.fulfill({
      ...{ status: 429, headers: { 'Retry-After': '42', 'X-Request-Id': 'req-of-429' } },
      json: { timestamp: 0, status: 429, error: 'Too Many Requests', message: 'Over the limit.', path: '/rpc' },
    }),
  );
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await answer(page)
    .getByText(/Try again in \d+ s\./)
    .waitFor();
  await page.unroute('**/networks/dev/rpc');

  const startAgain = await installation.killGateway();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await answer(page).getByText('The gateway is not responding').waitFor();
  await startAgain();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await answer(page).getByText('Result', { exact: true }).waitFor();
  await answer(page)
    .getByText(/“0x[0-9a-f]+”/)
    .waitFor();

  await client.apiKeys.revoke(keyId);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('The gateway refused this key').waitFor();
  await opened.context.close();
});

test('networks outside the EVM family are called with raw JSON', async () => {
  const opened = await openConsole(browser, installation, { user: 'admin' });
  const { page } = opened;
  const solana = { dlt: 'solana', networkId: 'main', name: 'Solana', family: 'solana', default: false, status: 'up' };
  await page.route('**/networks?*', (route) =>
    route.fulfill({ json: { data: [{ ...solana, blockHeight: 7, nodes: { healthy: 1, total: 1 } }] } }),
  );
  await page.goto(`${installation.gatewayUrl}/console/playground?network=solana%2Fmain`);
  await methodButton(page, 'getBalance').click();
  await untilValue(json(page), new RegExp(`^\\s*\\[\\s*"${'1'.repeat(32)}"\\s*\\]\\s*$`));
  await page.getByRole('tab', { name: 'Subscribe' }).waitFor({ state: 'detached' });
  let asked: unknown;
  await page.route('**/dlts/solana/networks/main/rpc', (route) => {
    asked = route.request().postDataJSON();
    return route.fulfill({ json: { jsonrpc: '2.0', id: 1, result: { value: 1 } } });
  });
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('button', { name: 'Create key for this tab' }).click();
  await answer(page).getByText('Result', { exact: true }).waitFor();
  expect(asked).toMatchObject({ method: 'getBalance', params: ['1'.repeat(32)] });

  // A response that is too deeply nested, or has no body, does not break the page.
  const depth = 200_000;
  const nested = `{"jsonrpc":"2.0","id":1,"result":[123456789012345678901,${'['.repeat(depth)}${']'.repeat(depth)}]}`;
  await page.route('**/dlts/solana/networks/main/rpc', (route) =>
    route.fulfill({ contentType: 'application/json', body: nested }),
  );
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await answer(page).getByText('[ 2 ]').waitFor();
  await answer(page).getByRole('tab', { name: 'Text' }).click();
  await answer(page).getByText('nested too deeply').waitFor();
  await page.route('**/dlts/solana/networks/main/rpc', (route) => route.fulfill({ status: 204 }));
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await answer(page).getByText('No result').waitFor();

  await page.getByRole('button', { name: ', playground key' }).click();
  await page.getByRole('menuitem', { name: 'Revoke key' }).click();
  await page.getByText('Playground key revoked').first().waitFor();
  await until('the key is revoked', async () => isRevoked(await keysOf('admin')));
  await opened.context.close();
});
