/** The reference page in a browser: on a phone and on a large screen, with and without scripts. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { chromiumMissing, startBrowser } from '../../apps/gateway/test/fixtures/browser.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const screen = { viewport: { width: 1280, height: 900 } };

let gateway: RunningGateway;
let browser: Browser;

/** Runs in the page, where arguments have no types. */
const inPage = <T>(page: Page, script: string): Promise<T> => page.evaluate<T>(script);
const shownTexts = (page: Page, selector: string) =>
  inPage<string[]>(
    page,
    `[...document.querySelectorAll('${selector}')].filter((each) => each.checkVisibility()).map((each) => each.textContent)`,
  );

describe.skipIf(chromiumMissing !== undefined)('the reference page', () => {
  beforeAll(async () => {
    gateway = await startGateway();
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  async function opened(options: BrowserContextOptions, use: (page: Page) => Promise<void>): Promise<void> {
    const context = await browser.newContext(options);
    try {
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(`${gateway.url}/reference`);
      await use(page);
      expect(complaints).toEqual([]);
    } finally {
      await context.close();
    }
  }

  test.each([
    ['a phone', phone, 44],
    ['a screen', screen, 24],
  ] as const)(
    'on %s nothing scrolls sideways, and every control is large enough to tap',
    async (_name, options, min) => {
      await opened(options, async (page) => {
        await inPage(page, "document.querySelectorAll('details').forEach((each) => { each.open = true; })");
        const wide =
          "[document.documentElement, ...document.querySelectorAll('.scroll')].filter((each) => each.scrollWidth > each.clientWidth).length";
        expect(await inPage<number>(page, wide)).toBe(0);
        const small = (selector: string, px: number) =>
          inPage<string[]>(
            page,
            `[...document.querySelectorAll('${selector}')].filter((each) => each.checkVisibility()).map((each) => [each, each.getBoundingClientRect()])
            .filter(([, { width, height }]) => width < 24 || height < ${px}).map(([each]) => each.outerHTML.slice(0, 120))`,
          );
        expect(await small('a, button, summary, input', 24)).toEqual([]);
        expect(await small('nav a, header a, button, summary, input', min)).toEqual([]);
        // On narrow screens, each cell shows the name of its column.
        const heads = await shownTexts(page, '#errors thead th');
        const label = "getComputedStyle(document.querySelector('#errors td'), '::before').content";
        expect([heads.length, await inPage<string>(page, label)]).toEqual(min === 44 ? [6, '"Meaning "'] : [6, 'none']);
        // More than a pixel: far down the page, neighbors overlap by a rounding error.
        const sideBySide =
          "document.querySelector('#errors th[scope=row]').getBoundingClientRect().bottom - document.querySelector('#errors td').getBoundingClientRect().top > 1";
        expect(await inPage<boolean>(page, sideBySide)).toBe(min === 24);
      });
    },
  );

  test('operation titles are unique, and the body of a refusal is shown once for each form', async () => {
    const text = await (await gateway.fetch('/reference')).text();
    const titles = [...text.matchAll(/<h3 id="[^"]+-h">([^<]+)<\/h3>/g)].map(([, title]) => title);
    expect(titles.length).toBeGreaterThan(50);
    expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
    for (const form of ['StandardError', 'JsonRpcError', 'ProblemDetails'])
      expect(text.split(`<figcaption>${form}</figcaption>`)).toHaveLength(2);
  });

  test('search shows the entries with all words and their number, and clearing it shows everything', async () => {
    await opened(screen, async (page) => {
      const all = (await shownTexts(page, '.operation, .schema')).length;
      const operations = (await shownTexts(page, '.operation h3')).length;
      await page.keyboard.press('/');
      await page.keyboard.type('idempotency-key SUBMIT');
      const found = await shownTexts(page, '.operation, .schema');
      expect(found.length).toBeGreaterThan(0);
      expect(found.length).toBeLessThan(all / 4);
      expect(found.filter((text) => !/idempotency-key/i.test(text) || !/submit/i.test(text))).toEqual([]);
      const rows = (await shownTexts(page, '#errors tbody tr')).length;
      expect(await page.textContent('#found')).toBe(`${found.length + rows} found`);
      expect((await shownTexts(page, '.side nav li li, nav.side li li')).join()).not.toContain('Mint');
      // A text that nearly every operation has about its refusals finds none of them.
      for (const [words, operation] of [
        ['revoke', 'Revoke an API key'],
        ['expired', 'List sessions'],
        ['409', 'Mint an API key'],
      ] as const) {
        await page.fill('#search', words);
        const titles = await shownTexts(page, '.operation h3');
        expect(titles).toContain(operation);
        expect(titles.length).toBeLessThan(operations / 3);
      }
      await page.fill('#search', 'revoke');
      // A link to a hidden entry leads to its place.
      await inPage(page, "location.hash = '#schema-ApiKeyInput'");
      await page.waitForFunction("document.getElementById('schema-ApiKeyInput').checkVisibility()");
      expect(await page.inputValue('#search')).toBe('');

      await page.fill('#search', 'no such thing anywhere');
      expect(await page.textContent('#found')).toBe('Nothing found');
      await page.press('#search', 'Escape');
      expect((await shownTexts(page, '.operation, .schema')).length).toBe(all);
    });
  });

  test('each example is copied exactly, also where the browser offers no clipboard to the page', async () => {
    const copied = async (page: Page) => {
      await page.click('#postRpc figure button');
      await page.waitForFunction("document.querySelector('#postRpc figure button').textContent === 'Copied'");
      return inPage<string>(page, 'getSelection().toString()');
    };
    await opened({ ...screen, permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      await copied(page);
      const source = await page.textContent('#postRpc figure code');
      expect(source).toStartWith('curl ');
      expect(await inPage<string>(page, 'navigator.clipboard.readText()')).toBe(source ?? '');
      expect(await inPage<number>(page, "document.querySelectorAll('figure:not(:has(button))').length")).toBe(0);
    });
    await opened(screen, async (page) => {
      await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
      await page.reload();
      expect(await copied(page)).toStartWith('curl ');
    });
  });

  test('on a phone, the menu closes after a link', async () => {
    await opened(phone, async (page) => {
      await page.tap('.menu summary');
      await page.tap('.menu a[href="#errors"]');
      expect(await inPage<boolean>(page, "document.querySelector('.menu').open")).toBe(false);
      const top = await inPage<number>(page, "document.getElementById('errors').getBoundingClientRect().top");
      expect(Math.abs(top)).toBeLessThan(200);
    });
  });

  test('without scripts the page is complete and has no controls without effect', async () => {
    await opened({ ...phone, javaScriptEnabled: false }, async (page) => {
      expect(await page.locator('.operation').count()).toBeGreaterThan(30);
      expect(await page.locator('.operation').first().isVisible()).toBe(true);
      expect(await page.locator('button, input').filter({ visible: true }).count()).toBe(0);
    });
  });
});
