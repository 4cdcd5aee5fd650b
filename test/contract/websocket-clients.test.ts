/**
 * Common client libraries, unchanged, over WebSocket: viem, ethers and web3.js call, subscribe, and notice when their
 * key is revoked (contract/websocket).
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import { WebSocketProvider } from 'ethers';
import { createPublicClient, webSocket } from 'viem';
import { Web3, WebSocketProvider as Web3Socket } from 'web3';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { createSimChain } from '../../apps/gateway/test/fixtures/sim-chain.ts';
import { type SimNode, startSimNode } from '../../apps/gateway/test/fixtures/sim-node.ts';

const chain = createSimChain({ seed: 12, logs: 0 });
chain.mine(10);
let node: SimNode;
let gateway: RunningGateway;

beforeAll(async () => {
  node = startSimNode(chain);
  gateway = await startGateway({
    config: {
      networks: [
        {
          ...{ dlt: 'ethereum', networkId: 'dev', name: 'A simulated chain', chainId: chain.chainId, default: true },
          nodes: [{ nodeId: 'sim-1', url: node.httpUrl, wsUrl: node.socketUrl }],
        },
      ],
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  node.stop();
});

/** A new key, the address with it, and its revocation. */
async function address(): Promise<{ readonly url: string; readonly revoke: () => Promise<unknown> }> {
  const { apiKey, keyId } = await gateway.mint();
  const headers = { Authorization: `Bearer ${gateway.token()}` };
  return {
    url: `ws://127.0.0.1:${gateway.port}/rpc/${apiKey}`,
    revoke: () => gateway.fetch(`/users/me/api-keys/${keyId}`, { method: 'DELETE', headers }),
  };
}

/** Mines until the client has received heads, and expects none to be missing, repeated or out of order. */
async function expectHeads(reported: readonly number[]): Promise<void> {
  await until('the first head has arrived', () => {
    if (reported.length === 0) chain.mine();
    return reported.length > 0;
  });
  for (let more = 0; more < 3; more++) {
    const { number } = chain.mine();
    await until('the newest head has arrived', () => reported.includes(number));
  }
  const [first = 0] = reported;
  expect(reported).toEqual(Array.from({ length: chain.head().number - first + 1 }, (_, at) => first + at));
}

test('viem', async () => {
  const { url, revoke } = await address();
  const client = createPublicClient({ transport: webSocket(url, { reconnect: false, keepAlive: false }) });
  expect(await client.getChainId()).toBe(chain.chainId);
  expect(Number(await client.getBlockNumber())).toBe(chain.head().number);
  const [account = '0x'] = chain.accounts;
  expect(typeof (await client.getBalance({ address: account as `0x${string}` }))).toBe('bigint');
  await expect(client.request({ method: 'admin_peers' as never })).rejects.toThrow('Method not allowed.');
  const reported: number[] = [];
  const { unsubscribe } = await client.transport.subscribe({
    params: ['newHeads'],
    onData: ({ result }) => reported.push(Number(result.number)),
  });
  await expectHeads(reported);
  await unsubscribe();
  const { length } = reported;
  chain.mine();
  await client.getChainId();
  expect(reported.length).toBe(length);
  const rpcClient = await client.transport.getRpcClient();
  const closed = new Promise<number>((resolve) =>
    rpcClient.socket.addEventListener('close', (event) => resolve(event.code)),
  );
  await revoke();
  expect(await closed).toBe(4001);
});

test('ethers', async () => {
  const { url, revoke } = await address();
  const socket = new WebSocket(url);
  const provider = new WebSocketProvider(socket);
  expect((await provider.getNetwork()).chainId).toBe(BigInt(chain.chainId));
  expect(await provider.getBlockNumber()).toBe(chain.head().number);
  await expect(provider.send('admin_peers', [])).rejects.toThrow('Method not allowed.');
  const reported: number[] = [];
  await provider.on('block', (number: number) => reported.push(number));
  await expectHeads(reported);
  const closed = new Promise<number>((resolve) => socket.addEventListener('close', ({ code }) => resolve(code)));
  await revoke();
  expect(await closed).toBe(4001);
});

test('web3.js', async () => {
  const { url, revoke } = await address();
  const provider = new Web3Socket(url, {}, { autoReconnect: false, delay: 0, maxAttempts: 0 });
  const web3 = new Web3(provider);
  expect(Number(await web3.eth.getChainId())).toBe(chain.chainId);
  expect(Number(await web3.eth.getBlockNumber())).toBe(chain.head().number);
  await expect(web3.eth.personal.getAccounts()).rejects.toThrow();
  const subscription = await web3.eth.subscribe('newBlockHeaders');
  const reported: number[] = [];
  subscription.on('data', ({ number }) => void reported.push(Number(number)));
  await expectHeads(reported);
  await subscription.unsubscribe();
  const closed = new Promise<number>((resolve) =>
    provider.on('disconnect', (error) => resolve((error as { code: number }).code)),
  );
  await revoke();
  expect(await closed).toBe(4001);
});
