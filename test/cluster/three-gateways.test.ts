/**
 * Three gateways on PostgreSQL and Redis give the same guarantees together as one gateway alone (contract/keys,
 * contract/limits#shared-counters, contract/many-gateways).
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { systemClock } from '@flowgate/base/clock';
import { balancedNames } from './balancer.ts';
import { check, describeViolations } from './checker.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { clusterMissing, type Engines, startEngines } from './engines.ts';
import { createRecorder, type Entry, identified, type Recorder } from './history.ts';
import { createRecordedClient, type Key, type RecordedClient, type Target } from './recorded-client.ts';
import { until } from './until.ts';

const limit = 100;
const gateways = balancedNames;
const times = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at));

describe.skipIf(clusterMissing !== undefined)('three gateways', () => {
  let engines: Engines;
  let cluster: Cluster;
  let recorder: Recorder;
  let client: RecordedClient;
  let targets: readonly Target[];
  let balancer: Target;
  const target = (at: number): Target => targets[at % targets.length] ?? balancer;

  beforeAll(async () => {
    engines = await startEngines();
    cluster = await startCluster({
      gateways,
      storage: engines.storage,
      // Nothing fails in these tests, so nothing may be refused; on a busy machine PostgreSQL may answer later than the
      // default deadline allows.
      sections: { storage: { databaseTimeoutMs: 1_000 } },
      userPerMinute: limit,
      balanced: true,
    });
    recorder = createRecorder({ userPerMinute: limit, activeKeys: 10, gateways, answerWithinMs: 5_000 }, systemClock);
    client = createRecordedClient(recorder, cluster.issuer, () => 'simple');
    targets = cluster.gateways;
    balancer = { name: 'balancer', url: `https://127.0.0.1:${cluster.balancer?.port}` };
  });
  afterAll(async () => {
    await cluster?.stop();
    await engines?.stop();
  });

  test('gateways that start at once on an empty database migrate it safely and all become ready', async () => {
    // beforeAll has started the gateways; every one of them must be able to use the migrated database.
    expect(await cluster.allReady()).toBe(true);
    for (const [at, gateway] of targets.entries()) {
      const { key } = await client.mint(gateway, 'first');
      expect(key).toBeDefined();
      if (key !== undefined) expect((await client.call(target(at + 1), key)).status).toBe(200);
    }
  });

  test('500 concurrent requests over three gateways at a limit of 100: exactly 100 are admitted (contract/limits)', async () => {
    const entries = await Promise.all(times(500, (at) => client.identify(target(at), 'crowd')));
    const statuses = Map.groupBy(entries, ({ status }) => status);
    expect([statuses.get(200)?.length, statuses.get(429)?.length]).toEqual([limit, 500 - limit]);
  });

  test('50 concurrent creations over three gateways with nine active keys: exactly one succeeds (contract/keys#mint)', async () => {
    // One round alone could succeed by chance.
    for (const owner of ['collector-1', 'collector-2', 'collector-3']) {
      for (let at = 0; at < 9; at++) expect((await client.mint(target(at), owner)).key).toBeDefined();
      const minted = await Promise.all(times(50, (at) => client.mint(target(at), owner)));
      const statuses = Map.groupBy(minted, ({ entry }) => entry.status);
      expect([...statuses].map(([status, { length }]) => `${status}: ${length}`).sort()).toEqual(['201: 1', '409: 49']);
      const { listed = [] } = await client.list(target(0), owner);
      expect(listed).toHaveLength(10);
    }
  });

  /** Resolves with the time at which the last accepted call was sent, once the gateway has refused one. */
  async function refusedAt(gateway: Target, key: Key): Promise<number> {
    let lastMs = 0;
    await until(`${gateway.name} refuses`, async () => {
      const entry = await client.call(gateway, key);
      if (identified(entry)) lastMs = entry.startMs;
      return entry.status === 403;
    });
    return lastMs;
  }

  test('a key revoked at one gateway fails there at once, and soon at the others, which had it cached (contract/keys#revocation, contract/many-gateways)', async () => {
    for (let round = 0; round < 6; round++) {
      const userId = `revoker-${round}`;
      const { key } = await client.mint(target(round), userId);
      if (key === undefined) throw new Error('no key');
      for (const gateway of targets) expect((await client.call(gateway, key)).status).toBe(200);
      const revoked = await client.revoke(target(round), userId, key.keyId);
      expect(revoked.status).toBe(204);
      expect((await client.call(target(round), key)).status).toBe(403);
      const last = await Promise.all([1, 2].map((next) => refusedAt(target(round + next), key)));
      expect(Math.max(0, ...last.map((ms) => ms - revoked.endMs))).toBeLessThan(5_000);
    }
  });

  test('a rolling restart through the balancer loses no request: each is answered, if necessary on a retry after 503 (contract/running)', async () => {
    let rolling = true;
    let retried = 0;
    const outcomes: string[] = [];
    /** 503 means that nothing was done, and the documented reaction is to retry. */
    const patiently = async (send: () => Promise<Entry>): Promise<void> => {
      let entry = await send();
      for (let tries = 0; entry.status === 503 && tries < 30; tries++) {
        retried += 1;
        // Real time: the pause between retries.
        await Bun.sleep(50);
        entry = await send();
      }
      outcomes.push(`${entry.operation} ${entry.status ?? entry.outcome}`);
    };
    const callers = times(4, async (at) => {
      for (let round = 0; rolling; round++) {
        const userId = `roller-${at}-${round}`;
        let key: Key | undefined;
        await patiently(async () => {
          const minted = await client.mint(balancer, userId);
          key = minted.key;
          return minted.entry;
        });
        if (key === undefined) continue;
        const { keyId } = key;
        const known: Key = key;
        for (let calls = 0; calls < 3; calls++) await patiently(() => client.call(balancer, known));
        await patiently(() => client.revoke(balancer, userId, keyId));
      }
    });
    for (const gateway of cluster.gateways) {
      const end = recorder.mark('gateway-down', gateway.name);
      expect(await gateway.terminate()).toBe(0);
      await gateway.start();
      await until('the balancer sees it again', async () => {
        const entry = await client.identify(balancer, `seen-${Math.floor(recorder.entries.length / 30)}`);
        return entry.servedBy === gateway.name;
      });
      end();
    }
    rolling = false;
    await Promise.all(callers);
    expect(outcomes.length).toBeGreaterThan(50);
    const expected = ['mint 201', 'call 200', 'revoke 204'];
    expect(outcomes.filter((outcome) => !expected.includes(outcome))).toEqual([]);
    console.log(`rolling restart: ${outcomes.length} requests, ${retried} retries after 503`);
  });

  test('the checker finds no violation in this file', () => {
    expect(describeViolations(check(recorder))).toEqual([]);
  });
});
