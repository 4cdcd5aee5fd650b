/** What each test file of the console needs: an installation of its own and a browser. */
import { afterAll, beforeAll } from 'bun:test';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../../gateway/test/fixtures/browser.ts';
import { type ConsoleInstallation, startConsoleInstallation } from './console-installation.ts';

export type StartedConsole = { readonly installation: ConsoleInstallation; readonly browser: Browser };

/** Starts both before the file's tests, and ends what was started after them. */
export function startsConsole(
  onStarted: (started: StartedConsole) => void,
  options: Parameters<typeof startConsoleInstallation>[0] = {},
): void {
  const ends: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const [installation, browser] = await Promise.all([
      startConsoleInstallation(options).then((started) => {
        ends.push(started.stop);
        return started;
      }),
      startBrowser().then((started) => {
        // Before the installation: its pages would ask it again.
        ends.unshift(() => started.close());
        return started;
      }),
    ]);
    onStarted({ installation, browser });
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });
}
