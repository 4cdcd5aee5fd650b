/** The console by keyboard alone. Each focused control shows a focus ring. */
import { expect, test } from 'bun:test';
import { devAccount } from '@flowgate/devkit/dev-token';
import { until } from '@flowgate/testing/until';
import type { Browser, Page } from 'playwright-core';
import { openConsole } from './console-browser.ts';
import { startsConsole } from './starts-console.ts';
import type { TestedConsole } from './tested-console.ts';

let installation: TestedConsole;
let browser: Browser;
startsConsole(import.meta.file, (started) => {
  ({ installation, browser } = started);
});

/** More controls than any page or dialog of the test has. */
const maxTabs = 80;

/** The name of the focused control, and whether it shows a focus ring. */
const focusOf = (page: Page) =>
  page.evaluate<{ name: string; hasRing: boolean }>(`(() => {
    const { activeElement: at } = document;
    const name = at.ariaLabel ?? at.labels?.[0]?.textContent ?? at.textContent;
    const { outlineStyle, outlineWidth } = getComputedStyle(at);
    return { name: name.trim(), hasRing: outlineStyle !== 'none' && outlineWidth !== '0px' };
  })()`);

/** Presses Tab until a control of this name has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const seen: string[] = [];
  for (let pressed = 0; pressed < maxTabs; pressed += 1) {
    await page.keyboard.press('Tab');
    const focus = await focusOf(page);
    seen.push(focus.name);
    if (typeof name === 'string' ? focus.name !== name : !name.test(focus.name)) continue;
    expect(focus.hasRing).toBe(true);
    return;
  }
  throw new Error(`Tab did not reach ${name}, but: ${seen.join(' · ')}`);
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).first().waitFor();

/** Shortcuts work outside of fields only; after a page opens, no field has the focus. */
async function goTo(page: Page, keys: readonly string[], name: string): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
  await heading(page, name);
}

test('a key, a policy and a Flow App session are created by keyboard alone', async () => {
  const { page, context, expectNoComplaints } = await openConsole(browser, installation);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Go to a page' }).waitFor();
  await page.keyboard.type('api k');
  await page.keyboard.press('Enter');
  await heading(page, 'API keys');

  await tabTo(page, 'Create key');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('by keyboard');
  await tabTo(page, /^Expires/);
  await tabTo(page, 'Create key');
  await page.keyboard.press('Enter');
  await page.getByText('shown only once').waitFor();
  await until('Copy has the focus', async () => (await focusOf(page)).name === 'Copy');
  await tabTo(page, 'curl');
  await page.keyboard.press('ArrowRight');
  await until('the next tab has the focus', async () => (await focusOf(page)).name === 'viem');
  await tabTo(page, 'I saved the key');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText('by keyboard', { exact: true }).waitFor();

  await goTo(page, ['g', 'f'], 'Firewall');
  await tabTo(page, 'Add policy');
  await page.keyboard.press('Enter');
  await page.getByRole('checkbox', { name: 'by keyboard' }).waitFor();
  await tabTo(page, 'by keyboard');
  await page.keyboard.press('Space');
  await tabTo(page, 'Add policy');
  await page.keyboard.press('Enter');
  await page.getByRole('cell', { name: /^The key “by keyboard” may not send transactions/ }).waitFor();

  await goTo(page, ['g', 'l'], 'Flow Apps');
  await page.getByText('Transfer development dollars').waitFor();
  await tabTo(page, /^Transfer development dollars/);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Start session' }).waitFor();
  await tabTo(page, 'Start session');
  await page.keyboard.press('Enter');
  await page.getByLabel('From').waitFor();
  for (const [field, text] of [
    ['From', devAccount(1).address],
    ['To', devAccount(2).address],
    ['Amount in dollars', '1'],
  ] as const) {
    await tabTo(page, field);
    await page.keyboard.type(text);
  }
  await page.keyboard.press('Enter');
  await heading(page, 'Sign the transfer');
  await tabTo(page, 'Change or prepare again');
  await page.keyboard.press('Enter');
  await page.getByLabel('From').waitFor();
  await tabTo(page, 'Prepare the transfer');
  await page.keyboard.press('Shift+Tab');
  expect((await focusOf(page)).name).toBe('Amount in dollars');
  expectNoComplaints();
  await context.close();
});
