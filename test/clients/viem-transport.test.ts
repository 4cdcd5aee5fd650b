/**
 * viem through the package's transport with a real gateway: its actions, its own errors, calls that are never repeated,
 * and no key in any output (docs/decisions/0115).
 */

import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { inspect } from 'node:util';
import { until } from '@flowgate/testing/until';
import {
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  encodeErrorResult,
  HttpRequestError,
  parseAbi,
  RpcRequestError,
  TimeoutError,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { checkedFetch } from '../../apps/gateway/test/fixtures/checked-fetch.ts';
import { answering, wellBehaved } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { unknownKey } from '../../apps/gateway/test/fixtures/unknown-key.ts';
import { FlowgateError } from '../../client/src/flowgate-error.ts';
import { type FlowgateHttpOptions, flowgate } from '../../client/src/viem/flowgate.ts';
import { startFakeSockets } from '../../client/test/fake-sockets.ts';

let gateway: RunningGateway;
let apiKey: string;

beforeAll(async () => {
  gateway = await startGateway();
  apiKey = (await gateway.mint('alice')).apiKey;
});
afterAll(() => gateway.stop());
afterEach(() => gateway.node.behave(wellBehaved));

const over = (options: Partial<FlowgateHttpOptions> = {}) =>
  createPublicClient({
    chain: foundry,
    cacheTime: 0,
    transport: flowgate({ url: gateway.url, apiKey, fetch: checkedFetch, ...options } as FlowgateHttpOptions),
  });

async function failureOf(call: Promise<unknown>): Promise<BaseError> {
  const error: unknown = await call.catch((cause: unknown) => cause);
  if (!(error instanceof BaseError)) throw new Error('viem did not fail as expected', { cause: error });
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(apiKey.slice(-20));
  return error;
}

test('actions reach the default network, a named one and a node; concurrent calls are one batch', async () => {
  expect(await over().getBlockNumber()).toBe(16n);
  expect(await over({ network: { dlt: 'ethereum', networkId: 'dev' } }).getBlockNumber()).toBe(16n);
  const unknown = await failureOf(over({ network: { dlt: 'ethereum', networkId: 'none' } }).getBlockNumber());
  expect(unknown.walk((each) => each instanceof HttpRequestError)).toMatchObject({ status: 404 });
  const bodies: unknown[] = [];
  const client = over({
    batch: true,
    fetch: (url, init) => {
      bodies.push(JSON.parse(String(init.body)));
      return checkedFetch(url, init);
    },
  });
  expect(await Promise.all([client.getBlockNumber(), client.getBlockNumber({ cacheTime: 0 })])).toEqual([16n, 16n]);
  await Promise.all([client.getBlockNumber(), client.getCode({ address: `0x${'1'.repeat(40)}` })]).catch(
    () => undefined,
  );
  expect(bodies.map((body) => Array.isArray(body) && body.length)).toContain(2);
});

test('viem decodes a revert, because the error is viem’s own with the bytes', async () => {
  const abi = parseAbi(['error TooLittle(uint256 wanted)', 'function take() view returns (uint256)']);
  const data = encodeErrorResult({ abi, errorName: 'TooLittle', args: [7n] });
  gateway.node.behave(answering(JSON.stringify({ code: 3, message: 'execution reverted', data }), 'error'));
  const read = over().readContract({ address: `0x${'1'.repeat(40)}`, abi, functionName: 'take' });
  const reverted = (await failureOf(read)).walk((each) => each instanceof ContractFunctionRevertedError);
  expect(reverted).toMatchObject({ data: { errorName: 'TooLittle', args: [7n] } });
});

test('a refusal is viem’s error with the gateway’s message, and its cause is the FlowgateError with the request’s id', async () => {
  const stranger = await failureOf(over({ apiKey: unknownKey() }).getBlockNumber());
  expect(stranger.walk((each) => each instanceof RpcRequestError)).toMatchObject({
    code: -32001,
    details: 'Invalid credentials.',
  });
  const cause = stranger.walk((each) => each instanceof FlowgateError);
  expect(cause).toMatchObject({ status: 403, requestId: expect.any(String) });
  const silent = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Promise<Response>(() => {}) });
  const late = await failureOf(over({ url: `http://127.0.0.1:${silent.port}`, timeoutMs: 30 }).getBlockNumber());
  await silent.stop(true);
  expect(late.walk((each) => each instanceof TimeoutError)).toBeInstanceOf(TimeoutError);
});

test('a read that failed temporarily is repeated, a transaction is sent once, for any retryCount of viem', async () => {
  let seen = 0;
  gateway.node.behave((body) => (++seen > 1 ? wellBehaved(body) : new Response('no', { status: 500 })));
  expect(await over().getBlockNumber()).toBe(16n);
  const account = privateKeyToAccount(`0x${'1'.repeat(64)}`);
  let sent = 0;
  const transport = flowgate({
    url: 'http://gateway.example',
    apiKey,
    fetch: async () => {
      sent += 1;
      throw new TypeError('connection reset');
    },
  });
  const wallet = createWalletClient({ account, chain: foundry, transport });
  const serializedTransaction = await account.signTransaction({ chainId: 31337, type: 'eip1559', gas: 1n });
  await failureOf(wallet.sendRawTransaction({ serializedTransaction }));
  expect(sent).toBe(1);
});

test('a call that viem aborts ends at once', async () => {
  const leaving = new AbortController();
  const arrived = Promise.withResolvers<void>();
  gateway.node.behave(() => {
    arrived.resolve();
    return new Promise<Response>(() => {});
  });
  const call = over().request({ method: 'eth_gasPrice' }, { signal: leaving.signal });
  await arrived.promise;
  leaving.abort();
  await expect(call).rejects.toThrow();
  gateway.node.behave(answering('"0x1"'));
});

test('over a WebSocket viem subscribes instead of polling, learns of gaps, and ends its subscription', async () => {
  let last = 0;
  const server = startFakeSockets(({ method }) => {
    if (method !== 'eth_subscribe') return method === 'eth_unsubscribe' ? true : '0x10';
    last += 1;
    return `0x${last}`;
  });
  const gaps: number[] = [];
  const transport = flowgate({ url: server.url, apiKey, webSocket: true, onGap: () => gaps.push(1) });
  const client = createPublicClient({ chain: foundry, transport, cacheTime: 0 });
  const numbers: bigint[] = [];
  const stop = client.watchBlockNumber({ onBlockNumber: (number) => numbers.push(number) });
  expect(await client.getBlockNumber()).toBe(16n);
  const subscribed = () => server.seen.at(-1)?.said.some(({ method }) => method === 'eth_subscribe') === true;
  await until('it is subscribed', subscribed);
  server.seen[0]?.notify('0x1', { number: '0x11' });
  await until('a head has arrived', () => numbers.length === 1);
  server.seen[0]?.close(1012);
  await until('it is subscribed again', () => gaps.length === 1);
  server.seen[1]?.notify('0x2', { number: '0x12' });
  await until('a head has arrived', () => numbers.length === 2);
  stop();
  await until('it is unsubscribed', () => server.seen[1]?.said.at(-1)?.method === 'eth_unsubscribe');
  expect(numbers).toEqual([17n, 18n]);
  expect(server.seen.map(({ apiKey: key }) => key)).toEqual([apiKey, apiKey]);
  client.transport.close();
  await failureOf(client.getBlockNumber());
  await server.stop();
});
