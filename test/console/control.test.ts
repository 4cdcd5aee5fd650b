/** Administration in a browser. */
import { expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import type { Browser } from 'playwright-core';
import { expectAccessibleInBoth, narrow, openConsole } from './console-browser.ts';
import type { ConsoleInstallation } from './console-installation.ts';
import { startsOwnConsole } from './starts-console.ts';

let installation: ConsoleInstallation;
let browser: Browser;
startsOwnConsole((started) => {
  ({ installation, browser } = started);
});

const hourMs = 3_600_000;

/** The format of `datetime-local`. The browser uses the test's time zone. */
function localTime(atMs: number): string {
  return new Date(atMs - new Date(atMs).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

test('an administrator starts and schedules maintenance, searches a user, sets limits and cordons a node; the audit log shows each action', async () => {
  const { page, context, expectNoComplaints } = await openConsole(browser, installation, {
    user: 'admin',
    path: '/admin',
  });
  const alice = await installation.clientOf('alice');
  const bob = await installation.clientOf('bob');
  // Users are listed with their first key or, after some seconds, with their first request.
  await alice.apiKeys.mint({ label: 'indexer' });
  await bob.apiKeys.mint({ label: 'indexer' });
  await page.getByRole('checkbox', { name: 'Flow Apps' }).check();
  await page.getByLabel('Message').fill('Back at noon.');
  await page.getByRole('button', { name: 'Start maintenance…' }).click();
  await expectAccessibleInBoth(page);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('button', { name: 'End maintenance' }).waitFor();
  const refused = await alice.flow.apps.page({ retry: false }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ status: 503, message: expect.stringContaining('Back at noon.') });
  await page.getByRole('button', { name: 'End maintenance' }).click();
  await page.getByRole('button', { name: 'Start maintenance…' }).waitFor();
  expect((await alice.flow.apps.page()).data.length).toBeGreaterThan(0);

  await page.getByRole('checkbox', { name: 'Schedule for later' }).check();
  await page.getByLabel('Starts').fill(localTime(Date.now() + 2 * hourMs));
  await page.getByLabel('Ends').fill(localTime(Date.now() + 3 * hourMs));
  await page.getByRole('button', { name: 'Schedule maintenance…' }).click();
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  const banner = page.getByRole('status').filter({ hasText: 'Scheduled maintenance starts' });
  await banner.getByText('Back at noon.').waitFor();
  await page.getByText('Scheduled', { exact: true }).waitFor();
  await expectAccessibleInBoth(page);
  expect((await alice.flow.apps.page()).data.length).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Cancel schedule' }).click();
  await banner.waitFor({ state: 'detached' });

  await page.getByRole('tab', { name: 'Users' }).click();
  await page.getByRole('link', { name: 'bob', exact: true }).waitFor();
  await page.getByRole('searchbox', { name: 'Search by ID' }).fill('LIC');
  await page.getByRole('link', { name: 'bob', exact: true }).waitFor({ state: 'detached' });
  await expectAccessibleInBoth(page);
  await page.getByRole('link', { name: 'alice', exact: true }).click();
  await page.getByText('Configured: 300').waitFor();
  await page.getByLabel(/^Requests per minute/).fill('250');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Limits of alice saved').first().waitFor();
  await until('the limit is in force', async () => (await alice.whoAmI()).requestsPerMinute === 250);
  await expectAccessibleInBoth(page);

  await page.getByRole('tab', { name: 'Nodes' }).click();
  // Head, lag and circuit of the operator's node, without calls to users' nodes.
  const row = page.getByRole('row').filter({ hasText: 'Operator' });
  for (const words of [/^[\d,]+$/, 'no lag', 'No calls in 5 minutes', 'Closed'])
    await row.getByText(words, { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Cordon/ }).click();
  await page.getByText('Cordoned', { exact: true }).waitFor();
  await expectAccessibleInBoth(page);
  await page.getByRole('button', { name: /^Uncordon/ }).click();

  await page.getByRole('tab', { name: 'Audit log' }).click();
  for (const action of ['maintenance.set', 'limits.set', 'node.cordoned'])
    await page.getByRole('cell', { name: action }).first().waitFor();
  await page.getByRole('button', { name: /^Show/ }).first().click();
  await expectAccessibleInBoth(page);
  await page.getByRole('button', { name: 'Close' }).click();
  await page.setViewportSize(narrow.viewport);
  await expectAccessibleInBoth(page);
  for (const tab of ['Policies', 'Indexer', 'Maintenance']) {
    await page.getByRole('tab', { name: tab }).click();
    await expectAccessibleInBoth(page);
  }
  expectNoComplaints();
  await context.close();
});

test('users who are not administrators get "Page not found"', async () => {
  const { page, context } = await openConsole(browser, installation, { path: '/admin' });
  await page.getByText('Page not found').waitFor();
  expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0);
  await context.close();
});
