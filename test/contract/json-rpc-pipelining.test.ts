/**
 * Calls of many callers share a connection to a node without affecting each other (contract/json-rpc#nodes,
 * docs/decisions/0067).
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { endAll } from '@flowgate/testing/raw-http1-server';
import { until } from '@flowgate/testing/until';
import { startFakeNode } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { startPipeliningFront } from '../../apps/gateway/test/fixtures/pipelining-front.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

const behind = startFakeNode();
/** A node that answers the further calls of the pipelining trial with an invalid chain id. */
const strange = startFakeNode();
let front: ReturnType<typeof startPipeliningFront>;
let dying: ReturnType<typeof startPipeliningFront>;
let gateway: RunningGateway;
let key: string;

beforeAll(async () => {
  front = startPipeliningFront(behind.url, 31337);
  dying = startPipeliningFront(behind.url, 31337);
  const node = (nodeId: string, url: string) => ({ nodeId, url, pipelining: true });
  const network = (networkId: string, url: string) => ({
    dlt: 'test',
    networkId,
    chainId: 31337,
    nodes: [node(networkId, url)],
  });
  gateway = await startGateway({
    config: {
      limits: { userPerMinute: 100_000 },
      log: { requests: 'none' },
      networks: [
        network('pipelining', front.url),
        network('strange', strange.url),
        { ...network('dying', dying.url), nodes: [node('dying', dying.url), node('other', behind.url)] },
      ],
    },
  });
  key = (await gateway.mint()).apiKey;
});
afterAll(async () => {
  await gateway.stop();
  endAll();
  await Promise.all([behind.stop(), strange.stop()]);
});

/** Log messages about nodes. */
function events(): readonly string[] {
  const lines: { event: string; nodeId?: string }[] = gateway
    .output()
    .split('\n')
    .filter((line) => line.includes('"nodeId"'))
    .map((line) => JSON.parse(line));
  return lines.map(({ event, nodeId }) => `${event} ${nodeId}`);
}

/** Sends all calls at once; each response must have the id and the params of its call. */
async function callAll(networkId: string, method: string, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, nth) => nth);
  await Promise.all(
    ids.map(async (id) => {
      const params = [`${method} ${id}`];
      const answer = await gateway.rpc(
        key,
        { jsonrpc: '2.0', id, method, params },
        `/dlts/test/networks/${networkId}/rpc`,
      );
      expect(await answer.json()).toEqual({ jsonrpc: '2.0', id, result: { method, params } });
    }),
  );
}

test('reads of many callers share connections, and each caller gets its own answer', async () => {
  await until('reads are pipelined', async () => {
    await callAll('pipelining', 'eth_call', 60);
    return front.counts.pipelined > 50;
  });
  await until('the log says so', () => events().includes('node.pipelining pipelining'));
  expect(events()).not.toContain('node.pipelining-off pipelining');
});

test('a call that must not be repeated arrives once', async () => {
  behind.received.length = 0;
  await Promise.all([callAll('pipelining', 'eth_sendRawTransaction', 30), callAll('pipelining', 'eth_call', 30)]);
  const sent = behind.received.filter((body) => body.includes('"eth_sendRawTransaction"'));
  expect(new Set(sent.map((body) => /"params":(.*)\}$/.exec(body)?.[1])).size).toBe(30);
  expect(sent).toHaveLength(30);
});

test('a node without pipelining receives one call at a time, and the log says so', async () => {
  await until('it was noticed', async () => {
    await callAll('strange', 'eth_call', 20);
    return events().includes('node.pipelining-off strange');
  });
  await callAll('strange', 'eth_call', 20);
});

test('a node that dies with calls in flight costs no caller a read: the next node answers', async () => {
  await until('reads are pipelined', async () => {
    await callAll('dying', 'eth_call', 60);
    return dying.counts.pipelined > 50;
  });
  const calls = Array.from({ length: 5 }, () => callAll('dying', 'eth_call', 60));
  const before = behind.received.length;
  await until('calls are in progress', () => behind.received.length > before + 20);
  dying.cut();
  await Promise.all(calls);
  await callAll('dying', 'eth_call', 20);
});
