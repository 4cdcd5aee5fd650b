/** Flow Apps in a browser: any step renders, drafts survive, and nothing is submitted twice. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import type { Browser, Page } from 'playwright-core';
import { publishApp } from '../../devkit/src/publish-app.ts';
import { expectAccessibleInBoth, narrow, openConsole, untilValue } from './console-browser.ts';
import { fieldsOfAllTypes, type HostileApp, startHostileApp } from './hostile-app.ts';
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
  await publishApp(await installation.clientOf('admin'), app.publication);
});
afterAll(async () => {
  await app?.stop();
});

const { appId } = { appId: 'hostile/everything' };
const label = (type: string) => `Field of ${type}`;

async function startSession(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Start session' }).click();
  await page.waitForURL(/\/sessions\/ses_/);
  await page.getByRole('heading', { name: /^Everything/, level: 2 }).waitFor();
  return page.url().split('/').at(-1) ?? '';
}

/** Takes screenshots of the pages: `LOOK=DIRECTORY bun test test/console/flow.test.ts`. */
async function look(page: Page, name: string): Promise<void> {
  const directory = process.env['LOOK'];
  if (directory === undefined) return;
  const before = page.viewportSize();
  for (const [device, size] of Object.entries({ screen: { width: 1440, height: 900 }, phone: narrow.viewport }))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.screenshot({ path: `${directory}/flow-${name}-${device}-${colorScheme}.png`, fullPage: true });
    }
  if (before !== null) await page.setViewportSize(before);
}

const send = (page: Page) => page.getByRole('button', { name: 'Send it' });

const markup = '<img src=x onerror=alert(1)><a href=https://evil.example>x</a>';

test('the catalog shows markup in app texts as text', async () => {
  const { page, context, expectNoComplaints } = await openConsole(browser, installation, { path: '/keys' });
  // The gateway refuses markup, but pages must not depend on that.
  await context.route(/\/flow\/(registry|sessions)/, async (route) => {
    if (route.request().url().endsWith('/events')) return route.continue();
    const response = await route.fetch();
    const text = (await response.text()).replaceAll(/Everything|Transfer development dollars|Whose balance\?/g, markup);
    await route.fulfill({ response, body: text });
  });
  await page.getByRole('link', { name: 'Flow Apps' }).click();
  await page.getByRole('link', { name: markup }).first().waitFor();
  await expectAccessibleInBoth(page);
  await page.setViewportSize(narrow.viewport);
  await expectAccessibleInBoth(page);
  await page.getByRole('tab', { name: 'Your sessions' }).click();
  await page.getByText('No sessions yet').waitFor();
  await page.getByRole('tab', { name: 'Catalog' }).click();
  await page.locator('a[href$="/apps/flowgate/token-transfer"]').click();
  await page.getByRole('button', { name: 'Start session' }).waitFor();
  await page.getByLabel('First step').selectOption('check-balance');
  await expectAccessibleInBoth(page);
  await page.getByRole('button', { name: 'Start session' }).click();
  await page.getByRole('heading', { name: markup, level: 2 }).waitFor();
  expect(await page.locator('main img, main a[href^="https:"]').count()).toBe(0);
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  expectNoComplaints();
  await context.close();
});

test('forty fields of all types with long texts fit the page, show their problems and are submitted as typed', async () => {
  const { page, context, expectNoComplaints } = await openConsole(browser, installation, {
    path: `/apps/${appId}`,
  });
  await startSession(page);
  await expectAccessibleInBoth(page);
  await look(page, 'form');
  await page.setViewportSize(narrow.viewport);
  await expectAccessibleInBoth(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.getByLabel(label('number')).fill('0.12345678901234567890123');
  await page.getByLabel(label('json')).fill('{ "a": 12345678901234567890 }');
  await send(page).click();
  await page.getByText('Enter this number with fewer digits').waitFor();
  await page.getByText('The number 12345678901234567890 cannot be sent exactly').waitFor();
  await page.locator('[aria-invalid=true]:focus').waitFor();

  await page.getByLabel(label('number')).fill('101');
  await page.getByLabel(label('json')).fill('{ "a": [1, "12345678901234567890"] }');
  await page.getByLabel(label('amount')).fill('1e3');
  await page.getByLabel(label('address')).fill('vitalik.eth');
  await send(page).click();
  await page.getByText('This must be at most 100.').waitFor();
  await page.getByText(/^This must be an amount/).waitFor();
  await page.getByText(/^This must be an address/).waitFor();
  await expectAccessibleInBoth(page);
  expect(app.submitted).toEqual([]);

  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  const texts: Readonly<Record<string, string>> = {
    text: 'refuse me',
    number: '-1.50',
    date: '2024-02-29',
    address,
    amount: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
    signature: `0x${'ab'.repeat(65)}`,
    signedTransaction: `0x02${'cd'.repeat(100)}`,
    txHash: `0x${'ef'.repeat(32)}`,
    secret: 'correct horse battery',
  };
  for (const [type, text] of Object.entries(texts))
    await page.getByLabel(label(type), { exact: false }).first().fill(text);
  await page.getByLabel(label('boolean')).check();
  await page.getByLabel(label('select'), { exact: false }).first().selectOption({ label: 'The empty value' });
  await page
    .getByRole('group', { name: label('multiselect') })
    .getByRole('checkbox')
    .first()
    .check();
  await send(page).click();
  await page.getByText('The app refuses this.').waitFor();
  await page.getByText('And something else.').waitFor();
  const stored = await page.evaluate<string>('JSON.stringify(Object.entries(sessionStorage))');
  for (const gone of ['correct horse battery', 'cdcdcdcd', 'abababab']) expect(drafts(stored)).not.toContain(gone);
  await page.getByLabel(label('text'), { exact: false }).first().fill('<b>bold</b>');
  await send(page).click();
  await page.getByRole('heading', { name: 'That was all' }).waitFor();
  await page.getByText('This session is complete.').waitFor();
  expect(app.submitted.map(({ actionId, fieldValues }) => ({ actionId, fieldValues }))).toEqual([
    {
      actionId: 'send',
      fieldValues: {
        ...{ f0: '<b>bold</b>', f1: -1.5, f2: true, f3: '2024-02-29', f4: '', f5: [''], f6: address },
        ...{ f7: texts['amount'], f8: texts['signature'], f9: texts['signedTransaction'], f10: texts['txHash'] },
        ...{ f11: { a: [1, '12345678901234567890'] }, f12: texts['secret'] },
      },
    },
  ]);
  expect(fieldsOfAllTypes).toHaveLength(40);
  await page
    .getByRole('list', { name: 'Events, newest first' })
    .getByRole('listitem')
    .filter({ hasText: 'Recorded' })
    .waitFor();
  await page.getByText('Session completed').waitFor();
  await look(page, 'done');
  await expectAccessibleInBoth(page);
  expectNoComplaints();
  await context.close();
});

const first = (page: Page) => page.getByLabel(label('text'), { exact: false }).first();
const ended = (page: Page) => page.getByRole('heading', { name: 'That was all' }).waitFor();
const actedOn = (text: string) => app.submitted.filter(({ fieldValues }) => fieldValues['f0'] === text).length;

test('a step runs once despite a double click, a lost response and a reload; the draft is preserved', async () => {
  const { page, context } = await openConsole(browser, installation, { path: `/apps/${appId}` });
  await startSession(page);
  await first(page).fill('typed before the reload');
  await page.reload();
  await page.getByRole('heading', { name: /^Everything/, level: 2 }).waitFor();
  await untilValue(first(page), 'typed before the reload');
  // The gateway executes the step but its response is lost.
  const keys: (string | undefined)[] = [];
  await context.route(/\/steps\//, async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length > 1) return route.continue();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await send(page).dblclick();
  await ended(page);
  expect(actedOn('typed before the reload')).toBe(1);
  expect(new Set(keys).size).toBe(1);
  expect(keys.length).toBeGreaterThan(1);

  await page.getByRole('link', { name: 'Start another session' }).click();
  await startSession(page);
  await first(page).fill('reloaded in the middle');
  const blocked = app.hold();
  await send(page).click();
  await blocked.asked;
  await page.reload();
  await page.getByText('Running').waitFor();
  blocked.release();
  await ended(page);
  expect(actedOn('reloaded in the middle')).toBe(1);
  const stored = () => page.evaluate<string>('Object.keys(sessionStorage).join()');
  await until('no submission is stored', async () => !(await stored()).includes('flowgate.run.'));
  await context.close();
});

test('a second tab of a busy session says so and follows when the session continues', async () => {
  const { page, context } = await openConsole(browser, installation, { path: `/apps/${appId}` });
  const sessionId = await startSession(page);
  const other = await context.newPage();
  await other.goto(`${installation.gatewayUrl}/console/apps/${appId}/sessions/${sessionId}`);
  await other.getByRole('button', { name: 'Sign in' }).click();
  const drawn = other.getByRole('heading', { name: /^Everything/, level: 2 }).waitFor();
  await Promise.race([
    other
      .locator(`button[value="${installation.userOf('alice')}"]`)
      .click()
      .catch(() => {}),
    drawn,
  ]);
  await drawn;
  await first(page).fill('from the first tab');
  await first(other).fill('from the second tab');
  const blocked = app.hold();
  await send(page).click();
  await blocked.asked;
  await send(other).click();
  await other.getByText('This session is busy').waitFor();
  await expectAccessibleInBoth(other);
  blocked.release();
  await Promise.all([ended(page), ended(other)]);
  expect([actedOn('from the first tab'), actedOn('from the second tab')]).toEqual([1, 0]);
  await context.close();
});

test('a session is abandoned; an unknown session says that it was not found', async () => {
  const { page, context } = await openConsole(browser, installation, { path: `/apps/${appId}` });
  await startSession(page);
  await page.getByRole('button', { name: 'Abandon' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Abandon' }).click();
  await page.getByText('This session was abandoned at this step.').waitFor();
  await page.goto(`${installation.gatewayUrl}/console/apps/${appId}/sessions/ses_01KAJ0Z6V2M8T4Q9R3WX5Y7ABE`);
  await page.getByText('Session not found').waitFor();
  await expectAccessibleInBoth(page);
  await context.close();
});

/** The stored drafts; a pending submission is stored separately. */
const drafts = (stored: string): string =>
  JSON.stringify((JSON.parse(stored) as [string, string][]).filter(([name]) => name.startsWith('flowgate.draft.')));
