/**
 * Subscriptions with client libraries: a real gateway, WebSocket connections, and simulated nodes that are lost
 * (contract/subscriptions).
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import { WebSocketProvider } from 'ethers';
import { createPublicClient, webSocket } from 'viem';
import { Web3 } from 'web3';
import { newProviderKey, nodeClient, nodesHere } from '../../apps/gateway/test/fixtures/node-client.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { createSimChain } from '../../apps/gateway/test/fixtures/sim-chain.ts';
import { startSimNode } from '../../apps/gateway/test/fixtures/sim-node.ts';
import { replayHeads, replayLogs, wantedLogs } from '../../apps/gateway/test/fixtures/subscription-client.ts';

const chain = createSimChain({ seed: 8, logs: 4 });
const [first, second] = [startSimNode(chain), startSimNode(chain)];
let gateway: RunningGateway;
let key: string;

beforeAll(async () => {
  chain.mine(30);
  gateway = await startGateway({
    config: {
      ...nodesHere,
      networks: [
        {
          ...{ dlt: 'ethereum', networkId: 'dev', chainId: 31337, default: true },
          nodes: [
            { nodeId: 'first', url: first.httpUrl, wsUrl: first.socketUrl },
            { nodeId: 'second', url: second.httpUrl },
          ],
          subscriptions: { pending: true },
        },
      ],
    },
  });
  key = (await gateway.mint()).apiKey;
});
afterAll(async () => {
  await gateway.stop();
  first.stop();
  second.stop();
});

const socketUrl = (path = '/rpc') => `${gateway.url.replace('http', 'ws')}${path}/${key}`;

type Message = {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: unknown;
  readonly params?: { subscription: string; result: unknown };
};

/** A connection with every message that it received. */
async function connected(path?: string) {
  const socket = new WebSocket(socketUrl(path));
  const messages: Message[] = [];
  let code = 0;
  socket.onmessage = ({ data }) => messages.push(JSON.parse(String(data)));
  socket.onclose = (event) => {
    code = event.code;
  };
  await until(() => socket.readyState === WebSocket.OPEN);
  let ids = 0;
  return {
    socket,
    closedWith: () => code,
    reported: (subscription: unknown) =>
      messages.flatMap(({ params }) =>
        params !== undefined && params.subscription === subscription ? [params.result] : [],
      ),
    async ask(method: string, params: readonly unknown[]): Promise<unknown> {
      const id = ++ids;
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      await until(() => messages.some((each) => each.id === id));
      const answer = messages.find((each) => each.id === id);
      return answer?.error ?? answer?.result;
    },
  };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const records = (reported: readonly unknown[]) => reported.filter(isRecord);

test('heads and logs replay to the chain while nodes are lost and blocks are reorganized', async () => {
  const connection = await connected();
  const start = chain.head();
  const heads = await connection.ask('eth_subscribe', ['newHeads']);
  const logs = await connection.ask('eth_subscribe', ['logs', {}]);
  const isCurrent = () => {
    const last = records(connection.reported(heads)).at(-1);
    return last?.['hash'] === chain.head().hash;
  };
  chain.mine(2);
  await until(isCurrent);
  first.kill();
  chain.mine(2);
  await until(isCurrent);
  chain.reorganize(3, 4);
  await until(isCurrent);
  first.revive();
  second.kill();
  chain.mine();
  await until(isCurrent);
  second.revive();
  await until(
    () => replayLogs(records(connection.reported(logs)), start, {}).join() === wantedLogs(chain.head(), {}).join(),
  );
  expect(replayHeads(records(connection.reported(heads)), start).at(-1)).toBe(chain.head().hash);
  expect(await connection.ask('eth_unsubscribe', [heads])).toBe(true);
  connection.socket.close();
});

test("viem's watchBlocks and watchEvent, ethers' provider.on('block') and web3.js receive each block", async () => {
  const client = createPublicClient({ transport: webSocket(socketUrl()) });
  const provider = new WebSocketProvider(socketUrl());
  const web3 = new Web3(socketUrl());
  const seen = {
    blocks: [] as bigint[],
    logs: [] as string[],
    ethers: [] as number[],
    web3: [] as number[],
    web3Logs: [] as unknown[],
  };
  const address = chain.contracts[0] as `0x${string}`;
  const stops = [
    client.watchBlockNumber({ onBlockNumber: (number) => void seen.blocks.push(number) }),
    client.watchEvent({ address, onLogs: (logs) => void seen.logs.push(...logs.map((log) => log.data)) }),
  ];
  await provider.on('block', (number: number) => void seen.ethers.push(number));
  const [heads, logs] = [await web3.eth.subscribe('newBlockHeaders'), await web3.eth.subscribe('logs', { address })];
  heads.on('data', ({ number }) => void seen.web3.push(Number(number)));
  logs.on('data', (log) => void seen.web3Logs.push(typeof log === 'object' ? log.data : log));
  // A library does not report when it has subscribed: from the first block that it delivers.
  await until(() => {
    chain.mine(1, []);
    return seen.blocks.length > 0 && seen.ethers.length > 0 && seen.web3.length > 0;
  });
  const from = chain.head().number;
  chain.mine(1, [{ address, topics: [], data: '0x0102' }]);
  chain.mine(1, [{ address: chain.contracts[1] ?? '', topics: [], data: '0x03' }]);
  await until(
    () => seen.blocks.includes(BigInt(from + 2)) && seen.ethers.includes(from + 2) && seen.web3.includes(from + 2),
  );
  await until(() => seen.logs.length > 0 && seen.web3Logs.length > 0);
  expect([seen.logs, seen.web3Logs]).toEqual([['0x0102'], ['0x0102']]);
  expect(seen.blocks.slice(-3)).toEqual([from, from + 1, from + 2].map(BigInt));
  for (const reported of [seen.ethers, seen.web3]) expect(reported.slice(-3)).toEqual([from, from + 1, from + 2]);
  for (const stop of stops) stop();
  await provider.destroy();
  web3.provider?.disconnect();
  (await client.transport.getRpcClient()).close();
});

test('pending transactions come from a node that reports them; invalid parameters are -32602', async () => {
  const connection = await connected();
  const pending = await connection.ask('eth_subscribe', ['newPendingTransactions']);
  expect(pending).toMatch(/^0x[0-9a-f]{32}$/);
  expect(await connection.ask('eth_subscribe', ['syncing'])).toMatch(/^0x[0-9a-f]{32}$/);
  for (const wrong of [[], ['blocks'], ['logs', { address: '0x1' }], ['logs']])
    expect(await connection.ask('eth_subscribe', wrong)).toMatchObject({ code: -32602 });
  const { privateKeyToAccount } = await import('viem/accounts');
  const account = privateKeyToAccount(`0x${'22'.repeat(32)}`);
  const raw = await account.signTransaction({
    chainId: 31337,
    nonce: 0,
    gas: 21_000n,
    gasPrice: 1n,
    to: account.address,
  });
  const hash = await connection.ask('eth_sendRawTransaction', [raw]);
  await until(() => connection.reported(pending).length === 1);
  expect(connection.reported(pending)).toEqual([hash]);
  connection.socket.close();
});

test("on a node's own path, subscriptions follow only that node", async () => {
  const connection = await connected('/dlts/ethereum/nodes/second/rpc');
  const heads = await connection.ask('eth_subscribe', ['newHeads']);
  first.freeze();
  const block = chain.mine();
  await until(() => connection.reported(heads).length === 1);
  expect(records(connection.reported(heads))).toMatchObject([{ hash: block.hash }]);
  first.heal();
  connection.socket.close();
});

test('a registered node is followed for a caller, with large messages, until it is removed', async () => {
  const owned = startSimNode(chain);
  const owner = nodeClient(gateway, { sub: 'alice' });
  const { nodeId } = await owner.register(`${owned.httpUrl}/v2/${newProviderKey()}`);
  const connection = await connected(`/dlts/ethereum/nodes/${nodeId}/rpc`);
  const heads = await connection.ask('eth_subscribe', ['newHeads']);
  const logs = await connection.ask('eth_subscribe', ['logs', {}]);
  // Over 64 KiB: the gateway buffers such messages for callers.
  const many = Array.from({ length: 200 }, (_, nth) => ({
    address: chain.contracts[0] ?? '',
    topics: [],
    data: `0x${String(nth).padStart(600, '0')}`,
  }));
  chain.mine(1, many);
  await until(() => connection.reported(logs).length === 200);
  expect(records(connection.reported(heads))).toMatchObject([{ hash: chain.head().hash }]);
  expect((await owner.ask('DELETE', `/nodes/${nodeId}`)).status).toBe(204);
  await until('the connection is closed', () => connection.closedWith() !== 0, 5_000);
  expect(connection.closedWith()).toBe(1012);
  owned.stop();
});

test('a policy that denies the network ends subscriptions within five seconds, and the next one is refused', async () => {
  const connection = await connected();
  await connection.ask('eth_subscribe', ['newHeads']);
  const denied = await gateway.fetch('/users/me/policies', {
    method: 'POST',
    headers: { Authorization: `Bearer ${gateway.token()}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ effect: 'deny', subjects: ['*'], resource: { kind: 'network', id: 'ethereum/dev' } }),
  });
  expect(denied.status).toBe(201);
  await until('the connection is closed', () => connection.closedWith() !== 0, 5_000);
  expect(connection.closedWith()).toBe(1012);
  const again = await connected();
  expect(await again.ask('eth_subscribe', ['newHeads'])).toMatchObject({ code: -32003 });
  again.socket.close();
});
