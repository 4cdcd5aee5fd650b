/**
 * Request bodies: types, codings, sizes, pace, and malformed JSON, each with the documented refusal and never a 500
 * (contract/conventions).
 */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { jsonTexts, notUtf8 } from '@flowgate/testing/json-texts';
import { rawRequest } from '@flowgate/testing/raw-http';
import { expectRpcError, expectStandardError } from '../../apps/gateway/test/fixtures/answers.ts';
import { openRaw } from '../../apps/gateway/test/fixtures/checked-raw-http.ts';
import { answering, wellBehaved } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

const maxBodyBytes = 5_242_880;
let gateway: RunningGateway;
let key: string;

beforeAll(async () => {
  gateway = await startGateway({
    config: { limits: { userPerMinute: 100_000 }, server: { bodyTimeoutSeconds: 0.5 } },
  });
  key = (await gateway.mint()).apiKey;
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.node.behave(wellBehaved));

type Body = string | Uint8Array<ArrayBuffer>;
const keysPath = '/users/me/api-keys';
const blockNumber = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}';
let users = 0;

const rpc = (body: Body, headers: Record<string, string> = {}) =>
  gateway.fetch('/rpc', { method: 'POST', headers: { 'X-API-Key': key, ...headers }, body });
const mint = (body: Body, headers: Record<string, string> = {}) => {
  users += 1;
  const authorization = { Authorization: `Bearer ${gateway.token(`minter-${users}`)}` };
  return gateway.fetch(keysPath, { method: 'POST', headers: { ...authorization, ...headers }, body });
};

/** Written by hand, because a client adds a Content-Type. */
async function rawStatus(path: string, headers: readonly string[], body: string): Promise<number | undefined> {
  const connection = await openRaw(gateway.port);
  connection.send(
    rawRequest(`POST ${path} HTTP/1.1`, ['Host: gateway', ...headers, `Content-Length: ${body.length}`], body),
  );
  const answer = await connection.next();
  connection.close();
  return answer?.status;
}

describe('content types (contract/conventions)', () => {
  const accepted = [
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
  ];
  accepted.push('application/json-rpc', 'application/jsonrequest', 'application/vnd.api+json', 'text/json', '');
  accepted.push('application/json; charset="utf-8"', ' application/json ');
  for (const type of accepted)
    test(`${JSON.stringify(type)} is accepted`, async () => {
      const header = `Content-Type: ${type}`;
      expect(await rawStatus(`/rpc/${key}`, [header], blockNumber)).toBe(200);
      users += 1;
      const authorization = `Authorization: Bearer ${gateway.token(`minter-${users}`)}`;
      expect(await rawStatus(keysPath, [header, authorization], '{"label":"x"}')).toBe(201);
    });

  test('a missing content type is accepted', async () => {
    expect(await rawStatus(`/rpc/${key}`, [], blockNumber)).toBe(200);
    expect(await rawStatus(keysPath, [`Authorization: Bearer ${gateway.token('typeless')}`], '{"label":"x"}')).toBe(
      201,
    );
  });

  const others = [
    'text/plain',
    'text/html',
    'application/xml',
    'application/x-www-form-urlencoded',
    'application/jsonp',
  ];
  others.push('application/javascript', 'multipart/form-data; boundary=x', 'application/octet-stream', 'json', '*/*');
  others.push('application/json; charset=utf-16', 'application/json; charset=latin1', 'application/json, text/plain');
  for (const type of others)
    test(`${type} is 415`, async () => {
      const refused = { status: 415, error: 'Unsupported media type' };
      await expectStandardError(await rpc(blockNumber, { 'Content-Type': type }), { ...refused, path: '/rpc' });
      await expectStandardError(await mint('{"label":"x"}', { 'Content-Type': type }), { ...refused, path: keysPath });
    });

  for (const coding of ['br', 'deflate', 'compress', 'identity, gzip', 'gzip, gzip', 'x'])
    test(`Content-Encoding: ${coding} is 415, with the codings that are accepted (RFC 7694; contract/conventions#compression)`, async () => {
      const refused = { status: 415, error: 'Unsupported media type' };
      const call = await rpc(blockNumber, { 'Content-Encoding': coding });
      expect(call.headers.get('accept-encoding')).toBe('zstd, gzip');
      await expectStandardError(call, { ...refused, path: '/rpc' });
      await expectStandardError(await mint('{"label":"x"}', { 'Content-Encoding': coding }), {
        ...refused,
        path: keysPath,
      });
    });

  test('a refused type has no Accept-Encoding (RFC 7694)', async () => {
    expect((await rpc(blockNumber, { 'Content-Type': 'text/plain' })).headers.get('accept-encoding')).toBeNull();
  });
});

describe('sizes (contract/running, contract/conventions)', () => {
  const rpcOf = (bytes: number) => {
    const frame = '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[""]}';
    return frame.replace('""', `"${'x'.repeat(bytes - frame.length)}"`);
  };
  const mintOf = (bytes: number) => `{"label":"x","padding":"${'x'.repeat(bytes - 25 - 1)}"}`;
  const chunked = (body: string) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        const bytes = Buffer.from(body);
        for (let at = 0; at < bytes.length; at += 65_536) controller.enqueue(bytes.subarray(at, at + 65_536));
        controller.close();
      },
    });
  const rpcTooLarge = { status: 413, error: 'Payload too large', path: '/rpc' };

  test('bodies of 5 MiB, with a length and chunked, are accepted and reach the node unchanged', async () => {
    gateway.node.behave(answering('1'));
    gateway.node.received.length = 0;
    expect((await rpc(rpcOf(maxBodyBytes))).status).toBe(200);
    const streamed = await gateway.fetch(`/rpc/${key}`, { method: 'POST', body: chunked(rpcOf(maxBodyBytes)) });
    expect(streamed.status).toBe(200);
    for (const body of gateway.node.received) expect(body).toContain('x'.repeat(maxBodyBytes - 60));
    expect(gateway.node.received).toHaveLength(2);
    expect((await mint(mintOf(maxBodyBytes))).status).toBe(201);
  });

  test('one byte more is 413, with a length and chunked', async () => {
    await expectStandardError(await rpc(rpcOf(maxBodyBytes + 1)), rpcTooLarge);
    const streamed = await gateway.fetch('/rpc', {
      method: 'POST',
      headers: { 'X-API-Key': key },
      body: chunked(rpcOf(maxBodyBytes + 1)),
    });
    await expectStandardError(streamed, rpcTooLarge);
    await expectStandardError(await mint(mintOf(maxBodyBytes + 1)), { ...rpcTooLarge, path: keysPath });
  });

  test('a body whose announced length is too large is refused before it is sent', async () => {
    const connection = await openRaw(gateway.port);
    connection.send(rawRequest(`POST /rpc/${key} HTTP/1.1`, ['Host: gateway', 'Content-Length: 900000000000']));
    expect((await connection.next())?.status).toBe(413);
    connection.close();
  });

  test('an endless body is refused when it exceeds the limit', async () => {
    const connection = await openRaw(gateway.port);
    connection.send(rawRequest(`POST /rpc/${key} HTTP/1.1`, ['Host: gateway', 'Transfer-Encoding: chunked']));
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
    for (let at = 0; at < 100; at++) connection.send(chunk);
    expect((await connection.next())?.status).toBe(413);
    connection.close();
  });
});

describe('a body that does not arrive in time is 408', () => {
  const slow: Record<string, [headers: readonly string[], sent: string]> = {
    'announced and never sent': [['Content-Length: 100'], ''],
    'announced and cut short': [['Content-Length: 100'], blockNumber],
    'chunked without an end': [['Transfer-Encoding: chunked'], '5\r\n{"jso\r\n'],
    'in the middle of a chunk': [['Transfer-Encoding: chunked'], '50\r\n{"jso'],
  };

  /** Uses a connection of its own; `drip` is sent repeatedly until there is a response. */
  const answerTo = async (path: string, fields: readonly string[], sent = '', drip?: string) => {
    const connection = await openRaw(gateway.port);
    connection.send(rawRequest(`POST ${path} HTTP/1.1`, ['Host: gateway', ...fields], sent));
    const dripping = setInterval(() => drip !== undefined && connection.send(drip), 20);
    const answer = await connection.next();
    clearInterval(dripping);
    connection.close();
    return new Response(answer?.body, { status: answer?.status ?? 0, headers: answer?.headers ?? {} });
  };

  test('at any point of the body, on JSON-RPC and REST, also while single bytes still arrive', async () => {
    const authorization = `Authorization: Bearer ${gateway.token('slow')}`;
    const rpcPath = `/rpc/${key}`;
    const drips = answerTo(rpcPath, ['Content-Length: 100000'], '', ' ');
    const refused = { status: 408, error: 'Request timeout' };
    await Promise.all(
      Object.entries(slow).map(async ([name, [headers, sent]]) => {
        const fields = [authorization, ...headers];
        const [onRpc, onRest] = await Promise.all([answerTo(rpcPath, fields, sent), answerTo(keysPath, fields, sent)]);
        expect([name, onRpc.status, onRest.status]).toEqual([name, 408, 408]);
        await expectStandardError(onRpc, { ...refused, path: `/rpc/fk_${key.slice(3, 19)}.***` });
        await expectStandardError(onRest, { ...refused, path: keysPath });
      }),
    );
    expect((await drips).status).toBe(408);
  });

  test('a caller that disconnects during its request affects no other caller', async () => {
    for (let at = 0; at < 20; at++) {
      const connection = await openRaw(gateway.port);
      connection.send(rawRequest(`POST /rpc/${key} HTTP/1.1`, ['Host: gateway', 'Content-Length: 100'], '{'));
      connection.close();
    }
    expect((await rpc(blockNumber)).status).toBe(200);
  });
});

describe('malformed JSON', () => {
  for (const [name, text, valid] of jsonTexts)
    test(`${name} on JSON-RPC is ${valid ? 'an invalid request' : 'a parse error'}, never a 500 (contract/json-rpc#errors)`, async () => {
      const answer = await rpc(text);
      const body = await answer.text();
      if (valid)
        expect([answer.status, body]).toEqual([body.startsWith('[') ? 200 : 400, expect.stringContaining('-32600')]);
      else expect([answer.status, body]).toEqual([400, expect.stringContaining('-32700')]);
    });

  test('in a body that creates a key it is 400, never a 500', async () => {
    for (const [name, text] of jsonTexts) {
      const answer = await mint(text);
      expect([name, answer.status]).toEqual([name, 400]);
    }
  });

  for (const [name, bytes] of notUtf8)
    test(`${name}, which is not UTF-8, is refused on both surfaces`, async () => {
      const around = (before: string, after: string) =>
        Uint8Array.from([...Buffer.from(before), ...bytes, ...Buffer.from(after)]);
      await expectRpcError(await rpc(around('{"jsonrpc":"2.0","id":1,"method":"eth_call","params":["', '"]}')), {
        status: 400,
        code: -32700,
        message: 'Parse error.',
      });
      expect((await mint(around('{"label":"', '"}'))).status).toBe(400);
    });

  test('nesting of 100 levels is accepted, of 100,000 refused, on both surfaces', async () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    const call = (depth: number) => `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":${nested(depth)}}`;
    gateway.node.behave(answering('1'));
    expect((await rpc(call(100))).status).toBe(200);
    expect((await rpc(call(100_000))).status).toBe(400);
    expect((await rpc(nested(100_000))).status).toBe(400);
    expect((await rpc(`[${call(100_000)}]`)).status).toBe(400);
    expect((await mint(`{"label":"x","deep":${nested(100)}}`)).status).toBe(201);
    // Not parsed: millions of brackets would block the event loop for a second.
    const deep = (await (await mint(`{"label":"x","deep":${nested(100_000)}}`)).json()) as { message: string };
    expect(deep.message).toBe('The body is nested deeper than 128 levels.');
    expect((await mint(`{"label":${nested(100_000)}}`)).status).toBe(400);
  });

  test('members named like prototype properties change no object', async () => {
    gateway.node.behave(answering('1'));
    const poison = '"__proto__":{"method":"admin_peers","isAdmin":true},"constructor":{"prototype":{"x":1}}';
    expect((await rpc(`{"jsonrpc":"2.0","id":1,"method":"eth_call",${poison}}`)).status).toBe(200);
    expect((await rpc(`{${poison},"jsonrpc":"2.0","id":1}`)).status).toBe(400);
    expect((await mint(`{"label":"x",${poison}}`)).status).toBe(201);
    expect((await mint(`{${poison}}`)).status).toBe(400);
    gateway.node.behave(wellBehaved);
    expect(await (await rpc('{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}')).text()).toBe(
      '{"jsonrpc":"2.0","id":1,"result":"0x10"}',
    );
  });
});
