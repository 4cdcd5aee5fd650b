/** The EIP-1193 provider with ethers and viem, its events, error codes and subscriptions (EIP-1193, EIP-3326). */

import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { inspect } from 'node:util';
import { until } from '@flowgate/testing/until';
import { BrowserProvider } from 'ethers';
import { createPublicClient, custom } from 'viem';
import { checkedFetch } from '../../apps/gateway/test/fixtures/checked-fetch.ts';
import {
  answering,
  type NodeBehavior,
  startFakeNode,
  wellBehaved,
} from '../../apps/gateway/test/fixtures/fake-node.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { unknownKey } from '../../apps/gateway/test/fixtures/unknown-key.ts';
import {
  type FlowgateProvider,
  type FlowgateProviderOptions,
  flowgateProvider,
} from '../../client/src/eip1193/flowgate-provider.ts';
import { ProviderRpcError } from '../../client/src/eip1193/provider-rpc-error.ts';
import { startFakeSockets } from '../../client/test/fake-sockets.ts';

const nodes = [startFakeNode(0, 31337), startFakeNode(0, 10)] as const;
let gateway: RunningGateway;
let apiKey: string;

/** A node of this chain, as far as the tests need it. */
const ofChain =
  (chainId: string): NodeBehavior =>
  (body, request) =>
    body.includes('eth_chainId') ? answering(JSON.stringify(chainId))(body, request) : wellBehaved(body);
const behaveAll = () => {
  nodes[0].behave(ofChain('0x7a69'));
  nodes[1].behave(ofChain('0xa'));
};

beforeAll(async () => {
  behaveAll();
  const network = { dlt: 'ethereum', networkId: 'dev', name: 'One', chainId: 31337, default: true };
  const second = { ...network, networkId: 'other', name: 'Two', chainId: 10, default: false };
  gateway = await startGateway({
    config: {
      networks: [
        { ...network, nodes: [{ nodeId: 'a', url: nodes[0].url }] },
        { ...second, nodes: [{ nodeId: 'b', url: nodes[1].url }] },
      ],
    },
  });
  apiKey = (await gateway.mint('alice')).apiKey;
});
afterAll(async () => {
  await gateway?.stop();
  await Promise.all(nodes.map((node) => node.stop()));
});
afterEach(behaveAll);

const providerOf = (options: Partial<FlowgateProviderOptions> = {}) =>
  flowgateProvider({ url: gateway.url, apiKey, fetch: checkedFetch, ...options } as FlowgateProviderOptions);

async function refused(call: Promise<unknown>): Promise<ProviderRpcError> {
  const error: unknown = await call.catch((cause: unknown) => cause);
  if (!(error instanceof ProviderRpcError)) throw new Error('it was not refused', { cause: error });
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(apiKey.slice(-20));
  return error;
}

/** All emitted events, in order. */
function listened(provider: FlowgateProvider): unknown[] {
  const reported: unknown[] = [];
  for (const event of ['connect', 'disconnect', 'chainChanged', 'message', 'accountsChanged'] as const)
    provider.on(event, (what) => reported.push([event, what instanceof Error ? what.message : what]));
  return reported;
}

test('viem’s custom transport and ethers’ BrowserProvider read through it', async () => {
  const viem = createPublicClient({ transport: custom(providerOf()), cacheTime: 0 });
  expect([await viem.getBlockNumber(), await viem.getChainId()]).toEqual([16n, 31337]);
  const ethers = new BrowserProvider(providerOf());
  expect([await ethers.getBlockNumber(), (await ethers.getNetwork()).chainId]).toEqual([16, 31337n]);
  expect(await ethers.listAccounts()).toEqual([]);
  ethers.destroy();
});

test('connect is emitted once, with the chain, after the first response; disconnect when no call succeeds, then connect again', async () => {
  let isGone = false;
  const provider = providerOf({
    retry: false,
    fetch: (url, init) => (isGone ? Promise.reject(new TypeError('reset')) : checkedFetch(url, init)),
  });
  const reported = listened(provider);
  await provider.request({ method: 'eth_blockNumber' });
  await provider.request({ method: 'eth_blockNumber' });
  await until('it was emitted', () => reported.length === 1);
  isGone = true;
  for (let times = 0; times < 2; times++)
    expect(await refused(provider.request({ method: 'eth_blockNumber' }))).toMatchObject({ code: 4900 });
  isGone = false;
  await provider.request({ method: 'eth_chainId' });
  expect(reported).toEqual([
    ['connect', { chainId: '0x7a69' }],
    ['disconnect', 'Flowgate could not be reached.'],
    ['connect', { chainId: '0x7a69' }],
  ]);
});

test('wallet_switchEthereumChain changes to another network of the gateway and emits the change; an unknown one is 4902', async () => {
  const provider = providerOf();
  const reported = listened(provider);
  const chainId = () => provider.request({ method: 'eth_chainId' });
  const switchTo = (id: unknown) =>
    provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: id }] });
  expect(await switchTo('0x7a69')).toBeNull();
  expect(await switchTo('0xa')).toBeNull();
  expect(await chainId()).toBe('0xa');
  expect(await refused(switchTo('0x1'))).toMatchObject({ code: 4902 });
  for (const wrong of [undefined, 10, '10', '0x', '0x00a', '0xffffffffffffffffff'])
    expect(await refused(switchTo(wrong))).toMatchObject({ code: -32602 });
  expect(await chainId()).toBe('0xa');
  expect(reported.filter((each) => Array.isArray(each) && each[0] === 'chainChanged')).toEqual([
    ['chainChanged', '0xa'],
  ]);
  const pinned = providerOf({ node: { dlt: 'ethereum', nodeId: 'a' } });
  const moved = pinned.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0xa' }] });
  expect(await refused(moved)).toMatchObject({ code: 4200 });
});

test('errors have the codes of EIP-1193: unauthorized, unsupported, the node’s own with its data, and the gateway’s limits', async () => {
  const provider = providerOf();
  expect(await refused(providerOf({ apiKey: unknownKey() }).request({ method: 'eth_chainId' }))).toMatchObject({
    code: 4100,
    message: 'Invalid credentials.',
  });
  for (const method of ['eth_requestAccounts', 'eth_sendTransaction', 'personal_sign', 'wallet_addEthereumChain'])
    expect([method, (await refused(provider.request({ method }))).code]).toEqual([method, 4200]);
  nodes[0].behave(answering('{"code":3,"message":"execution reverted","data":"0x08"}', 'error'));
  expect(await refused(provider.request({ method: 'eth_call', params: [{}] }))).toMatchObject({
    ...{ code: 3, data: '0x08', message: 'execution reverted' },
    cause: { requestId: expect.any(String) },
  });
  nodes[0].behave(() => new Response('no', { status: 500 }));
  expect(await refused(providerOf({ retry: false }).request({ method: 'eth_call', params: [{}] }))).toMatchObject({
    code: -32603,
  });
  const absent = providerOf({ network: { dlt: 'ethereum', networkId: 'none' } });
  expect(await refused(absent.request({ method: 'eth_chainId' }))).toMatchObject({ code: 4901 });
});

test('an invalid request is refused before anything is sent', async () => {
  const fetch = () => Promise.reject(new Error('was sent'));
  // As a program without types may call it.
  const { request }: { request: (args: never) => Promise<unknown> } = providerOf({ fetch });
  for (const args of [undefined, null, {}, { method: '' }, { method: 7 }, { method: 'a_b', params: 'x' }])
    expect(await refused(request(args as never))).toMatchObject({ code: -32602 });
});

test('subscriptions are messages with an id that survives reconnections, until they end; the connection exists only for them', async () => {
  let last = 0;
  const server = startFakeSockets(({ method }) => {
    if (method !== 'eth_subscribe') return true;
    last += 1;
    return `0x${last}`;
  });
  const gaps: string[] = [];
  const provider = providerOf({ url: server.url, onGap: (id) => gaps.push(id), webSocket: { idleMs: 10 } });
  const reported = listened(provider);
  await provider.request({ method: 'eth_chainId' });
  expect(server.seen).toHaveLength(0);
  const id = await provider.request({ method: 'eth_subscribe', params: ['newHeads'] });
  server.seen[0]?.notify('0x1', 'a');
  server.seen[0]?.close(1012);
  await until('the connection is open again', () => gaps.length === 1);
  server.seen[1]?.notify('0x2', 'b');
  await until('all were emitted', () => reported.length === 3);
  expect(gaps).toEqual([String(id)]);
  expect(reported.slice(1)).toEqual(
    ['a', 'b'].map((result) => ['message', { type: 'eth_subscription', data: { subscription: id, result } }]),
  );
  expect(await provider.request({ method: 'eth_unsubscribe', params: ['0x1'] })).toBe(false);
  expect(await provider.request({ method: 'eth_unsubscribe', params: [id] })).toBe(true);
  expect(await provider.request({ method: 'eth_unsubscribe', params: [id] })).toBe(false);
  await until('the connection was closed', () => server.seen[1]?.isOpen() === false);
  await provider.request({ method: 'eth_subscribe', params: ['newHeads'] });
  provider.close();
  await until('it was closed', () => server.seen[2]?.isOpen() === false);
  await server.stop();
});

test('a listener is called until it is removed, once for each time that it was added', async () => {
  const provider = providerOf();
  const reported: string[] = [];
  const listener = () => reported.push('called');
  provider.on('chainChanged', listener).on('chainChanged', listener).removeListener('chainChanged', listener);
  // As a program without types may call it.
  const loose: { on: (event: never, listener: never) => unknown } = provider;
  for (const event of ['toString', '__proto__', 'error']) loose.on(event as never, listener as never);
  await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0xa' }] });
  expect(reported).toEqual(['called']);
});
