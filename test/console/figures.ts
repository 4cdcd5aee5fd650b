/**
 * `bun test/console/figures.ts`: measures each page as an administrator on a large screen, with an empty cache, from
 * the browser's tracing and performance entries: transferred bytes, first and largest contentful paint, layout shift,
 * blocking time of scripts (the time of each task beyond 50 ms), and axe violations.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { CDPSession, Page } from 'playwright-core';
import { startBrowser } from '../../apps/gateway/test/fixtures/browser.ts';
import { openConsole } from './console-browser.ts';
import { startConsoleInstallation } from './console-installation.ts';

type TraceEvent = { readonly name: string; readonly ph: string; readonly dur?: number; readonly cat: string };

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const longTaskMicroseconds = 50_000;

const installation = await startConsoleInstallation({ bridge: process.env['LOOK_BRIDGE'] === '1' });
const browser = await startBrowser();
try {
  const { page, context } = await openConsole(browser, installation, { user: 'admin' });
  await page.getByText('Administrator').first().waitFor();
  const paths = await page.evaluate<string[]>(
    "[...document.querySelectorAll('nav a')].map((link) => new URL(link.href).pathname)",
  );
  const session = await context.newCDPSession(page);
  console.log('page                     KB  FCP ms  LCP ms    CLS  blocked ms  axe');
  for (const path of paths) console.log(await rowOf(page, session, path));
} finally {
  await browser.close();
  await installation.stop();
}

async function rowOf(page: Page, session: CDPSession, path: string): Promise<string> {
  await session.send('Network.clearBrowserCache');
  const blockedMs = await traced(session, () =>
    page.goto(installation.gatewayUrl + path, { waitUntil: 'networkidle' }).then(() => {}),
  );
  const found = await page.evaluate<{ kb: number; fcp: number; lcp: number; cls: number }>(`(async () => {
    const entries = (type) => new Promise((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type, buffered: true });
      setTimeout(() => resolve([]), 300);
    });
    const loaded = [...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')];
    return {
      kb: loaded.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1000,
      fcp: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
      lcp: (await entries('largest-contentful-paint')).at(-1)?.startTime ?? NaN,
      cls: (await entries('layout-shift')).reduce((sum, { value }) => sum + value, 0),
    };
  })()`);
  await page.evaluate(axe);
  const violations = await page.evaluate<number>('axe.run().then(({ violations }) => violations.length)');
  const cells = [found.kb.toFixed(0), found.fcp.toFixed(0), found.lcp.toFixed(0), found.cls.toFixed(3)];
  const widths = [4, 7, 7, 6];
  const figures = cells.map((cell, at) => cell.padStart(widths[at] ?? 0)).join(' ');
  return `${path.padEnd(22)} ${figures} ${blockedMs.toFixed(0).padStart(11)} ${String(violations).padStart(4)}`;
}

/** Milliseconds that tasks of the main thread took beyond 50 each. */
async function traced(session: CDPSession, load: () => Promise<void>): Promise<number> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { readonly value: readonly unknown[] }) => events.push(...(value as TraceEvent[]));
  const done = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  session.on('Tracing.dataCollected', collect);
  await session.send('Tracing.start', { categories: 'toplevel,devtools.timeline' });
  await load();
  await session.send('Tracing.end');
  await done;
  session.off('Tracing.dataCollected', collect);
  const tasks = events.filter(({ name, ph }) => ph === 'X' && (name === 'RunTask' || name.endsWith('::RunTask')));
  return tasks.reduce((sum, { dur = 0 }) => sum + Math.max(0, dur - longTaskMicroseconds), 0) / 1000;
}
