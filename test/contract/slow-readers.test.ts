/**
 * Callers that read their responses too slowly, and callers that disconnect while their connection is not read
 * (contract/bounds#slow-readers, contract/websocket#closing).
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { frame, opcodes, openRawWebSocket, upgradeRequest } from '@flowgate/testing/raw-web-socket';
import { until } from '@flowgate/testing/until';
import { answering } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { type UnreadCallers, unreadCallers } from '../../apps/gateway/test/fixtures/unread-callers.ts';

let gateway: RunningGateway;
const started: UnreadCallers[] = [];
beforeAll(async () => {
  gateway = await startGateway({
    config: {
      server: { writeTimeoutSeconds: 3, minWriteBytesPerSecond: 16_777_216 },
      limits: { webSocketsPerUser: 2, userPerMinute: 100_000 },
    },
  });
});
afterAll(async () => {
  for (const each of started) each.close();
  await gateway.stop();
});

const answerBytes = 30_000_000;
const callText = (nth = 1) => `{"jsonrpc":"2.0","id":${nth},"method":"eth_getLogs","params":[${nth}]}`;

function post(apiKey: string): string {
  const body = callText();
  return `POST /rpc HTTP/1.1\r\nHost: a\r\nX-API-Key: ${apiKey}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

const upgrade = (apiKey: string) =>
  Buffer.concat([Buffer.from(upgradeRequest(`/rpc/${apiKey}`)), frame(opcodes.text, callText())]);

for (const [surface, bytesOf] of Object.entries({ HTTP: (key: string) => Buffer.from(post(key)), WebSocket: upgrade }))
  test(`over ${surface} a caller that repeatedly reads a little is cut off`, async () => {
    const { apiKey } = await gateway.mint(`trickle-${surface}`);
    gateway.node.behave(answering(`"${'x'.repeat(answerBytes)}"`));
    const callers = unreadCallers(gateway.port);
    started.push(callers);
    callers.send(bytesOf(apiKey));
    // At most 2 MiB a second, while the socket buffers contain some megabytes of the 30.
    callers.trickle(250);
    await until('the connection has ended', () => callers.open() === 0);
    expect(callers.received()).toBeLessThan(answerBytes);
  });

test.each([
  ['is closed', 3],
  ['is closed with much unread', 5_000],
])('a WebSocket whose client %s while it is not read frees its slot at once', async (_how, more) => {
  const { apiKey } = await gateway.mint(`lost-${more}`);
  gateway.node.behave(() => Promise.withResolvers<Response>().promise);
  const connected = async () => {
    const socket = await openRawWebSocket(gateway.port, `/rpc/${apiKey}`);
    if (!socket.head.includes('101')) socket.close();
    return socket.head.includes('101') ? socket : undefined;
  };
  const known = gateway.node.received.length;
  const sockets = [await connected(), await connected()];
  for (const socket of sockets)
    socket?.send(
      Buffer.concat(Array.from({ length: 100 + more }, (_, nth) => frame(opcodes.text, callText(more + nth)))),
    );
  await until('calls are in flight', () => gateway.node.received.length > known);
  expect(await connected()).toBeUndefined();
  for (const socket of sockets) socket?.close();
  // The pings, every 30 seconds, would detect it as well.
  await until('a connection can be opened', async () => (await connected()) !== undefined, 10_000);
});
