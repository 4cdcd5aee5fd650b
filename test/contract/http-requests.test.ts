/** Methods, paths, request ids, CORS and unusual request lines (contract/conventions#cors). */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { answersUntilClosed, type RawAnswer, rawRequest } from '@flowgate/testing/raw-http';
import { expectProblem, expectStandardError, limitsOf } from '../../apps/gateway/test/fixtures/answers.ts';
import { openRaw, sendRaw } from '../../apps/gateway/test/fixtures/checked-raw-http.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { unknownKey } from '../../apps/gateway/test/fixtures/unknown-key.ts';

const appOrigin = 'https://app.example';
let gateway: RunningGateway;
let key: string;

beforeAll(async () => {
  gateway = await startGateway({
    config: { limits: { userPerMinute: 100_000 }, server: { cors: { origins: [appOrigin] } } },
  });
  key = (await gateway.mint()).apiKey;
});
afterAll(() => gateway.stop());

const bearer = () => ({ Authorization: `Bearer ${gateway.token()}` });
const get = (target: string, headers: readonly string[] = ['Host: gateway']) =>
  sendRaw(gateway.port, rawRequest(`GET ${target} HTTP/1.1`, headers));
const standard = (answer: RawAnswer | undefined) =>
  new Response(answer?.body, { status: answer?.status ?? 0, headers: answer?.headers ?? {} });

describe('methods (contract/conventions)', () => {
  const wrong: readonly (readonly [method: string, path: string, allow: readonly string[]])[] = [
    ['PUT', '/users/me/api-keys', ['GET', 'HEAD', 'POST', 'OPTIONS']],
    ['DELETE', '/users/me/api-keys', ['GET', 'HEAD', 'POST', 'OPTIONS']],
    ['PATCH', '/users/me/api-keys', ['GET', 'HEAD', 'POST', 'OPTIONS']],
    ['GET', '/users/me/api-keys/ABCDEFGHabcdefgh', ['DELETE', 'OPTIONS']],
    ['POST', '/users/me/id', ['GET', 'HEAD', 'OPTIONS']],
    ['POST', '/healthz', ['GET', 'HEAD', 'OPTIONS']],
    ['GET', '/rpc', ['POST', 'OPTIONS']],
    ['HEAD', '/rpc', ['POST', 'OPTIONS']],
    ['PUT', '/dlts/ethereum/networks/dev/rpc', ['POST', 'OPTIONS']],
    ['DELETE', '/networks', ['GET', 'HEAD', 'OPTIONS']],
  ];
  for (const [method, path, allow] of wrong)
    test(`${method} ${path} is 405, and Allow lists the accepted methods`, async () => {
      const answer = await gateway.fetch(path, { method, headers: bearer() });
      expect(answer.headers.get('allow')?.split(', ').sort()).toEqual([...allow].sort());
      if (method === 'HEAD') expect([answer.status, await answer.text()]).toEqual([405, '']);
      else await expectStandardError(answer, { status: 405, error: 'Method not allowed', path });
    });

  test('TRACE and CONNECT are refused', async () => {
    const trace = await sendRaw(gateway.port, rawRequest('TRACE /users/me/id HTTP/1.1', ['Host: gateway', 'X-A: b']));
    expect(trace?.status).toBe(405);
    expect(trace?.body).not.toContain('X-A');
    const connect = await sendRaw(gateway.port, rawRequest('CONNECT node:80 HTTP/1.1', ['Host: node:80']));
    expect(connect?.status).toBe(501);
  });

  test.each(['[', 'a:99999999', '%%%', 'a b', '<>'])('a Host of %p causes no 500 on any surface', async (host) => {
    for (const line of [
      'GET /healthz HTTP/1.1',
      'GET /users/me/id?x=1 HTTP/1.1',
      'POST /rpc HTTP/1.1',
      'GET /flow/x HTTP/1.1',
    ]) {
      const answer = await sendRaw(gateway.port, rawRequest(line, [`Host: ${host}`, 'Content-Length: 0']));
      expect([undefined, 200, 400, 401, 404]).toContain(answer?.status);
    }
  });

  test('a method that is unknown in HTTP is refused', async () => {
    for (const method of ['FOO', 'get', 'G3T', 'POSTT']) {
      const answer = await sendRaw(gateway.port, rawRequest(`${method} /healthz HTTP/1.1`, ['Host: gateway']));
      expect([undefined, 400, 405, 501]).toContain(answer?.status);
    }
  });

  for (const path of ['/healthz', '/readyz', '/users/me/id', '/users/me/api-keys', '/networks', '/nowhere', '/flow/x'])
    test(`HEAD ${path} has the headers of GET, and no body`, async () => {
      const [of, on] = [
        await gateway.fetch(path, { headers: bearer() }),
        await gateway.fetch(path, { method: 'HEAD', headers: bearer() }),
      ];
      expect([on.status, await on.text()]).toEqual([of.status, '']);
      for (const name of ['content-type', 'content-length', 'cache-control'])
        expect([name, on.headers.get(name)]).toEqual([name, of.headers.get(name)]);
      if (of.headers.has('x-ratelimit-limit')) expect(limitsOf(on).remaining).toBe(limitsOf(of).remaining - 1);
    });
});

describe('request ids (contract/conventions#request-ids)', () => {
  for (const id of ['a', 'A-Z.a_z-0', 'x'.repeat(128), '..', '-'])
    test(`${id.slice(0, 20)} is used as the request id`, async () => {
      const answer = await gateway.fetch('/users/me/id', { headers: { ...bearer(), 'X-Request-Id': id } });
      expect(answer.headers.get('x-request-id')).toBe(id);
      const problem = await gateway.fetch('/flow/nowhere', { headers: { 'X-Request-Id': id } });
      expect(problem.headers.get('x-request-id')).toBe(id);
      await expectProblem(problem, { status: 404, type: 'not-found', title: 'Not found', retryable: false });
    });

  for (const id of ['', 'x'.repeat(129), 'a b', 'a,b', 'a/b', '<script>', 'é', 'a%20b', 'a;b'])
    test(`${JSON.stringify(id.slice(0, 20))} is replaced`, async () => {
      const answer = await sendRaw(
        gateway.port,
        rawRequest('GET /healthz HTTP/1.1', ['Host: gateway', `X-Request-Id: ${id}`]),
      );
      expect(answer?.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
      expect(answer?.headers.get('x-request-id')).not.toBe(id);
    });

  test('every response has a request id, and they differ', async () => {
    const answers = await Promise.all([
      ...['/healthz', '/nowhere', '/flow/nowhere', '/users/me/id', '/rpc'].map((path) => gateway.fetch(path)),
      gateway.rpc(key, { jsonrpc: '2.0', id: 1, method: 'eth_chainId' }),
      gateway.rpc(key, { jsonrpc: '2.0', method: 'eth_chainId' }),
      gateway.fetch('/rpc', { method: 'OPTIONS' }),
    ]);
    const ids = answers.map(({ headers }) => headers.get('x-request-id'));
    expect(new Set(ids).size).toBe(answers.length);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  });
});

describe('CORS (contract/conventions#cors)', () => {
  const preflight = (path: string, origin: string) =>
    gateway.fetch(path, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'x-api-key',
      },
    });
  const rpcPaths = ['/rpc', '/dlts/ethereum/networks/dev/rpc', '/dlts/ethereum/nodes/dev-1/rpc'];

  for (const path of rpcPaths)
    test(`${path} permits every origin, without credentials, with and without a key in the path`, async () => {
      for (const target of [path, `${path}/${key}`]) {
        const answer = await preflight(target, 'https://any.example');
        expect([answer.status, await answer.text()]).toEqual([204, '']);
        expect(answer.headers.get('access-control-allow-origin')).toBe('*');
        expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
        expect(answer.headers.get('access-control-allow-methods')).toContain('POST');
        const headers = answer.headers.get('access-control-allow-headers')?.toLowerCase();
        for (const name of ['content-type', 'x-api-key', 'authorization']) expect(headers).toContain(name);
      }
    });

  const rpcAnswers: Record<string, [status: number, apiKey: () => string, body: string, path: string]> = {
    served: [200, () => key, '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}', '/rpc'],
    silent: [204, () => key, '{"jsonrpc":"2.0","method":"eth_chainId"}', '/rpc'],
    refused: [403, unknownKey, '{}', '/rpc'],
    unparsable: [400, () => key, '{', '/rpc'],
    blocked: [403, () => key, '{"jsonrpc":"2.0","id":1,"method":"admin_peers"}', '/rpc'],
    absent: [404, () => key, '{}', '/dlts/a/networks/b/rpc'],
  };
  for (const [name, [status, apiKey, body, path]] of Object.entries(rpcAnswers))
    test(`a response that is ${name} on JSON-RPC may be read by every origin, including limit headers`, async () => {
      const answer = await gateway.fetch(path, {
        method: 'POST',
        headers: { Origin: 'https://any.example', 'X-API-Key': apiKey() },
        body,
      });
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([status, '*']);
      const exposed = answer.headers.get('access-control-expose-headers')?.toLowerCase();
      for (const header of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'])
        expect(exposed).toContain(header);
    });

  test('on other routes a configured origin is allowed by name', async () => {
    for (const answer of [
      await preflight('/users/me/id', appOrigin),
      await gateway.fetch('/users/me/id', { headers: { ...bearer(), Origin: appOrigin } }),
      await gateway.fetch('/users/me/id', { headers: { Origin: appOrigin } }),
    ]) {
      expect(answer.headers.get('access-control-allow-origin')).toBe(appOrigin);
      expect(answer.headers.get('vary')?.toLowerCase()).toContain('origin');
      expect(answer.headers.get('access-control-expose-headers')?.toLowerCase()).toContain('x-ratelimit-limit');
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
    }
  });

  for (const origin of [
    'https://other.example',
    'null',
    `${appOrigin}.evil.example`,
    'http://app.example',
    `${appOrigin}:444`,
  ])
    test(`on other routes ${origin} is not allowed`, async () => {
      for (const answer of [
        await preflight('/users/me/id', origin),
        await gateway.fetch('/users/me/id', { headers: { ...bearer(), Origin: origin } }),
      ])
        expect(answer.headers.has('access-control-allow-origin')).toBe(false);
    });

  test('a preflight needs no credential, and is 404 for an unknown path', async () => {
    expect((await preflight('/users/me/api-keys', appOrigin)).status).toBe(204);
    expect((await preflight('/users/nowhere', appOrigin)).status).toBe(404);
  });
});

describe('paths', () => {
  const absent = [
    '//healthz',
    '/healthz/',
    '/healthz//',
    '/HEALTHZ',
    '/healthz;a=b',
    '/healthz%2f',
    '/healthz%00',
    '/%',
  ];
  absent.push(
    '/%zz',
    '/%c0%ae',
    '/users//me/id',
    '/users/me%2fid',
    '/users/me/id/',
    '/users/me/id%20',

    '/index.html',
  );
  absent.push('/.git/config', '/users/you', '/users/alice/id', '/flow2', '/__proto__', '/constructor/prototype');
  for (const path of absent)
    test(`${path} is unknown: 404 with the path as sent`, async () => {
      const authorized = ['Host: gateway', `Authorization: Bearer ${gateway.token()}`];
      await expectStandardError(standard(await get(path, authorized)), { status: 404, error: 'Not found', path });
    });

  for (const path of ['/flow', '/flow/', '/flow/sessions/x/', '/flow//', '/flow/%zz'])
    test(`${path} is unknown: 404 as ProblemDetails`, async () => {
      const problem = { status: 404, type: 'not-found', title: 'Not found', retryable: false };
      await expectProblem(standard(await get(path)), problem);
    });

  test('dot segments reach no other path and bypass no authentication', async () => {
    for (const path of ['/healthz/../users/me/id', '/flow/../users/me/id', '/rpc/%2e%2e/users/me/id', '/./users/me/id'])
      expect([401, 404]).toContain((await get(path))?.status ?? 0);
  });

  test('a query is not part of the path and is in no error body', async () => {
    const answer = standard(await get(`/nowhere?apiKey=${key}`));
    await expectStandardError(answer, { status: 404, error: 'Not found', path: '/nowhere' });
  });

  test('a key in an unknown path is masked in every spelling (contract/conventions#secrets)', async () => {
    const keyId = key.slice(3, 19);
    const secret = key.slice(20);
    const spelt = Array.from(key, (character) => `%${character.charCodeAt(0).toString(16)}`).join('');
    const unknown = [`/${key}`, `/rpcx/${key}`, `/rpc/${key}/x`, `/a/fk%5f${key.slice(3)}`, `/a/%66k_${key.slice(3)}`];
    for (const path of [...unknown, `/a/${spelt}`, `/a/${key.replace('.', '%2E')}%zz`, `/dlts/${key}/networks/x`]) {
      const body = (await get(path))?.body ?? '';
      expect(body).toMatch(/"status":40[14]/);
      expect(body).toContain('/fk_');
      expect(body).not.toContain(secret);
      expect(body).not.toContain(spelt.slice(60));
    }
    expect((await get(`/rpcx/${key}`))?.body).toContain(`/rpcx/fk_${keyId}.***`);
  });

  test('text in place of a key is masked unless it is a keyId (contract/conventions)', async () => {
    const shown = async (path: string) => /"path":"([^"]*)"/.exec((await get(path))?.body ?? '')?.[1];
    expect(await shown(`/rpc/${key}`)).toBe(`/rpc/fk_${key.slice(3, 19)}.***`);
    expect(await shown('/rpc/eyJhbGciOiJub25lIn0.e30.secret')).toBe('/rpc/***');
    expect(await shown('/rpc/hunter2')).toBe('/rpc/***');
    expect(await shown(`/rpc/fk_abc~${key.slice(20)}`)).toBe('/rpc/***');
    expect(await shown('/dlts/fk_x/networks/y/rpc/hunter2')).toBe('/dlts/fk_***/networks/y/rpc/***');
  });
});

describe('request lines and heads', () => {
  test('the absolute form is answered like its path when Host matches (RFC 9112, 3.2.2)', async () => {
    const authorized = ['Host: gateway', `Authorization: Bearer ${gateway.token()}`];
    expect((await get('http://gateway/users/me/id', authorized))?.body).toBe('{"id":"alice"}');
    expect((await get('http://gateway/nowhere'))?.status).toBe(404);
    expect((await get('http://elsewhere.example/users/me/id', authorized))?.status).toBe(400);
  });

  test('HTTP/1.0 without Host is served, refused and routed', async () => {
    const old = (line: string, headers: readonly string[] = [], body = '') =>
      sendRaw(gateway.port, rawRequest(`${line} HTTP/1.0`, headers, body));
    expect((await old('GET /healthz'))?.status).toBe(200);
    expect((await old('GET /users/me/id?x=1', [`X-API-Key: ${key}`]))?.body).toBe('{"id":"alice"}');
    expect((await old('GET /users/me/api-keys?limit=0', [`Authorization: Bearer ${gateway.token()}`]))?.status).toBe(
      400,
    );
    await expectStandardError(standard(await old('GET /nowhere')), {
      status: 404,
      error: 'Not found',
      path: '/nowhere',
    });
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}';
    const answer = await old(`POST /rpc/${key}`, [`Content-Length: ${body.length}`], body);
    expect(answer?.body).toBe('{"jsonrpc":"2.0","id":1,"result":"0x10"}');
  });

  test('Expect: 100-continue is supported', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}';
    const headers = ['Host: gateway', 'Expect: 100-continue', `Content-Length: ${body.length}`];
    const connection = await openRaw(gateway.port);
    connection.send(rawRequest(`POST /rpc/${key} HTTP/1.1`, headers));
    connection.send(body);
    expect((await connection.next())?.status).toBe(200);
    connection.close();
  });

  test('an upgrade is ignored', async () => {
    const webSocket = ['Host: gateway', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
    const answer = await get('/healthz', [...webSocket, 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']);
    expect(answer?.status).not.toBe(101);
  });

  const tooLarge: Record<string, readonly [status: number, target: string, headers: readonly string[]]> = {
    'a header of 100 kB': [431, '/healthz', [`X-Padding: ${'a'.repeat(100_000)}`]],
    'a path of 100 kB': [414, `/${'a'.repeat(100_000)}`, []],
    '5000 headers': [431, '/healthz', Array.from({ length: 5000 }, (_, at) => `X-${at}: a`)],
  };
  for (const [name, [status, target, headers]] of Object.entries(tooLarge))
    test(`${name} is ${status}, in the error form of the path`, async () => {
      const refused = standard(await get(target, ['Host: gateway', ...headers]));
      const label = status === 414 ? 'URI too long' : 'Headers too large';
      await expectStandardError(refused, {
        status,
        error: label,
        path: target.length < 100 ? target : expect.stringMatching(/^\/a{1000,1024}…$/),
      });
    });

  test('invalid requests are refused on Flow paths as ProblemDetails, including a payment header over the limit', async () => {
    const payment = await get('/flow/sessions/x', ['Host: gateway', `X-Payment: ${'a'.repeat(100_000)}`]);
    const title = 'Headers too large';
    await expectProblem(standard(payment), { status: 431, type: 'bad-request', title, retryable: false });
    const doubled = await get('/flow/sessions/x', ['Host: gateway', 'Host: gateway']);
    await expectProblem(standard(doubled), {
      status: 400,
      type: 'bad-request',
      title: 'Bad request',
      retryable: false,
    });
  });

  const rubbish: Record<string, string> = {
    'a TLS greeting': '\x16\x03\x01\x00\xc8\x01\x00\x00\xc4\x03\x03\r\n\r\n',
    'an HTTP/2 preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'HTTP/0.9': 'GET /healthz\r\n\r\n',
    'HTTP/3.0': rawRequest('GET /healthz HTTP/3.0', ['Host: gateway']),
    'no Host': rawRequest('GET /healthz HTTP/1.1'),
    'a space in the path': rawRequest('GET /health z HTTP/1.1', ['Host: gateway']),
    'an empty target': rawRequest('GET  HTTP/1.1', ['Host: gateway']),
    'a target without slash': rawRequest('GET healthz HTTP/1.1', ['Host: gateway']),
    'only blank lines': '\r\n\r\n\r\n\r\n',
  };
  for (const [name, bytes] of Object.entries(rubbish))
    test(`${name} gets a refusal or a closed connection`, async () => {
      const connection = await openRaw(gateway.port);
      connection.send(Buffer.from(bytes, 'latin1'));
      connection.send(rawRequest('GET /nowhere HTTP/1.1', ['Host: gateway', 'Connection: close']));
      for (const { status } of await answersUntilClosed(connection))
        expect([400, 404, 405, 426, 505]).toContain(status);
      expect((await gateway.fetch('/healthz')).status).toBe(200);
    });
});
