/**
 * Nodes, policies, maintenance and limits of users over three gateways on PostgreSQL and Redis: a change on one applies
 * on all (contract/nodes, contract/firewall, contract/administration, contract/many-gateways#shared-copies).
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { systemClock } from '@flowgate/base/clock';
import { jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { answering, type FakeNode, onChain, startFakeNode } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { type NodeClient, newProviderKey, nodesHere } from '../../apps/gateway/test/fixtures/node-client.ts';
import { runFlowgate } from '../../apps/gateway/test/fixtures/run-flowgate.ts';
import { balancedNames } from './balancer.ts';
import { type Cluster, pepper, startCluster } from './cluster.ts';
import { clusterMissing, type Engines, startEngines } from './engines.ts';
import { checkingLeader, createResourceClients, inForceAfter, type ResourceClients } from './resource-clients.ts';
import { until } from './until.ts';

const userPerMinute = 100_000;
const times = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at));
const now = () => systemClock.monotonic();
const { providers, outbound } = nodesHere;

/** A user's client at one gateway. */
const at = (clients: readonly NodeClient[], place: number): NodeClient => {
  const client = clients[place % clients.length];
  if (client === undefined) throw new Error('there are no gateways');
  return client;
};
/** The two gateways that did not make the change. */
const others = (clients: readonly NodeClient[], place: number) => [at(clients, place + 1), at(clients, place + 2)];

describe.skipIf(clusterMissing !== undefined)('three gateways', () => {
  let engines: Engines;
  let cluster: Cluster;
  let people: ResourceClients;
  /** Answers the calls to users' nodes. */
  let node: FakeNode;
  /** One registered node, and the times of its health checks. */
  let watched: FakeNode;
  let watchedId: string;
  const checkedMs: number[] = [];
  let killedMs = 0;
  let alice: readonly NodeClient[];
  let bob: readonly NodeClient[];
  let root: readonly NodeClient[];

  beforeAll(async () => {
    engines = await startEngines();
    cluster = await startCluster({
      gateways: balancedNames,
      storage: engines.storage,
      // On a busy machine PostgreSQL may answer later than the default deadline allows.
      sections: { storage: { databaseTimeoutMs: 1_000 }, health: { intervalSeconds: 1 }, providers, outbound },
      userPerMinute,
      balanced: true,
    });
    people = createResourceClients(cluster);
    alice = people.as({ sub: 'alice' });
    bob = people.as({ sub: 'bob' });
    root = people.as({ sub: 'root', roles: ['admin'] });
    node = startFakeNode();
    node.behave(answering('"here"'));
    watched = startFakeNode();
  });
  afterAll(async () => {
    await cluster?.stop();
    await Promise.all([engines?.stop(), node?.stop(), watched?.stop()]);
  });

  const freshUrl = () => `${node.url}/v2/${newProviderKey()}`;
  const statusOf = async (response: Promise<Response>) => (await response).status;
  /** A request that must succeed. Resolves with its body, and the time of its response. */
  async function done(client: NodeClient, method: string, path: string, body?: unknown) {
    const response = await client.ask(method, path, body);
    const sinceMs = now();
    expect([method, path, response.status < 300 ? 'done' : await response.text()]).toEqual([method, path, 'done']);
    return { sinceMs, body: response.status === 204 ? {} : await jsonBody(response) };
  }
  const denyNetwork = (userId: string) => ({
    effect: 'deny',
    subjects: [userId === '*' ? '*' : `user:${userId}`],
    resource: { kind: 'network', id: 'ethereum/dev' },
  });
  const ownPolicies = '/users/me/policies';
  const globalPolicies = '/admin/policies';
  const callIs = (client: NodeClient, expected: number, sinceMs: number, nodeId?: string) =>
    inForceAfter(`a call is ${expected}`, sinceMs, async () => (await statusOf(client.call(nodeId))) === expected);
  const callsAre = (clients: readonly NodeClient[], expected: number, sinceMs: number, nodeId?: string) =>
    Promise.all(clients.map((client) => callIs(client, expected, sinceMs, nodeId)));

  test('only its owner can call a node, through each gateway, also those that did not register it (contract/nodes#calling)', async () => {
    for (let place = 0; place < 3; place++) {
      const { nodeId } = await at(alice, place).register(freshUrl());
      const sinceMs = now();
      expect(await statusOf(at(alice, place).call(nodeId))).toBe(200);
      await callsAre(others(alice, place), 200, sinceMs, nodeId);
      expect(await statusOf(people.balanced({ sub: 'alice' }).call(nodeId))).toBe(200);
      expect(await Promise.all(bob.map((each) => statusOf(each.call(nodeId))))).toEqual([404, 404, 404]);
    }
  });

  test('of thirty concurrent registrations of one address over all three exactly one is stored (contract/nodes#duplicates)', async () => {
    for (let round = 0; round < 3; round++) {
      const registered = { dlt: 'ethereum', networkId: 'dev', url: freshUrl(), label: `round ${round}` };
      const answers = await Promise.all(
        times(30, (turn) => at(turn % 2 === 0 ? alice : bob, turn).ask('POST', '/nodes', registered)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...times(29, () => 409)]);
      const listed = await at(root, round).list('/admin/nodes');
      expect(listed.filter(({ label }) => label === registered.label)).toHaveLength(1);
    }
  });

  test('sharing makes a node callable for others on all gateways; when deleted, it finishes its calls in flight and receives no more (contract/nodes#sharing, contract/nodes#deleting)', async () => {
    const { nodeId } = await at(alice, 0).register(freshUrl());
    const shared = await done(at(root, 1), 'PATCH', `/admin/nodes/${nodeId}`, { shared: true });
    expect(await statusOf(at(bob, 1).call(nodeId))).toBe(200);
    await callsAre(others(bob, 1), 200, shared.sinceMs, nodeId);

    const hold = Promise.withResolvers<void>();
    const arrived = node.received.length;
    node.behave(async (body, request) => {
      if (node.received.length <= arrived + 6) await hold.promise;
      return answering('"late"')(body, request);
    });
    const inFlight = [...alice, ...bob].map((each) => each.call(nodeId));
    await until('all calls have arrived', () => node.received.length === arrived + 6);
    const deleted = await done(at(alice, 2), 'DELETE', `/nodes/${nodeId}`);
    expect(await statusOf(at(alice, 2).call(nodeId))).toBe(404);
    await callsAre([...others(alice, 2), ...others(bob, 2)], 404, deleted.sinceMs, nodeId);
    const taken = node.received.length;
    const refused = await Promise.all([...alice, ...bob].map((each) => statusOf(each.call(nodeId))));
    expect(refused).toEqual(times(6, () => 404));
    expect(node.received.length).toBe(taken);
    hold.resolve();
    for (const response of await Promise.all(inFlight))
      expect([response.status, (await jsonBody(response))['result']]).toEqual([200, 'late']);
    node.behave(answering('"here"'));
  });

  test('maintenance that one gateway begins is 503 on all, survives a kill -9 of the gateway that checks nodes, and ends on all (contract/administration)', async () => {
    watched.behaveWhenProbed((body, request) => {
      checkedMs.push(now());
      return onChain(31337)(body, request);
    });
    watchedId = (await at(alice, 0).register(`${watched.url}/v2/${newProviderKey()}`)).nodeId;
    await until('it was checked', () => checkedMs.length > 5);
    const killed = await checkingLeader(cluster.gateways);
    if (killed === undefined) throw new Error('no one checks nodes');

    const isRefused = async (client: NodeClient) => {
      const { status, headers } = await client.ask('GET', '/flow/registry/apps');
      if (status === 503) expect(headers.get('retry-after')).toBe('7');
      return status === 503;
    };
    const begun = { active: true, message: 'Back soon.', retryAfterSeconds: 7, surfaces: ['flow'] };
    const { sinceMs } = await done(at(root, 0), 'PUT', '/admin/maintenance', begun);
    expect(await isRefused(at(alice, 0))).toBe(true);
    await Promise.all(others(alice, 0).map((each) => inForceAfter('maintenance', sinceMs, () => isRefused(each))));

    // Its audit writers are in the middle of their chains when it is killed.
    const place = cluster.gateways.indexOf(killed);
    const writers = times(8, (turn) => at(people.as({ sub: `writer-${turn}` }), place));
    const acknowledged = people.actions.acknowledged;
    const writing = Promise.allSettled(
      writers.map(async (writer) => {
        while ((await writer.ask('POST', ownPolicies, denyNetwork('*'))).status < 500);
      }),
    );
    await until('they write', () => people.actions.acknowledged > acknowledged + 8);
    await killed.kill();
    killedMs = now();
    expect((await writing).filter(({ status }) => status === 'rejected')).not.toEqual([]);
    await killed.start();
    expect(await isRefused(at(alice, place))).toBe(true);

    const ended = await done(at(root, place), 'PUT', '/admin/maintenance', { active: false });
    expect(await isRefused(at(alice, place))).toBe(false);
    await Promise.all(
      others(alice, place).map((each) => inForceAfter('its end', ended.sinceMs, async () => !(await isRefused(each)))),
    );
  });

  test.each([
    ['an own policy', ownPolicies],
    ['a global policy', globalPolicies],
  ])(
    '%s of one gateway denies on the others, and permits again after its deletion (contract/firewall#when-a-policy-is-in-force)',
    async (name, path) => {
      const userId = `user of ${path.split('/')[1]}`;
      const user = people.as({ sub: userId });
      const maker = path === ownPolicies ? user : root;
      const took: number[] = [];
      for (let round = 0; round < 10; round++) {
        const made = await done(at(maker, round), 'POST', path, denyNetwork(userId));
        const [denied, ...deniedAfter] = await Promise.all([
          statusOf(at(user, round).call()),
          ...others(user, round).map((each) => callIs(each, 403, made.sinceMs)),
        ]);
        expect(denied).toBe(403);
        took.push(...deniedAfter);
        const deleted = await done(at(maker, round + 1), 'DELETE', `${path}/${made.body['policyId']}`);
        const [letIn, ...letInAfter] = await Promise.all([
          statusOf(at(user, round + 1).call()),
          ...others(user, round + 1).map((each) => callIs(each, 200, deleted.sinceMs)),
        ]);
        expect(letIn).toBe(200);
        took.push(...letInAfter);
      }
      const sorted = took.toSorted((a, b) => a - b);
      const reported = [sorted[sorted.length >> 1], sorted.at(-1)].map((ms) => (ms ?? 0).toFixed(1));
      console.log(
        `${name}: in force elsewhere after ${reported[0]} ms (p50), ${reported[1]} ms (max), ${took.length} changes seen`,
      );
    },
  );

  test("a user's limit that is set on one gateway is reported by all, and exact over the three together (contract/administration#limits-of-a-user)", async () => {
    let admitted = 0;
    const look = async (client: NodeClient) => {
      const { status, headers } = await client.ask('GET', '/users/me/id');
      if (status === 200) admitted += 1;
      return Number(headers.get('x-ratelimit-limit'));
    };
    const own = 200;
    const limited = people.as({ sub: 'limited' });
    expect(await Promise.all(limited.map(look))).toEqual(times(3, () => userPerMinute));
    const path = '/admin/users/limited/limits';
    const { sinceMs } = await done(at(root, 0), 'PUT', path, { userPerMinute: own });
    expect(await look(at(limited, 0))).toBe(own);
    for (const each of others(limited, 0))
      await inForceAfter('a limit', sinceMs, async () => (await look(each)) === own);
    expect(admitted).toBeLessThan(own);
    const reported = await Promise.all(times(300, (turn) => look(at(limited, turn))));
    expect(new Set(reported)).toEqual(new Set([own]));
    expect(admitted).toBe(own);
    const removed = await done(at(root, 1), 'DELETE', path);
    for (const each of limited)
      await inForceAfter('its end', removed.sinceMs, async () => (await look(each)) === userPerMinute);
  });

  test('without Redis, policies that one gateway creates and deletes apply on the others by poll (contract/firewall#when-a-policy-is-in-force)', async () => {
    const cases = [ownPolicies, globalPolicies].flatMap((path) =>
      [true, false].map((isMade) => {
        const userId = `polled ${path.split('/')[1]} ${isMade}`;
        const user = people.as({ sub: userId });
        return { path, isMade, userId, user, maker: path === ownPolicies ? user : root };
      }),
    );
    const make = ({ maker, path, userId }: (typeof cases)[number]) =>
      done(at(maker, 0), 'POST', path, denyNetwork(userId));
    const known = new Map<string, unknown>();
    for (const each of cases) {
      const made = each.isMade ? undefined : await make(each);
      if (made !== undefined) known.set(each.userId, made.body['policyId']);
      await callsAre(each.user, each.isMade ? 200 : 403, now());
    }
    await engines.redis.kill();
    const took = await Promise.all(
      cases.map(async (each) => {
        const { maker, path, userId, isMade, user } = each;
        const changed = await (isMade ? make(each) : done(at(maker, 0), 'DELETE', `${path}/${known.get(userId)}`));
        return callsAre(others(user, 0), isMade ? 403 : 200, changed.sinceMs);
      }),
    );
    await engines.redis.start();
    console.log(`by poll, without Redis: in force elsewhere after at most ${Math.max(...took.flat()).toFixed(0)} ms`);
  });

  test('one leader at a time checks nodes, and another continues when it is killed (contract/nodes#checks)', async () => {
    await until('another one checks', async () => (await checkingLeader(cluster.gateways)) !== undefined, 40_000);
    console.log(`checks: another leader ${((now() - killedMs) / 1000).toFixed(1)} s after the kill -9 at the latest`);
    const before = checkedMs.length;
    await until('it is checked again', () => checkedMs.length > before + 1);
    // Four intervals of a second: two leaders would take two seconds. The first call was that of the registration.
    const spans = checkedMs.slice(1).map((ms, index, all) => (all[index + 4] ?? Number.POSITIVE_INFINITY) - ms);
    expect(Math.min(...spans)).toBeGreaterThan(3_000);
    watched.behaveWhenProbed(onChain(5));
    const status = async (client: NodeClient) =>
      (await jsonBody(await client.ask('GET', `/nodes/${watchedId}`)))['status'];
    for (const each of alice) await until('it is unhealthy', async () => (await status(each)) === 'unhealthy');
    for (const each of alice) await until('no one calls it', async () => (await each.call(watchedId)).status === 502);
  });

  test('afterwards the audit log of three writers is valid, and contains every successful action (contract/audit#chain)', async () => {
    const file = cluster.gateways[0]?.configFile ?? '';
    const checked = await runFlowgate(['verify-audit', '--json', '--config', file], { FLOWGATE_PEPPER: pepper });
    const { sound, chains, entries } = JSON.parse(checked.stdout) as Record<string, unknown>;
    expect([checked.code, sound]).toEqual([0, true]);
    const { acknowledged, unclear } = people.actions;
    expect(Number(entries)).toBeGreaterThanOrEqual(acknowledged);
    // An action without a response may have an entry, and so may its reversal.
    expect(Number(entries)).toBeLessThanOrEqual(acknowledged + 2 * unclear);
    expect(Number(chains)).toBeGreaterThanOrEqual(4);
    console.log(`audit: ${entries} entries in ${chains} chains, ${acknowledged} answered, ${unclear} unanswered`);
  });
});
