/** Slow calls of one user do not delay those of other users. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Socket } from 'node:net';
import { until } from '@flowgate/testing/until';
import { type RawNode, startRawNode } from '../../apps/gateway/test/fixtures/raw-node.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

let node: RawNode;
let gateway: RunningGateway;

beforeAll(async () => {
  node = await startRawNode();
  const network = { dlt: 'ethereum', networkId: 'dev', chainId: 31337, default: true };
  gateway = await startGateway({
    config: {
      outbound: { maxConnectionsPerNode: 8 },
      networks: [{ ...network, nodes: [{ nodeId: 'only', url: node.url }] }],
    },
  });
});

afterAll(async () => {
  await gateway.stop();
  await node.stop();
});

test('a user with many slow calls to a node leaves connections to other users, and eventually receives all answers', async () => {
  const pending: (() => void)[] = [];
  let isOver = false;
  const answer = (socket: Socket, body: string) => {
    const text = body.replace(/^.*?"id":(\d+).*$/, '{"jsonrpc":"2.0","id":$1,"result":"0x1"}');
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
  };
  node.behave((socket, body) => {
    if (isOver || !body.includes('slow')) answer(socket, body);
    else pending.push(() => answer(socket, body));
  });
  const [mallory, alice] = await Promise.all(['mallory', 'alice'].map((user) => gateway.mint(user)));
  const call = (apiKey: string | undefined, param: string) =>
    gateway.rpc(apiKey ?? '', { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [param] });

  // Equal calls would be coalesced.
  const slow = Array.from({ length: 40 }, (_, nth) => call(mallory?.apiKey, `slow ${nth}`));
  await until(() => pending.length >= 6);
  for (let nth = 0; nth < 5; nth++) expect((await call(alice?.apiKey, 'quick')).status).toBe(200);
  expect(pending).toHaveLength(6);
  isOver = true;
  for (const release of pending) release();
  expect((await Promise.all(slow)).map(({ status }) => status)).toEqual(new Array<number>(40).fill(200));
});
