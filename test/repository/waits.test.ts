/**
 * Tests wait for states (`@flowgate/testing/until`) and not for time. Where a test is about time itself, the line above
 * its wait gives the reason. This file lists the number of such waits.
 */

import { expect, test } from 'bun:test';
import { basename, join } from 'node:path';
import { Glob } from 'bun';

const root = join(import.meta.dir, '../..');
/** A turn of the event loop (`Bun.sleep(0)`) does not count as a wait. */
const wait = /\b(?:Bun\.sleep|Bun\.sleepSync|setTimeout)\((?!0\))|\btimers\/promises\b/;
const reason = /^\s*\/\/ Real time: \S.*\.$/;

/** The number of waits for time, by file name. */
const accepted: Readonly<Record<string, number>> = {
  'bodies-unread.test.ts': 1,
  'bridge-gateways.ts': 2,
  'bridge-run.ts': 2,
  'webhook-delivery.test.ts': 1,
  'deployed-contracts-crash.test.ts': 2,
  'drill.ts': 1,
  'fairness.alone.test.ts': 1,
  'faults.alone.test.ts': 2,
  'faults.test.ts': 1,
  'flow-app.ts': 1,
  'flow-client.ts': 1,
  'flow-crash.test.ts': 2,
  'flow-events.test.ts': 1,
  'flow-faults.test.ts': 6,
  'flow-follower.ts': 1,
  'flow-limits.test.ts': 1,
  'flow-load.ts': 1,
  'flow-recorded-client.ts': 1,
  'flow-recorded-receiver.ts': 1,
  'flow-steps.test.ts': 1,
  'flow-two-gateways.test.ts': 1,
  'haproxy.test.ts': 1,
  'hostile-traffic.ts': 1,
  'http-server.test.ts': 10,
  'http1-client.test.ts': 2,
  'http1-pool.test.ts': 3,
  'accelerated-time.ts': 1,
  'l1-miner.test.ts': 1,
  'leader.test.ts': 1,
  'load-run.test.ts': 1,
  'local-rollup.test.ts': 1,
  'load.ts': 6,
  'outbox-store-contract.ts': 1,
  'postgres-database.test.ts': 3,
  'process-tree.ts': 1,
  'raw-http1-server.ts': 1,
  'redis-admission-store.test.ts': 3,
  'session-lease.test.ts': 1,
  'sim-faults.ts': 1,
  'sqlite-threads.test.ts': 4,
  'stream-connections.test.ts': 1,
  'subscription-losses.ts': 2,
  'three-gateways.test.ts': 1,
  'until.ts': 2,
};

/** The lines that wait for time, and whether the line above each gives a reason. */
function waitsIn(text: string): readonly { readonly line: number; readonly hasReason: boolean }[] {
  const lines = text.split('\n');
  return lines.flatMap((each, at) =>
    wait.test(each) ? [{ line: at + 1, hasReason: reason.test(lines[at - 1] ?? '') }] : [],
  );
}

async function testCode(): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const paths = [...new Glob('{packages,apps,client,devkit,test}/**/*.ts').scanSync(root)]
    .filter(
      (path) =>
        !/node_modules\/|^(apps|test)\/console\//.test(path) &&
        /\.(test|contract)\.ts$|\/test\/|^test\/|^packages\/testing\//.test(path),
    )
    .filter((path) => !path.endsWith('repository/waits.test.ts'))
    .sort();
  return Promise.all(paths.map(async (path) => ({ path, text: await Bun.file(join(root, path)).text() })));
}

const files = await testCode();

test('no test waits for a fixed time without a reason', () => {
  expect(files.length).toBeGreaterThan(250);
  const unexplained = files.flatMap(({ path, text }) =>
    waitsIn(text).flatMap(({ line, hasReason }) => (hasReason ? [] : [`${path}:${line}`])),
  );
  expect(unexplained).toEqual([]);
});

test('the number of waits for time does not grow', () => {
  const counted: Record<string, number> = {};
  for (const { path, text } of files) {
    const [name, count] = [basename(path), waitsIn(text).length];
    if (count > 0) counted[name] = (counted[name] ?? 0) + count;
  }
  expect(counted).toEqual(accepted);
});

test('no test has a shorter timeout than the default, which finds hanging tests and tolerates a busy machine', () => {
  // The duration of an interval has the same form and is shorter.
  const limits = (text: string) =>
    [...text.matchAll(/^\s*\}, ([\d_]+)\);$|\bsetDefaultTimeout\(([\d_]+)\)/gm)].map(([, ofTest, ofFile]) =>
      Number((ofTest ?? ofFile)?.replaceAll('_', '')),
    );
  const max = limits(files.find(({ path }) => path.endsWith('/test-time-limit.ts'))?.text ?? '')[0];
  expect(max).toBe(180_000);
  const shorter = files.flatMap(({ path, text }) =>
    limits(text).flatMap((each) =>
      each >= 1_000 && each <= 180_000 && !path.endsWith('/test-time-limit.ts') ? [`${path}: ${each}`] : [],
    ),
  );
  expect(shorter).toEqual([]);
});

test('the rule finds a wait in every spelling, and accepts a turn of the event loop', () => {
  const found = (text: string) => waitsIn(text).map(({ hasReason }) => hasReason);
  expect(found('await Bun.sleep(5);')).toEqual([false]);
  expect(found('  // Soon.\n  await new Promise((resolve) => setTimeout(resolve, 5));')).toEqual([false]);
  expect(found("import { setTimeout as sleep } from 'node:timers/promises';")).toEqual([false]);
  expect(found('  // Real time: the lease.\n  Bun.sleepSync(400);')).toEqual([true]);
  expect(found('  // Real time:\n  Bun.sleepSync(400);')).toEqual([false]);
  expect(found('await Bun.sleep(0);\nclearTimeout(timer);')).toEqual([]);
});
