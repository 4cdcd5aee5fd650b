/**
 * Requests that are answered before their body has arrived: the gateway never reads the rest as a request and closes
 * the connection (RFC 9112, 9.3 and 9.6).
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { answersUntilClosed, rawRequest } from '@flowgate/testing/raw-http';
import { openRaw } from '../../apps/gateway/test/fixtures/checked-raw-http.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

let gateway: RunningGateway;
let key: string;

beforeAll(async () => {
  gateway = await startGateway({
    config: { limits: { userPerMinute: 100_000, maxBodyBytes: 200_000 }, server: { bodyTimeoutSeconds: 0.3 } },
  });
  key = (await gateway.mint()).apiKey;
});
afterAll(() => gateway.stop());

const hidden = '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":["hidden"]}';
const hiddenRequest = () =>
  rawRequest(`POST /rpc/${key} HTTP/1.1`, ['Host: gateway', `Content-Length: ${hidden.length}`], hidden);

/**
 * Sends the head and the start of a body; after the response, bytes that look like the rest; then reads until the
 * gateway closes.
 */
async function abandon(request: string): Promise<{ statuses: readonly number[]; connection: string | null }> {
  const connection = await openRaw(gateway.port);
  connection.send(request);
  const first = await connection.next();
  connection.send(hiddenRequest());
  const rest = await answersUntilClosed(connection);
  return {
    statuses: [first, ...rest].map((answer) => answer?.status ?? 0),
    connection: first?.headers.get('connection') ?? null,
  };
}

const framings: readonly (readonly [string, readonly string[], string])[] = [
  ['announced and not sent', ['Content-Length: 1000'], ''],
  ['announced and begun', ['Content-Length: 1000'], '{"jsonrpc":'],
  ['large, announced and begun', ['Content-Length: 150000'], '{"jsonrpc":'],
  ['chunked and not sent', ['Transfer-Encoding: chunked'], ''],
  ['chunked and begun', ['Transfer-Encoding: chunked'], 'b\r\n{"jsonrpc":\r\n'],
  ['chunked, within a chunk', ['Transfer-Encoding: chunked'], 'ff\r\n{"jsonrpc":'],
];

describe('after a 408 the gateway closes the connection, announced with Connection: close', () => {
  const paths: Record<string, () => readonly string[]> = {
    '/rpc': () => [`X-API-Key: ${key}`],
    '/mcp': () => [`X-API-Key: ${key}`, 'Accept: application/json, text/event-stream'],
    '/users/me/api-keys': () => [`Authorization: Bearer ${gateway.token()}`],
    '/flow/sessions': () => [`X-API-Key: ${key}`],
  };
  for (const [path, credential] of Object.entries(paths))
    test(`on ${path}`, async () => {
      const outcomes = await Promise.all(
        framings.map(([, framing, body]) =>
          abandon(rawRequest(`POST ${path} HTTP/1.1`, ['Host: gateway', ...credential(), ...framing], body)),
        ),
      );
      expect(outcomes).toEqual(framings.map(() => ({ statuses: [408], connection: 'close' })));
      expect(gateway.node.received).toEqual([]);
    });

  test('a trickling body ends with 408, too', async () => {
    const connection = await openRaw(gateway.port);
    connection.send(rawRequest(`POST /rpc/${key} HTTP/1.1`, ['Host: gateway', 'Transfer-Encoding: chunked']));
    let isOver = false;
    const answers = answersUntilClosed(connection).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      connection.send('1\r\n \r\n');
      // Real time: the pace of the trickle.
      await Bun.sleep(20);
    }
    expect((await answers).map(({ status }) => status)).toEqual([408]);
  });
});

describe('a request that was refused before its body arrived occupies the connection no longer than the body timeout', () => {
  const refused: Record<string, readonly [number, (key: string) => string]> = {
    'an unknown path': [404, () => 'POST /nowhere HTTP/1.1'],
    'a wrong method': [405, () => 'PUT /rpc HTTP/1.1'],
    'no credential, REST': [401, () => 'POST /users/me/api-keys HTTP/1.1'],
    'no credential, RPC': [401, () => 'POST /rpc HTTP/1.1'],
    'a bad credential': [403, () => 'POST /rpc/rubbish HTTP/1.1'],
    'no credential, MCP': [401, () => 'POST /mcp HTTP/1.1'],
    'no such network': [404, (apiKey) => `POST /dlts/ethereum/networks/none/rpc/${apiKey} HTTP/1.1`],
    'another type': [415, (apiKey) => `POST /rpc/${apiKey} HTTP/1.1\r\nContent-Type: text/plain`],
    'a coding': [415, (apiKey) => `POST /rpc/${apiKey} HTTP/1.1\r\nContent-Encoding: br`],
  };
  const abandonAll = () =>
    Object.values(refused).flatMap(([status, line]) =>
      framings.map(async ([, framing, body]) => {
        const { statuses } = await abandon(rawRequest(line(key), ['Host: gateway', ...framing], body));
        // Other bytes in place of a chunk may be answered 400, but never run as a call.
        return { status, first: statuses[0], rest: statuses.slice(1).filter((one) => one !== 400) };
      }),
    );

  test('bytes in place of the rest of the body are no request', async () => {
    const outcomes = await Promise.all([
      ...abandonAll(),
      ...[300_000].map(async (length) => {
        const line = `POST /rpc/${key} HTTP/1.1`;
        const { statuses } = await abandon(rawRequest(line, ['Host: gateway', `Content-Length: ${length}`], '{'));
        return { status: 413, first: statuses[0], rest: statuses.slice(1) };
      }),
    ]);
    for (const { status, first, rest } of outcomes) expect([first, rest]).toEqual([status, []]);
    expect(gateway.node.received).toEqual([]);
  });

  test('the connection closes after the response, even when more bytes arrive', async () => {
    const connection = await openRaw(gateway.port);
    connection.send(rawRequest('POST /nowhere HTTP/1.1', ['Host: gateway', 'Content-Length: 150000'], '{'));
    const answer = await connection.next();
    expect([answer?.status, answer?.headers.get('connection')]).toEqual([404, 'close']);
    connection.send(' '.repeat(149_999));
    connection.send(rawRequest('GET /healthz HTTP/1.1', ['Host: gateway']));
    expect(await connection.next()).toBeUndefined();
  });
});
