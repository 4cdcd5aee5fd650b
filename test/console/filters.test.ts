/** Filters of lists in a browser: by keyboard, in the URL, and named when nothing matches (contract/bridge#lists). */
import { expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import type { Browser, Page } from 'playwright-core';
import { dayRange } from '../../apps/console/src/pages/ledger/day-range.ts';
import { expectAccessibleEverywhere, expectAccessibleInBoth, openConsole, untilValue } from './console-browser.ts';
import { startsConsole } from './starts-console.ts';
import type { TestedConsole } from './tested-console.ts';

let installation: TestedConsole;
let browser: Browser;
startsConsole(import.meta.file, (started) => {
  ({ installation, browser } = started);
});

const hash = `0x${'ab'.repeat(32)}`;
const address = `0x${'5a'.repeat(20)}`;
const place = { dlt: 'ethereum', networkId: 'dev' };
const time = '2026-11-22T12:00:00.000Z';

const withdrawal = {
  ...{ withdrawalId: 'wdr_1', bridgeId: 'main', kind: 'native', withdrawalHash: hash, nonce: '1', blockers: [] },
  ...{ status: 'failed', failureReason: 'relay_failed', messageHash: hash, source: place, destination: place },
  ...{ token: { native: true, symbol: 'ETH', decimals: 18 }, amount: '5', from: address, to: address },
  ...{ l2TransactionHash: hash, createdAt: time, updatedAt: time, statusChangedAt: time },
};

/** Serves the list, empty when filtered. Returns the query of each request. */
async function answerWithdrawals(page: Page): Promise<readonly URLSearchParams[]> {
  const asked: URLSearchParams[] = [];
  await page.route(/\/users\/me\/withdrawals\?/, (route) => {
    const { searchParams } = new URL(route.request().url());
    asked.push(searchParams);
    const isFiltered = [...searchParams.keys()].some((name) => name !== 'limit');
    return route.fulfill({ json: { data: isFiltered ? [] : [withdrawal] } });
  });
  return asked;
}

const searchOf = (page: Page) => decodeURIComponent(new URL(page.url()).search);

test('filters chosen by keyboard are in the URL and in the request', async () => {
  const { page, context, expectNoComplaints } = await openConsole(browser, installation);
  const asked = await answerWithdrawals(page);
  await page.goto(`${installation.gatewayUrl}/console/withdrawals`);
  const state = page.getByRole('button', { name: /^State/ });
  await state.focus();
  await page.keyboard.press('Enter');
  const option = (name: string) => page.getByRole('menuitemcheckbox', { name });
  await option('Initiated').waitFor();
  await expectAccessibleInBoth(page);
  // Typing selects the state with this prefix; the list remains open.
  await page.keyboard.type('fa');
  const focused = page.locator(':focus');
  await option('Failed').and(focused).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Home');
  await option('Initiated').and(focused).waitFor();
  await page.keyboard.press('Enter');
  await until(
    'both are checked',
    async () => (await page.getByRole('menuitemcheckbox', { checked: true }).count()) === 2,
  );
  await page.keyboard.press('Escape');
  await option('Failed').waitFor({ state: 'detached' });
  await state.and(focused).waitFor();
  expect(await state.textContent()).toBe('2 selected');

  await page.getByLabel('Transaction').focus();
  await page.keyboard.type('0xab');
  await page.keyboard.press('Tab');
  await page.getByText('Enter 0x and 64 hexadecimal digits.').waitFor();
  await expectAccessibleEverywhere(page);
  // Focusing the field selects its text.
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.type(hash);
  await until('the gateway is asked', async () => asked.at(-1)?.get('transactionHash') === hash);
  await page.getByLabel('Since').fill('2026-11-01');
  await page.getByLabel('Until').fill('2026-11-20');
  await until('the gateway is asked', async () => asked.at(-1)?.get('before') != null);
  const { after, before } = dayRange('2026-11-01', '2026-11-20');
  expect(Object.fromEntries(asked.at(-1) ?? [])).toEqual({
    ...{ limit: '25', status: 'initiated,failed', transactionHash: hash },
    ...{ after: String(after), before: String(before) },
  });
  // An incomplete hash was not sent.
  expect(asked.every((each) => [null, hash].includes(each.get('transactionHash')))).toBe(true);
  expect(searchOf(page)).toBe(`?state=initiated,failed&transaction=${hash}&since=2026-11-01&until=2026-11-20`);

  await page.getByText('No matches').waitFor();
  await page.getByText('Initiated or Failed').waitFor();
  await page.getByText('Nov 20, 2026').waitFor();
  await expectAccessibleEverywhere(page);
  await page.reload();
  await page.getByText('Initiated or Failed').waitFor();
  await untilValue(page.getByLabel('Transaction'), hash);
  await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: '0.000000000000000005' }).waitFor();
  expect(searchOf(page)).toBe('');
  expectNoComplaints();
  await context.close();
});

test('invalid filter values in the URL are not sent to the gateway', async () => {
  const { page, context } = await openConsole(browser, installation);
  const asked = await answerWithdrawals(page);
  const search = 'state=gone,failed&transaction=0x1&since=2026-02-31&until=yesterday';
  await page.goto(`${installation.gatewayUrl}/console/withdrawals?${search}`);
  await page.getByText('No matches').waitFor();
  expect(Object.fromEntries(asked.at(-1) ?? [])).toEqual({ limit: '25', status: 'failed' });
  await page.getByText('Enter 0x and 64 hexadecimal digits.').waitFor();
  await context.close();
});

test('filters in a link survive the sign-in', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${installation.gatewayUrl}/console/history?kind=swap&since=2026-11-01`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator(`button[value="${installation.userOf('alice')}"]`).click();
  await page.getByText('No matches').waitFor();
  await page.getByText('Nov 1, 2026').waitFor();
  expect(searchOf(page)).toBe('?kind=swap&since=2026-11-01');
  await context.close();
});
