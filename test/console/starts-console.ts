/** Starts an installation and a browser for a test file of the console. */
import { afterAll, beforeAll } from 'bun:test';
import { basename } from 'node:path';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../../apps/gateway/test/fixtures/browser.ts';
import type { ConsoleInstallation, ConsoleOptions } from './console-installation.ts';
import { type ConsoleAddresses, type TestedConsole, testedConsole } from './tested-console.ts';

type Started<Installation> = { readonly installation: Installation; readonly browser: Browser };

/**
 * For tests that change only data of their own users. `npm test` starts one installation for all of these files
 * (serve-console.ts); a file that runs without it starts its own. `file`: the test's name, `import.meta.file`.
 */
export function startsConsole(file: string, onStarted: (started: Started<TestedConsole>) => void): void {
  const shared = process.env['FLOWGATE_TEST_CONSOLE'];
  if (shared === undefined) {
    startsOwnConsole(onStarted);
  } else {
    const addresses: ConsoleAddresses = JSON.parse(shared);
    const installation = testedConsole(addresses, basename(file, '.test.ts'));
    starts(async () => ({ installation, stop: async () => {} }), onStarted);
  }
}

/** For tests that affect other users: policies for all users, maintenance, a killed gateway, balances on the chain. */
export function startsOwnConsole(
  onStarted: (started: Started<ConsoleInstallation>) => void,
  options: ConsoleOptions = {},
): void {
  starts(async () => {
    // Loaded on demand, because files that share an installation do not start one.
    const { startConsoleInstallation } = await import('./console-installation.ts');
    const installation = await startConsoleInstallation(options);
    return { installation, stop: installation.stop };
  }, onStarted);
}

/** Starts both before the file's tests and stops them afterwards. */
function starts<Installation>(
  start: () => Promise<{ readonly installation: Installation; readonly stop: () => Promise<void> }>,
  onStarted: (started: Started<Installation>) => void,
): void {
  const ends: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const [{ installation }, browser] = await Promise.all([
      start().then((started) => {
        ends.push(started.stop);
        return started;
      }),
      startBrowser().then((started) => {
        // Before the installation, because open pages would send requests to it.
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
