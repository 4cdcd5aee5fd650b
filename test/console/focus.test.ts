/** Focus by keyboard: into each dialog and the palette, and back to the control that opened it. */
import { beforeAll, expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import type { Browser, Locator, Page } from 'playwright-core';
import { expectAccessibleInBoth, openConsole } from './console-browser.ts';
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
  await client.apiKeys.mint({ label: 'indexer' });
  await client.policies.create({
    ...{ effect: 'deny', subjects: ['user:nouser'], resource: { kind: 'network', id: 'ethereum/other' } },
  });
  ({ page } = await openConsole(browser, installation, { user: 'admin' }));
});

const focused = () => page.locator(':focus');
const button = (name: string | RegExp) => page.getByRole('main').getByRole('button', { name }).first();
/** The role and name that a screen reader announces for the focused control. */
const announced = async () =>
  await page.evaluate<string>(`(() => {
    const { activeElement: at } = document;
    return (at.labels?.[0]?.textContent ?? at.textContent).trim().replace(/optional$/, '').trim();
  })()`);

/** Opens a dialog from the control, closes it with Escape and expects the control to have the focus again. Returns the control that had the focus in the dialog. */
async function throughDialog(opener: Locator): Promise<string> {
  await opener.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.locator('dialog[open]:focus-within').waitFor();
  const name = await announced();
  await expectAccessibleInBoth(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await opener.and(focused()).waitFor();
  return name;
}

async function at(path: string): Promise<void> {
  await page.goto(`${installation.gatewayUrl}/console${path}`);
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
}

test('Ctrl K opens the palette and focuses its field; typing chooses a page, Escape restores the focus', async () => {
  await at('/keys');
  await button('Create key').focus();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Go to a page' }).waitFor();
  await page.keyboard.press('Escape');
  await button('Create key').and(focused()).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Go to a page' }).waitFor();
  await page.keyboard.type('firew');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Firewall' }).waitFor();
  await page.locator('main:focus').waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/firewall');
});

test('a dialog with fields focuses the first field', async () => {
  await at('/keys');
  expect(await throughDialog(button('Create key'))).toBe('Label');
  await at('/firewall');
  expect(await throughDialog(button('Add policy'))).toBe('What should it do?');
  expect(await throughDialog(button(/^Edit/))).toBe('Effect');
  await at('/networks/ethereum/dev');
  expect(await throughDialog(button('Register node'))).toBe('URL');
  await at('/apps');
  expect(await throughDialog(button('Register app'))).toMatch(/\w/);
});

test('a confirmation of an irreversible action focuses Cancel, so Enter does nothing', async () => {
  await at('/keys');
  expect(await throughDialog(button(/^Revoke/))).toBe('Cancel');
  await at('/firewall');
  expect(await throughDialog(button(/^Remove/))).toBe('Cancel');
  await button(/^Remove/).press('Enter');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect((await (await installation.clientOf('admin')).policies.page()).data).toHaveLength(1);
  await at('/admin/maintenance');
  await page.getByRole('checkbox').first().press('Space');
  expect(await throughDialog(button('Start maintenance…'))).toBe('Cancel');
});

test('Enter does not dismiss a new key; closing its dialog restores the focus', async () => {
  await at('/keys');
  await button('Create key').press('Enter');
  await page.keyboard.type('shown once');
  await page.keyboard.press('Enter');
  await page.getByText('shown only once').waitFor();
  await until('Copy has the focus', async () => (await announced()) === 'Copy');
  await expectAccessibleInBoth(page);
  await page.getByRole('button', { name: 'I saved the key' }).press('Enter');
  await button('Create key').and(focused()).waitFor();
});

test('after a row is removed, the focus is on the page', async () => {
  const { policies } = await installation.clientOf('admin');
  const resource = { kind: 'network', id: 'ethereum/removed' } as const;
  await policies.create({ name: 'Removed', effect: 'deny', subjects: ['user:nouser'], resource });
  await at('/firewall');
  const row = page.getByRole('row').filter({ hasText: 'Removed' });
  await row.getByRole('button', { name: /^Remove/ }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter');
  await row.waitFor({ state: 'detached' });
  await page.locator('main:focus').waitFor();
  expect(await focused().count()).toBe(1);
});
