import { afterEach, describe, expect, test } from 'bun:test';
import { createTimeSlices } from '@flowgate/async/time-slices';
import { createTimerWheel } from '@flowgate/async/timer-wheel';
import { TurnBudget } from '@flowgate/async/turn-budget';
import { systemClock } from '@flowgate/base/clock';
import { systemRandomBytes } from '@flowgate/base/random';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { bytesOf, TextContent } from '@flowgate/bytes/byte-content';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { evmReads } from '@flowgate/chain/families/evm-reads';
import { quietLog } from '@flowgate/testing/quiet-log';
import { endAll } from '@flowgate/testing/raw-http1-server';
import { until } from '@flowgate/testing/until';
import { cachingPort } from '../../../test/fixtures/caching-port.ts';
import { evmChain } from '../../../test/fixtures/chain-questions.ts';
import { startPipeliningFront } from '../../../test/fixtures/pipelining-front.ts';
import { type SpeakingNode, startSpeakingNode } from '../../../test/fixtures/speaking-node.ts';
import { createLedgerAccess } from '../../flow/payments/ledger-access.ts';
import { decodeBody } from '../../rpc/message.ts';
import { serveBody } from '../../rpc/serve-body.ts';
import type { RpcTarget } from '../../rpc/target.ts';
import type { Network } from '../networks/network.ts';
import { createNetworkNodes } from '../networks/network-nodes.ts';
import { createNodePool } from '../routing/node-pool.ts';
import { watchNode } from '../routing/watched-node.ts';
import { openHttpNode } from '../transports/http-node.ts';
import { openWsNode } from '../transports/ws-node.ts';
import { nodePortContract } from './node-port.contract.ts';
import { createNodeIds } from './node-request.ts';

afterEach(endAll);

const timerWheel = createTimerWheel(systemClock, 5);
const timeoutMs = 5_000;

const httpNode = (node: SpeakingNode, nodeId = 'http') =>
  openHttpNode({
    ...{ nodeId, chain: evmChain(1), url: node.httpUrl, timeoutMs, timerWheel, clock: systemClock },
    slices: createTimeSlices(systemClock),
    turns: new TurnBudget(systemClock),
    takeIds: createNodeIds(),
    answerBudget: new ByteBudget({ totalBytes: 10_000_000, ownerBytes: 10_000_000 }),
  });

/** Like `httpNode`, but with several open connections that each have more than one call in flight. */
async function pipeliningNode(node: SpeakingNode) {
  const front = startPipeliningFront(node.httpUrl);
  const off: string[] = [];
  const transport = openHttpNode({
    ...{ nodeId: 'pipelining', chain: evmChain(1), url: front.url, timeoutMs, timerWheel, clock: systemClock },
    slices: createTimeSlices(systemClock),
    turns: new TurnBudget(systemClock),
    takeIds: createNodeIds(),
    answerBudget: new ByteBudget({ totalBytes: 10_000_000, ownerBytes: 10_000_000 }),
    pipelining: { turnedOn: () => {}, turnedOff: (reason) => void off.push(reason) },
  });
  const call = { method: 'eth_call', params: rangeOf('[]'), repeatable: true };
  const before = front.counts.pipelined;
  await until('calls are pipelined', async () => {
    if (off.length > 0) throw new Error(off[0]);
    await Promise.all(Array.from({ length: 40 }, () => transport.send(call)));
    // A trial consists of two requests that follow another one.
    return front.counts.pipelined > before + 2 * 8;
  });
  node.asked.length = 0;
  return transport;
}

const socketNode = (node: SpeakingNode, nodeId = 'socket') =>
  openWsNode({
    ...{ nodeId, chain: evmChain(1), url: node.socketUrl, timeoutMs, timerWheel, clock: systemClock },
    slices: createTimeSlices(systemClock),
    turns: new TurnBudget(systemClock),
    takeIds: createNodeIds(),
    answerBudget: new ByteBudget({ totalBytes: 10_000_000, ownerBytes: 10_000_000 }),
    randomBytes: systemRandomBytes,
  });

type Transport = ReturnType<typeof httpNode> | ReturnType<typeof socketNode>;

function poolOf(...transports: Transport[]) {
  const parts = { log: quietLog(), timerWheel, clock: systemClock, identity: '1', intervalMs: 60_000 };
  const nodes = transports.map((transport) => watchNode(transport, parts));
  return {
    port: createNodePool(nodes, { clock: systemClock, timeoutMs }),
    close() {
      for (const each of [...nodes, ...transports]) each.close();
    },
  };
}

const opened = (transport: Transport) => ({ port: transport, close: transport.close });

nodePortContract('a node over HTTP', async (node) => opened(httpNode(node)));
nodePortContract('a node over HTTP that pipelines', async (node) => opened(await pipeliningNode(node)));
nodePortContract('a node over WebSocket', async (node) => opened(socketNode(node)));
nodePortContract('a pool of one node over each', async (node) => poolOf(httpNode(node), socketNode(node)));
nodePortContract('a cache around a pool', async (node) => {
  const { port, close } = poolOf(httpNode(node));
  return { port: cachingPort(port), close };
});
nodePortContract('a cache around a WebSocket', async (node) => {
  const { close, ...transport } = socketNode(node);
  return { port: cachingPort(transport), close };
});

describe('a wrapper around the port', () => {
  test('serves callers of JSON-RPC and Flow Apps alike, and the node is asked once', async () => {
    const node = startSpeakingNode();
    node.says((_method, params) => `"result":${params ?? '"0x10"'}`);
    const { port, close } = poolOf(httpNode(node));
    const cache = cachingPort(port);
    const place = { network: 'ethereum/dev', nodes: () => [], hasContracts: true };
    const target: RpcTarget = {
      policy: () => 'forward',
      reads: evmReads,
      hideSecrets: (text) => text,
      place,
      port: cache,
    };
    const serve = async (text: string) => {
      const body = decodeBody(Buffer.from(text), 10);
      if (body.kind !== 'single' && body.kind !== 'batch') throw new Error('no body');
      return serveBody(
        body,
        target,
        (reason) => new TextContent(reason),
        { userId: 'alice', request: new AbortController() },
        (reported) => (reported.kind === 'answer' ? Buffer.from(bytesOf(reported.body)).toString() : reported.kind),
      );
    };
    const call = (id: string, params: string) => `{"jsonrpc":"2.0","id":${id},"method":"eth_call","params":${params}}`;
    const answer = (id: string, raw: string) => `{"jsonrpc":"2.0","id":${id},"result":${raw}}`;
    for (const id of ['1.0', '"\\u0061"']) expect(await serve(call(id, '[ 1.0 ]'))).toBe(answer(id, '[ 1.0 ]'));
    expect(await serve(`[${call('1', '[2]')},${call('2', '[ 1.0 ]')},${call('3', '[3]')}]`)).toBe(
      `[${answer('1', '[2]')},${answer('2', '[ 1.0 ]')},${answer('3', '[3]')}]`,
    );

    const network: Network = {
      ...{
        dlt: 'ethereum',
        networkId: 'dev',
        name: 'dev',
        chain: evmChain(1),
        chainId: 1,
        isDefault: true,
        enabledMethods: [],
        heads: undefined,
        ...createNetworkNodes({ dlt: 'ethereum', networkId: 'dev' }, [], [], { clock: systemClock, timeoutMs: 1_000 }),
      },
      pool: cache,
    };
    const ledger = createLedgerAccess({ all: [network] })('eip155:1');
    expect(await ledger?.('eth_call', [3])).toEqual([3]);
    expect(await ledger?.('eth_call', ['new'])).toEqual(['new']);

    expect(node.asked).toEqual(['eth_call [ 1.0 ]', 'eth_call [2]', 'eth_call [3]', 'eth_call ["new"]']);
    expect(cache.counts).toEqual({ asked: 4, cached: 3 });
    close();
    await node.stop();
  });

  test('a pool changes from a node over WebSocket to one over HTTP when the first is gone', async () => {
    const [gone, other] = [startSpeakingNode(), startSpeakingNode()];
    for (const node of [gone, other]) node.says(() => '"result":1');
    const { port, close } = poolOf(socketNode(gone), httpNode(other));
    const call = { method: 'eth_call', params: undefined, repeatable: true };
    expect(await port.send(call)).toMatchObject({ ok: true, nodeId: 'socket' });
    gone.says(() => {
      void gone.stop();
      return undefined;
    });
    expect(await port.send(call)).toMatchObject({ ok: true, nodeId: 'http' });
    expect(await port.send({ ...call, repeatable: false })).toMatchObject({ ok: true, nodeId: 'http' });
    close();
    await other.stop();
  });
});
