/** Opens the console in a browser as a signed-in user, with the checks that every page must pass. */
import { expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { until } from '@flowgate/testing/until';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { TestedConsole } from './tested-console.ts';

export const screen = { viewport: { width: 1440, height: 900 } };
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
export const narrow = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

/** Shorter than a test's time limit, so that the failure names the missing element. */
const patienceMs = 30_000;

export type ConsolePage = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Fails after browser messages, such as violations of the content security policy, and uncaught errors. */
  readonly expectNoComplaints: () => void;
};

export type OpenOptions = BrowserContextOptions & {
  /** A user of the test file. Default `alice`. */
  readonly user?: string;
  /** Below `/console`. Default: the overview. */
  readonly path?: string;
};

/** Signs in through the issuer's page. */
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

/** Waits until the field has this value; pages may write it after an event. */
export async function untilValue(field: Locator, expected: string | RegExp): Promise<void> {
  const isExpected = (value: string) => (typeof expected === 'string' ? value === expected : expected.test(value));
  await until(`the value is ${expected}`, async () => isExpected(await field.inputValue()));
}

/** Waits until the tab stores exactly these items. */
export async function untilStored(page: Page, expected: readonly string[]): Promise<void> {
  const stored = () => page.evaluate<string>('Object.keys(sessionStorage).sort().join()');
  await until(`the tab stores only ${expected}`, async () => (await stored()) === expected.join());
}

/** The browser reports each 4xx and 5xx response; pages handle these. */
const isOurs = (complaint: string) => !complaint.startsWith('Failed to load resource');

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Expects no axe violations (WCAG 2.2 A and AA, best practices) and nothing wider than the screen. `rules` restricts the axe rules. */
async function expectAccessible(page: Page, rules?: readonly string[]): Promise<void> {
  // Evaluated, because the content security policy forbids inline script elements.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe);
  const only = rules === undefined ? '' : `runOnly: ${JSON.stringify(rules)},`;
  const violations = await page.evaluate<string[]>(
    `axe.run(document, { ${only} resultTypes: ['violations'] }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 160) + ' ' + failureSummary)))`,
  );
  expect(violations).toEqual([]);
}

/** axe rules that need the whole page. */
const rulesOfWhole = ['landmark-unique', 'duplicate-id-aria'];

/** The reference is long, and axe takes seconds for it. Its first sections have every kind of element. The others are removed after the rules that need the whole page. */
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

/** Checks both color schemes. The second differs in colors only, so only color rules run there. */
export async function expectAccessibleInBoth(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await expectAccessible(page, ['color-contrast']);
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await page.evaluate<number>(overflow)).toBeLessThanOrEqual(0);
}

/** Checks both color schemes on the smallest phone and on a desktop screen. */
export async function expectAccessibleEverywhere(page: Page): Promise<void> {
  for (const { viewport } of [narrow, screen]) {
    await page.setViewportSize(viewport);
    await expectAccessibleInBoth(page);
  }
}
