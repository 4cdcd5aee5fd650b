/**
 * The checker, end to end: it finds the violations of a cluster that is deliberately misconfigured, and none in a
 * single correct gateway under the same load.
 */

import { afterEach, describe, expect, test } from 'bun:test';
import { systemClock } from '@flowgate/base/clock';
import { check, describeViolations } from './checker.ts';
import { type Cluster, type ClusterOptions, startCluster } from './cluster.ts';
import { createRecorder, type Recorder } from './history.ts';
import { startLoad } from './load.ts';
import { createRecordedClient, type RecordedClient, type Target } from './recorded-client.ts';
import { until } from './until.ts';

const limit = 30;
let cluster: Cluster | undefined;
afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
});

type Run = {
  readonly recorder: Recorder;
  readonly client: RecordedClient;
  readonly targets: readonly Target[];
  readonly cluster: Cluster;
};

async function start(options: Omit<ClusterOptions, 'userPerMinute'>): Promise<Run> {
  const started = await startCluster({ ...options, userPerMinute: limit });
  cluster = started;
  const recorder = createRecorder(
    { userPerMinute: limit, activeKeys: 10, gateways: options.gateways, answerWithinMs: 5_000 },
    systemClock,
  );
  const client = createRecordedClient(recorder, started.issuer, () => 'planted');
  return { recorder, client, targets: started.gateways, cluster: started };
}

const times = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at));

describe('the checker, end to end', () => {
  test('finds no violation in one correct gateway under the whole load, killed once', async () => {
    const { recorder, client, targets, cluster } = await start({
      gateways: ['a'],
      storage: { database: 'sqlite:./a.db' },
    });
    const load = startLoad(client, targets, targets);
    await until('there was some load', () => recorder.entries.length > 300);
    // Its limits are in its own memory.
    const endDown = recorder.mark('gateway-down', 'a');
    recorder.note('counters-emptied');
    await cluster.gateway('a').kill();
    await cluster.gateway('a').start();
    endDown();
    const before = recorder.entries.length;
    await until('there was more load', () => recorder.entries.length > before + 200);
    await load.stop();
    expect(describeViolations(check(recorder))).toEqual([]);
    expect(recorder.entries.filter(({ status }) => status === 429).length).toBeGreaterThan(50);
  });

  test('finds a gateway with a higher limit', async () => {
    const { recorder, client, targets } = await start({
      gateways: ['a'],
      storage: { database: 'sqlite:./a.db' },
      planted: { a: limit * 2 },
    });
    const [a] = targets;
    if (a === undefined) throw new Error('no gateway');
    await Promise.all(times(limit * 2 + 1, () => client.identify(a, 'greedy')));
    expect(describeViolations(check(recorder)).join('\n')).toMatch(/limit: 2 violations\n {2}greedy: 60 admitted/);
  });

  test('finds gateways that share neither counters nor keys', async () => {
    const { recorder, client, targets } = await start({
      gateways: ['a', 'b', 'c'],
      storage: { database: 'sqlite:./${GATEWAY}.db' },
    });
    await Promise.all(targets.flatMap((target) => times(limit, () => client.identify(target, 'greedy'))));
    const [a, b] = targets;
    if (a === undefined || b === undefined) throw new Error('no gateways');
    const { key } = await client.mint(a, 'owner');
    if (key === undefined) throw new Error('no key');
    await client.call(b, key);
    await client.list(b, 'owner');
    const found = describeViolations(check(recorder)).join('\n');
    expect(found).toMatch(/greedy: 90 admitted/);
    expect(found).toMatch(/were certainly admitted/);
    expect(found).toMatch(/was refused as invalid at b/);
    expect(found).toMatch(/was minted and is missing in the list of owner at b/);
  });
});
