/** The console in a browser: pages of people who are signed in, and what every page must keep to. */
import { expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { until } from '@flowgate/testing/until';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { TestedConsole } from './tested-console.ts';

export const screen = { viewport: { width: 1440, height: 900 } };
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
export const narrow = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

/** Less than a test may take, so that the failure names what was waited for. */
const patienceMs = 30_000;

export type ConsolePage = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Fails when the page has complained: messages of the browser, breaches of the policy among them, and errors nobody caught. */
  readonly expectNoComplaints: () => void;
};

export type OpenOptions = BrowserContextOptions & {
  /** A user of the test file. Default `alice`. */
  readonly user?: string;
  /** Below `/console`. Default: the overview. */
  readonly path?: string;
};

/** Signs in as a person does, through the issuer's page. */
export async function openConsole(
  browser: Browser,
  { gatewayUrl, userOf }: TestedConsole,
  { user = 'alice', path = '', ...options }: OpenOptions = {},
): Promise<ConsolePage> {
  const context = await browser.newContext({ ...screen, ...options });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${gatewayUrl}/console${path}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator(`button[value="${userOf(user)}"]`).click();
  await page.getByRole('main').waitFor();
  await page.waitForURL(`${gatewayUrl}/console${path === '' ? '/' : path}`);
  return { page, context, expectNoComplaints: () => expect(complaints.filter(isOurs)).toEqual([]) };
}

/** Resolves when the field has this value: pages may write it after the event that a test has sent. */
export async function untilValue(field: Locator, expected: string | RegExp): Promise<void> {
  const isExpected = (value: string) => (typeof expected === 'string' ? value === expected : expected.test(value));
  await until(`the value is ${expected}`, async () => isExpected(await field.inputValue()));
}

/** Resolves when the tab stores these items and no others. */
export async function untilStored(page: Page, expected: readonly string[]): Promise<void> {
  const stored = () => page.evaluate<string>('Object.keys(sessionStorage).sort().join()');
  await until(`the tab stores only ${expected}`, async () => (await stored()) === expected.join());
}

/** The browser reports each answer of status 4xx and 5xx; those are the pages' business. */
const isOurs = (complaint: string) => !complaint.startsWith('Failed to load resource');

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** axe finds nothing (WCAG 2.2 A and AA, and its best practices), and nothing is wider than the screen. `rules`: only these. */
async function expectAccessible(page: Page, rules?: readonly string[]): Promise<void> {
  // Not as a script element: the page's policy refuses those.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe);
  const only = rules === undefined ? '' : `runOnly: ${JSON.stringify(rules)},`;
  const violations = await page.evaluate<string[]>(
    `axe.run(document, { ${only} resultTypes: ['violations'] }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 160) + ' ' + failureSummary)))`,
  );
  expect(violations).toEqual([]);
}

/** Of axe: what a part of the page cannot show. */
const rulesOfWhole = ['landmark-unique', 'duplicate-id-aria'];

/** The reference is long, and axe takes seconds for it. Its first sections have every kind of element; the others are taken out after the rules that compare all of the page. */
export async function expectFrameAccessible(page: Page): Promise<void> {
  const frame = page.frames().find((each) => each !== page.mainFrame());
  if (frame === undefined) throw new Error('The page has no frame.');
  await frame.evaluate(axe);
  const found = (only: string) =>
    frame.evaluate<string[]>(
      `axe.run(document, { ${only} resultTypes: ['violations'] }).then(({ violations }) =>
        violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 160) + ' ' + failureSummary)))`,
    );
  expect(await found(`runOnly: ${JSON.stringify(rulesOfWhole)},`)).toEqual([]);
  await frame.evaluate(
    "document.querySelectorAll('main > section:nth-of-type(n + 4), nav li li:nth-child(n + 3)').forEach((each) => each.remove())",
  );
  expect(await found('')).toEqual([]);
}

/** In both colour schemes, of which the second differs in colours alone; and nothing is wider than the screen. */
export async function expectAccessibleInBoth(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await expectAccessible(page, ['color-contrast']);
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await page.evaluate<number>(overflow)).toBeLessThanOrEqual(0);
}

/** In both color schemes, on the smallest phone and on a screen. */
export async function expectAccessibleEverywhere(page: Page): Promise<void> {
  for (const { viewport } of [narrow, screen]) {
    await page.setViewportSize(viewport);
    await expectAccessibleInBoth(page);
  }
}
