/**
 * Registered nodes on two gateways with one database: a change on one applies on the other (contract/nodes,
 * contract/many-gateways#shared-copies).
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { postgresMissing } from '@flowgate/testing/postgres';
import { redisMissing, startRedis, type TestRedis } from '@flowgate/testing/redis';
import { until } from '@flowgate/testing/until';
import { jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { answering, type FakeNode, onChain, startFakeNode } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { migratedDatabase } from '../../apps/gateway/test/fixtures/migrated-database.ts';
import {
  type NodeClient,
  newProviderKey,
  nodeClient,
  nodesHere,
} from '../../apps/gateway/test/fixtures/node-client.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

const missing = postgresMissing ?? redisMissing;

describe.skipIf(missing !== undefined)('on PostgreSQL with Redis', () => {
  let gateways: RunningGateway[] = [];
  let node: FakeNode;
  let redis: TestRedis;
  let alice: NodeClient[] = [];
  let bob: NodeClient[] = [];
  let admin: NodeClient[] = [];

  beforeAll(async () => {
    const database = await migratedDatabase();
    redis = await startRedis();
    const config = { ...nodesHere, health: { intervalSeconds: 1 }, storage: { database, redis: redis.url } };
    const one = await startGateway({ config });
    const { issuer, audience } = one.issuer;
    const other = await startGateway({ config: { ...config, identity: { issuer, audience } } });
    gateways = [one, other];
    node = startFakeNode();
    // The other gateway accepts keys and tokens of the first one's issuer.
    const as = (sub: string, roles?: string[]) =>
      gateways.map(({ fetch }) =>
        nodeClient({ fetch, token: one.token, mint: one.mint }, { sub, ...(roles && { roles }) }),
      );
    alice = as('alice');
    bob = as('bob');
    admin = as('root', ['admin']);
  });
  afterAll(async () => {
    await Promise.all(gateways.map((each) => each.stop()));
    await Promise.all([node.stop(), redis.stop()]);
  });

  const fresh = () => `${node.url}/v2/${newProviderKey()}`;
  const on = (clients: readonly NodeClient[], at: number): NodeClient => {
    const client = clients[at];
    if (client === undefined) throw new Error('there are two gateways');
    return client;
  };
  /** The contract's five seconds, plus time for a busy machine. */
  const soon = (what: string, probe: () => Promise<boolean>) => until(what, probe, 20_000);

  test('thirty concurrent registrations of one node on both gateways store one (contract/nodes#duplicates)', async () => {
    const url = fresh();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        on(at % 3 === 0 ? alice : bob, at % 2).ask('POST', '/nodes', { dlt: 'ethereum', networkId: 'dev', url }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 29 }, () => 409)]);
  });

  test('a node is listed on both at once, and called, shared, cordoned and removed on both soon (contract/nodes#sharing)', async () => {
    node.behave(answering('"here"'));
    const { nodeId } = await on(alice, 0).register(fresh());
    expect((await on(alice, 1).list()).map((each) => each['nodeId'])).toContain(nodeId);
    await soon('the owner calls it on the other gateway', async () => (await on(alice, 1).call(nodeId)).status === 200);
    expect((await on(bob, 1).call(nodeId)).status).toBe(404);
    await on(admin, 0).ask('PATCH', `/admin/nodes/${nodeId}`, { shared: true });
    expect((await on(bob, 0).call(nodeId)).status).toBe(200);
    await soon('others call it on the other gateway', async () => (await on(bob, 1).call(nodeId)).status === 200);
    await on(admin, 1).ask('PATCH', `/admin/nodes/${nodeId}`, { cordoned: true });
    expect((await on(alice, 1).call(nodeId)).status).toBe(503);
    await soon('the cordon applies on the first one', async () => (await on(alice, 0).call(nodeId)).status === 503);
    await on(admin, 1).ask('PATCH', `/admin/nodes/${nodeId}`, { cordoned: false, shared: false });
    await soon('it is closed to others on the first one', async () => (await on(bob, 0).call(nodeId)).status === 404);
    await on(alice, 1).ask('DELETE', `/nodes/${nodeId}`);
    expect((await on(alice, 0).ask('GET', `/nodes/${nodeId}`)).status).toBe(404);
    await soon('it is gone on the first one', async () => (await on(alice, 0).call(nodeId)).status === 404);
  });

  test('a cordon of an operator node applies on both, also after a restart (contract/nodes#cordoning)', async () => {
    await on(admin, 0).ask('PATCH', '/admin/nodes/dev-1', { cordoned: true });
    await soon('it applies on the other one', async () => (await on(bob, 1).call('dev-1')).status === 503);
    await gateways[1]?.restart();
    await soon('it applies after a restart', async () => (await on(bob, 1).call('dev-1')).status === 503);
    await on(admin, 0).ask('PATCH', '/admin/nodes/dev-1', { cordoned: false });
    await soon('it is lifted', async () => (await on(bob, 1).call('dev-1')).status === 200);
    expect((await on(bob, 0).call('dev-1')).status).toBe(200);
  });

  test('one leader checks nodes: both gateways show the same, and each node is probed once per interval (contract/nodes#checks)', async () => {
    const { nodeId } = await on(alice, 0).register(fresh());
    const status = async (at: number) => jsonBody(await on(alice, at).ask('GET', `/nodes/${nodeId}`));
    for (const at of [0, 1]) await soon('it is healthy', async () => (await status(at))['status'] === 'healthy');
    node.behaveWhenProbed(onChain(5));
    for (const at of [0, 1]) {
      await soon('it is unhealthy', async () => (await status(at))['status'] === 'unhealthy');
      await soon('it is not called', async () => (await on(alice, at).call(nodeId)).status === 502);
    }
    node.behaveWhenProbed(undefined);
    for (const at of [0, 1])
      await soon('it is called again', async () => (await on(alice, at).call(nodeId)).status === 200);
    const leads = (gateway: RunningGateway) => gateway.output().includes('"nodes.leading"');
    const [leader, other] = gateways.toSorted((a, b) => Number(leads(b)) - Number(leads(a)));
    expect(leader !== undefined && leads(leader)).toBe(true);
    expect(other !== undefined && leads(other)).toBe(false);
  });
});
