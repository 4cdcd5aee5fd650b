import { afterEach, expect, test } from 'bun:test';
import { endAll, endsWith } from '@flowgate/testing/raw-http1-server';
import { answering, startFakeNode } from '../../../test/fixtures/fake-node.ts';
import { openLiveNodes } from '../../../test/fixtures/live-nodes.ts';

afterEach(endAll);

function aNode() {
  const node = startFakeNode();
  endsWith(() => void node.stop());
  node.behave(answering('"here"'));
  return { ...node, port: new URL(node.url).port };
}

const result = { ok: true, answer: { kind: 'result' } };
const unreachable = { ok: false, failure: 'unreachable', maybeDelivered: false };

test('a name that resolves to a private address is never connected to, even if it was public before (contract/nodes#rules)', async () => {
  const node = aNode();
  let addresses: readonly string[] = ['127.0.0.1'];
  const asked: string[] = [];
  const live = openLiveNodes({
    allowPrivateHosts: ['allowed.example'],
    async resolve(hostname) {
      asked.push(hostname);
      return hostname === 'allowed.example' ? ['127.0.0.1'] : addresses;
    },
  });
  for (const to of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.169.254', '10.0.0.1', '64:ff9b::7f00:1']) {
    addresses = ['93.184.216.34', to];
    const { nodeId } = live.put('https://rebinding.example/key');
    expect(await live.call(nodeId)).toMatchObject(unreachable);
  }
  expect(asked).toHaveLength(6);
  // The same port is reachable by the name that the operator allows, so the errors above are refusals.
  const { nodeId } = live.put(`http://allowed.example:${node.port}/key`);
  expect(await live.call(nodeId)).toMatchObject(result);
});

test('the host is resolved again every 30 s, and connections move to its new address (docs/decisions/0073)', async () => {
  const node = aNode();
  let addresses: readonly string[] = ['127.0.0.1'];
  let lookUps = 0;
  const live = openLiveNodes({
    allowPrivateHosts: ['moving.example'],
    async resolve() {
      lookUps++;
      return addresses;
    },
  });
  const { nodeId } = live.put(`http://moving.example:${node.port}/key`);
  for (let at = 0; at < 5; at++) expect(await live.call(nodeId)).toMatchObject(result);
  expect([lookUps, node.probes()]).toEqual([1, 1]);
  live.clock.advance(31_000);
  expect(await live.call(nodeId)).toMatchObject(result);
  expect([lookUps, node.probes()]).toEqual([2, 1]);
  addresses = ['127.0.0.2'];
  live.clock.advance(31_000);
  expect((await live.call(nodeId))?.ok).toBe(false);
  expect(lookUps).toBe(3);
});

test('while the name cannot be resolved, the vetted address stays in use', async () => {
  const node = aNode();
  let fails = false;
  const live = openLiveNodes({
    allowPrivateHosts: ['flaky.example'],
    async resolve() {
      if (fails) throw new Error('SERVFAIL');
      return ['127.0.0.1'];
    },
  });
  const { nodeId } = live.put(`http://flaky.example:${node.port}/key`);
  expect(await live.call(nodeId)).toMatchObject(result);
  fails = true;
  live.clock.advance(31_000);
  expect(await live.call(nodeId)).toMatchObject(result);
});

test('a host that now resolves to a private address is disconnected at the next resolution, idle connections included', async () => {
  const node = aNode();
  let allowed = true;
  const live = openLiveNodes({
    allowPrivateHosts: [],
    resolve: async () => (allowed ? ['93.184.216.34'] : ['127.0.0.1']),
  });
  const { nodeId } = live.put(`https://turned.example/key`);
  allowed = false;
  expect(await live.call(nodeId)).toMatchObject(unreachable);
  expect(node.probes()).toBe(0);
});

test('a private node may be at a private address; a public one at the same address may not (contract/nodes#private-nodes)', async () => {
  const node = aNode();
  const live = openLiveNodes();
  expect(await live.call(live.put(node.url, { kind: 'private' }).nodeId)).toMatchObject(result);
  expect(await live.call(live.put(node.url, { kind: 'public' }).nodeId)).toMatchObject(unreachable);
});

test('ten thousand nodes open nothing; one opens when it is called, and closes after a minute without a call (contract/nodes#calling)', async () => {
  const node = aNode();
  const live = openLiveNodes();
  const record = live.put(node.url, { kind: 'private' });
  live.follow(Array.from({ length: 10_000 }, (_, at) => ({ ...record, nodeId: `node ${at}`, ownerId: `u${at}` })));
  const openOnes = () => [...live.registered.all()].filter((each) => each.isOpen).length;
  expect([[...live.registered.all()].length, openOnes(), node.probes()]).toEqual([10_001, 0, 0]);
  expect(await live.call(record.nodeId)).toMatchObject(result);
  expect(openOnes()).toBe(1);
  const [mine] = [...live.registered.all()].filter((each) => each.isOpen);
  expect(mine?.isIdle).toBe(true);
  mine?.rest();
  expect(openOnes()).toBe(0);
  expect(await live.call(record.nodeId)).toMatchObject(result);
});

test('a closed node retains its figures of five minutes, and a new URL starts without figures (contract/node-figures)', async () => {
  const node = aNode();
  const live = openLiveNodes();
  const record = live.put(node.url, { kind: 'private' });
  const figures = () => live.registered.figuresOf(record.nodeId);
  expect(figures()).toMatchObject({ calls: 0, circuit: { state: 'closed' } });
  expect(await live.call(record.nodeId)).toMatchObject(result);
  const [mine] = live.registered.all();
  mine?.rest();
  expect(await live.call(record.nodeId)).toMatchObject(result);
  expect(figures()).toMatchObject({ calls: 2, failed: 0 });
  live.follow([{ ...record, sealedUrl: `${node.url}/other` }]);
  expect(figures()).toMatchObject({ calls: 0 });
  expect(live.registered.figuresOf('another')).toBeUndefined();
});

test('loaded changes apply at once: sharing, cordoning, removal, and absence from a full load (contract/nodes#sharing)', async () => {
  const node = aNode();
  const live = openLiveNodes();
  const record = live.put(node.url, { kind: 'private' });
  const bob = { userId: 'bob' };
  expect(await live.call(record.nodeId, bob)).toBeUndefined();
  live.follow([{ ...record, shared: true }]);
  expect(await live.call(record.nodeId, bob)).toMatchObject(result);
  expect(live.network?.everyNode().map(({ nodeId }) => nodeId)).toEqual(['dev-1', record.nodeId]);
  live.follow([{ ...record, shared: true, cordoned: true }], { cordoned: ['dev-1'] });
  expect(await live.call(record.nodeId, bob)).toMatchObject({ ok: false, failure: 'cordoned' });
  const question = { method: 'eth_gasPrice', params: undefined, repeatable: true };
  const user = { ...bob, via: 'api-key', keyId: 'b', roles: [] } as const;
  const caller = { userId: 'bob', caller: user, request: new AbortController() };
  const fromPool = () => live.network?.pool.send({ ...question, caller });
  expect(await fromPool()).toMatchObject({ ok: false, failure: 'cordoned' });
  live.follow([{ ...record, shared: true }], { cordoned: ['dev-1'] });
  expect(await fromPool()).toMatchObject(result);
  // The gateway's own calls do not go to users' nodes.
  expect(await live.network?.pool.send(question)).toMatchObject(unreachable);
  live.follow([{ ...record, shared: true, isOnOtherChain: true, status: 'unhealthy' }], { cordoned: ['dev-1'] });
  expect(await fromPool()).toMatchObject({ ok: false, failure: 'wrong-chain' });
  live.follow([], { removed: [record.nodeId] });
  expect(await live.call(record.nodeId)).toBeUndefined();
  live.follow([record]);
  live.follow([], { isWhole: true });
  expect([...live.registered.all()]).toEqual([]);
});

test('a target found before its node was removed or unshared sends no more calls (contract/nodes#calling)', async () => {
  const node = aNode();
  const live = openLiveNodes();
  const record = live.put(node.url, { kind: 'private', shared: true });
  const bob = { userId: 'bob', via: 'api-key', keyId: 'b', roles: [] } as const;
  const found = live.registered.callable('ethereum', record.nodeId, bob);
  const send = () =>
    found?.pool.send({
      ...{ method: 'eth_gasPrice', params: undefined, repeatable: true },
      caller: { userId: 'bob', caller: bob, request: new AbortController() },
    });
  expect(await send()).toMatchObject(result);
  live.follow([{ ...record, shared: false }]);
  expect(await send()).toMatchObject(unreachable);
  live.follow([{ ...record, shared: true }]);
  expect(await send()).toMatchObject(result);
  live.follow([], { removed: [record.nodeId] });
  expect(await send()).toMatchObject(unreachable);
  expect(node.received).toHaveLength(2);
});

test("an error after the node's URL was replaced shows neither the new nor the old address (contract/conventions#secrets)", async () => {
  const node = aNode();
  const live = openLiveNodes();
  const record = live.put(`${node.url}/v2/former-key-0123456789`, { kind: 'private' });
  expect(await live.call(record.nodeId)).toMatchObject(result);
  live.follow([{ ...record, sealedUrl: `${node.url}/v2/second-key-0123456789` }]);
  expect(await live.call(record.nodeId)).toMatchObject(result);
  live.follow([{ ...record, sealedUrl: `${node.url}/v2/present-key-0123456789` }]);
  const [found] = [...live.registered.all()];
  const keys = ['former', 'second', 'present'].map((each) => `${each}-key-0123456789`).join(' ');
  expect(found?.hideSecrets(JSON.stringify({ message: keys }))).toBe('{"message":"*** *** ***"}');
});
