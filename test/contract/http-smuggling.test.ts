/** Requests whose end two parsers could place differently: a call hidden in them never runs (RFC 9112, 11.2). */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { answersUntilClosed, type RawAnswer, rawRequest } from '@flowgate/testing/raw-http';
import { openRaw } from '../../apps/gateway/test/fixtures/checked-raw-http.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

let gateway: RunningGateway;
let key: string;

beforeAll(async () => {
  gateway = await startGateway({
    config: { limits: { userPerMinute: 100_000, maxBodyBytes: 20_000 }, server: { bodyTimeoutSeconds: 0.2 } },
  });
  key = (await gateway.mint()).apiKey;
});
afterAll(() => gateway.stop());

let attempts = 0;

/**
 * `write` puts a complete, valid call somewhere inside its bytes. Afterwards the connection carries an ordinary
 * request, so that processing of the bytes has ended when that request is answered or the connection closes.
 */
async function smuggle(write: (inner: string) => string): Promise<readonly RawAnswer[]> {
  attempts += 1;
  const marker = `smuggled-${attempts}`;
  const body = `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":["${marker}"]}`;
  const inner = rawRequest(`POST /rpc/${key} HTTP/1.1`, ['Host: gateway', `Content-Length: ${body.length}`], body);
  const connection = await openRaw(gateway.port);
  connection.send(Buffer.from(write(inner), 'latin1'));
  const first = await connection.next();
  connection.send(rawRequest('GET /healthz HTTP/1.1', ['Host: gateway', 'Connection: close']));
  const rest = await answersUntilClosed(connection);
  const answers = first === undefined ? rest : [first, ...rest];
  expect(gateway.node.received.filter((sent) => sent.includes(marker))).toEqual([]);
  for (const answer of answers) {
    expect(answer.status).not.toBe(500);
    expect(answer.body).not.toContain('"result"');
  }
  return answers;
}

const post = (headers: readonly string[], body: string) =>
  rawRequest(`POST /rpc/${key} HTTP/1.1`, ['Host: gateway', ...headers], body);

test('the hidden call runs when it is sent openly, so that the test can detect it', async () => {
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":["openly"]}';
  const connection = await openRaw(gateway.port);
  connection.send(post([`Content-Length: ${body.length}`], body));
  expect((await connection.next())?.status).toBe(200);
  connection.close();
  expect(gateway.node.received.filter((sent) => sent.includes('openly'))).toHaveLength(1);
});

const unknownCodings = new Set(['an unknown coding', 'gzip alone']);

describe('ambiguous framing is refused, and the connection closed', () => {
  const lengths: Record<string, readonly string[]> = {
    'length and chunked': ['Content-Length: 5', 'Transfer-Encoding: chunked'],
    'chunked and length': ['Transfer-Encoding: chunked', 'Content-Length: 5'],
    'two lengths': ['Content-Length: 5', 'Content-Length: 0'],
    'two lengths, zero first': ['Content-Length: 0', 'Content-Length: 5'],
    'a list of lengths': ['Content-Length: 5, 0'],
    'a signed length': ['Content-Length: +5'],
    'a negative length': ['Content-Length: -5'],
    'a hexadecimal length': ['Content-Length: 0x5'],
    'a fraction': ['Content-Length: 5.0'],
    'a length that contains a space': ['Content-Length: 5 0'],
    'an empty length': ['Content-Length:'],
    'a length beyond 64 bits': ['Content-Length: 18446744073709551621'],
    'a space before the colon of the length': ['Content-Length : 5'],
    'an unknown coding': ['Transfer-Encoding: xchunked'],
    identity: ['Transfer-Encoding: identity', 'Content-Length: 5'],
    'chunked before another coding': ['Transfer-Encoding: chunked, identity'],
    'gzip alone': ['Transfer-Encoding: gzip'],
    'chunked twice, one odd': ['Transfer-Encoding: chunked', 'Transfer-Encoding: x'],
    'a vertical tab before chunked': ['Transfer-Encoding: \x0bchunked', 'Content-Length: 5'],
    'a quoted coding': ['Transfer-Encoding: "chunked"', 'Content-Length: 5'],
    'a space before the colon of the coding': ['Transfer-Encoding : chunked'],
    'a folded coding': ['Transfer-Encoding:\r\n chunked'],
    'a folded length': ['Content-Length:\r\n 5'],
    'a line that begins with a space': [' Transfer-Encoding: chunked'],
    'a NUL in a name': ['Transfer-Encoding\0: chunked'],
    'a NUL in a value': ['X-Padding: a\0b', 'Content-Length: 5'],
    'a bare line feed': ['X-Padding: a\nTransfer-Encoding: chunked', 'Content-Length: 5'],
    'a bare carriage return': ['X-Padding: a\rTransfer-Encoding: chunked', 'Content-Length: 5'],
    'a line without a colon': ['chunked', 'Content-Length: 5'],
    'an empty name': [': chunked', 'Content-Length: 5'],
  };
  for (const [name, headers] of Object.entries(lengths))
    test(name, async () => {
      const answers = await smuggle((inner) => post(headers, `0\r\n\r\n${inner}`));
      // A well-formed unknown coding is not implemented (RFC 9112 6.1).
      const refused = unknownCodings.has(name) ? 501 : 400;
      expect(answers.map(({ status }) => status)).toEqual([refused]);
    });
});

describe('ambiguous chunks are refused', () => {
  const chunked = (body: string) => post(['Transfer-Encoding: chunked'], body);
  const bodies: Record<string, (inner: string) => string> = {
    'a size that overflows': (inner) => `1000000000000000A\r\n0123456789\r\n0\r\n\r\n${inner}`,
    'a negative size': (inner) => `-1\r\n\r\n${inner}`,
    'a size with 0x': (inner) => `0x0\r\n\r\n${inner}`,
    'no size': (inner) => `\r\n\r\n${inner}`,
    'letters as size': (inner) => `zz\r\n\r\n${inner}`,
    'data longer than its size': (inner) => `2\r\n{}{}\r\n0\r\n\r\n${inner}`,
  };
  for (const [name, write] of Object.entries(bodies))
    test(name, async () => {
      const answers = await smuggle((inner) => chunked(write(inner)));
      expect(answers.map(({ status }) => status)).toEqual(answers.length === 0 ? [] : [400]);
    });
});

describe('the body of a request that was answered early is not read as a request', () => {
  const padded = (inner: string, length: number) => inner + 'x'.repeat(length - inner.length);
  const withLength = (line: string, headers: readonly string[], body: string) =>
    rawRequest(line, ['Host: gateway', ...headers, `Content-Length: ${body.length}`], body);
  const carriers: Record<string, [status: number, write: (inner: string) => string]> = {
    'a GET': [200, (inner) => withLength('GET /healthz HTTP/1.1', [], inner)],
    'a GET in one chunk': [
      200,
      (inner) =>
        rawRequest(
          'GET /healthz HTTP/1.1',
          ['Host: gateway', 'Transfer-Encoding: chunked'],
          `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`,
        ),
    ],
    'an unknown path': [404, (inner) => withLength('POST /nowhere HTTP/1.1', [], inner)],
    'a wrong method': [405, (inner) => withLength('PUT /rpc HTTP/1.1', [], inner)],
    'a preflight': [204, (inner) => withLength('OPTIONS /rpc HTTP/1.1', [], inner)],
    'no credential': [401, (inner) => withLength('POST /rpc HTTP/1.1', [], inner)],
    'no credential, with a body larger than the limit without credential': [
      401,
      (inner) => withLength('POST /rpc HTTP/1.1', [], padded(inner, 19_000)),
    ],
    'a bad credential': [403, (inner) => withLength('POST /rpc/rubbish HTTP/1.1', [], inner)],
    'another type': [415, (inner) => withLength('POST /rpc/KEY HTTP/1.1', ['Content-Type: text/plain'], inner)],
    'a coding': [415, (inner) => withLength('POST /rpc/KEY HTTP/1.1', ['Content-Encoding: br'], inner)],
    'a body that is too long': [413, (inner) => withLength('POST /rpc/KEY HTTP/1.1', [], padded(inner, 30_000))],
    'a body that is not JSON': [400, (inner) => withLength('POST /rpc/KEY HTTP/1.1', [], inner)],
  };
  for (const [name, [status, write]] of Object.entries(carriers))
    test(`${name}: ${status}`, async () => {
      const answers = await smuggle((inner) => write(inner).replace('/rpc/KEY', `/rpc/${key}`));
      expect(answers[0]?.status).toBe(status);
      expect(answers.length).toBeLessThanOrEqual(2);
    });

  test('a chunked body that is too long: 413', async () => {
    const answers = await smuggle((inner) => {
      const chunk = padded(inner, 8_192);
      const chunks = `2000\r\n${chunk}\r\n`.repeat(5);
      return post(['Transfer-Encoding: chunked'], `${chunks}0\r\n\r\n`);
    });
    expect(answers[0]?.status).toBe(413);
    expect(answers.length).toBeLessThanOrEqual(2);
  });

  test('a body that arrives after its 408', async () => {
    const connection = await openRaw(gateway.port);
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":["too-late"]}';
    const inner = post([`Content-Length: ${body.length}`], body);
    connection.send(post([`Content-Length: ${inner.length + 1}`], '{'));
    expect((await connection.next())?.status).toBe(408);
    connection.send(inner);
    connection.send(rawRequest('GET /healthz HTTP/1.1', ['Host: gateway', 'Connection: close']));
    const after = await answersUntilClosed(connection);
    expect(after.every(({ body: text }) => !text.includes('"result"'))).toBe(true);
    expect(gateway.node.received.filter((sent) => sent.includes('too-late'))).toEqual([]);
  });
});

test('each pipelined valid request is answered once or not at all, and answers are not mixed up', async () => {
  const connection = await openRaw(gateway.port);
  const call = (id: number) => {
    const body = `{"jsonrpc":"2.0","id":${id},"method":"eth_blockNumber"}`;
    return post([`Content-Length: ${body.length}`, ...(id === 3 ? ['Connection: close'] : [])], body);
  };
  connection.send(call(1) + call(2) + call(3));
  const bodies = (await answersUntilClosed(connection)).map(({ body }) => body);
  const expected = [1, 2, 3].map((id) => `{"jsonrpc":"2.0","id":${id},"result":"0x10"}`);
  expect(bodies).toEqual(expected.slice(0, bodies.length));
});
