/**
 * WebSocket at a gateway's port: who may connect, the same messages as over HTTP, back-pressure, and every way in which
 * a connection ends (contract/websocket).
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  closeData,
  frame,
  opcodes,
  openRawWebSocket,
  type RawWebSocket,
  upgradeRequest,
} from '@flowgate/testing/raw-web-socket';
import { until } from '@flowgate/testing/until';
import { openRaw } from '../../apps/gateway/test/fixtures/checked-raw-http.ts';
import { answering, wellBehaved } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { unknownKey } from '../../apps/gateway/test/fixtures/unknown-key.ts';

const limits = { userPerMinute: 100_000, maxBodyBytes: 100_000, webSocketsPerUser: 3, maxBatch: 10 };
let gateway: RunningGateway;
let key: string;

beforeAll(async () => {
  gateway = await startGateway({ config: { limits } });
  key = (await gateway.mint()).apiKey;
});
afterAll(() => gateway.stop());

const call = (id: number | string, method = 'eth_call', params: unknown = ['x']) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

/** Opens a connection for the duration of `work`. */
async function connected<T>(work: (socket: RawWebSocket) => Promise<T>, path = `/rpc/${key}`): Promise<T> {
  const socket = await openRawWebSocket(gateway.port, path);
  try {
    expect(socket.head).toStartWith('HTTP/1.1 101 ');
    return await work(socket);
  } finally {
    socket.close();
    await socket.ended;
  }
}

async function ask(socket: RawWebSocket, body: string): Promise<unknown> {
  socket.send(frame(opcodes.text, body));
  return JSON.parse((await socket.nextText()) ?? 'null');
}

describe('connecting', () => {
  async function refusal(path: string, headers: Readonly<Record<string, string | undefined>> = {}, request?: string) {
    const connection = await openRaw(gateway.port);
    connection.send(request ?? upgradeRequest(path, headers));
    const answer = await connection.next();
    connection.close();
    return { status: answer?.status, headers: answer?.headers, body: JSON.parse(answer?.body ?? 'null') };
  }

  test.each([
    ['no credential', '/rpc', {}, 401, { error: { code: -32000 } }],
    ['an unknown key', `/rpc/${unknownKey()}`, {}, 403, { error: { code: -32001 } }],
    ['a token', '/rpc', { Authorization: 'Bearer aaa.bbb.ccc' }, 401, { error: { code: -32000 } }],
    ['no such network', '/dlts/ethereum/networks/none/rpc/KEY', {}, 404, { error: 'Not found' }],
    ['another version', '/rpc/KEY', { 'Sec-WebSocket-Version': '8' }, 426, { error: 'Upgrade required' }],
    ['no version', '/rpc/KEY', { 'Sec-WebSocket-Version': undefined }, 426, { error: 'Upgrade required' }],
    ['no key of the handshake', '/rpc/KEY', { 'Sec-WebSocket-Key': undefined }, 400, { error: 'Bad request' }],
    ['a short key of the handshake', '/rpc/KEY', { 'Sec-WebSocket-Key': 'c2hvcnQ=' }, 400, { error: 'Bad request' }],
    ['no Upgrade', '/rpc/KEY', { Upgrade: undefined }, 405, { error: 'Method not allowed' }],
    ['Upgrade that Connection does not name', '/rpc/KEY', { Connection: 'keep-alive' }, 405, {}],
    ['another protocol', '/rpc/KEY', { Upgrade: 'h2c' }, 405, {}],
    ['content', '/rpc/KEY', { 'Content-Length': '1' }, 405, {}],
    ['no path of JSON-RPC', '/networks', { 'X-API-Key': 'KEY' }, 200, {}],
  ])(
    '%s is refused before the upgrade',
    async (_name, path, headers: Record<string, string | undefined>, status, body) => {
      const withKey = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, value?.replace('KEY', key)]),
      );
      const answer = await refusal(path.replace('KEY', key), withKey);
      expect(answer.status).toBe(status);
      expect(answer.body).toMatchObject(body);
      if (status === 426) expect(answer.headers?.get('sec-websocket-version')).toBe('13');
    },
  );

  test('HTTP/1.0 has no upgrade, and a POST is a call', async () => {
    const old = upgradeRequest(`/rpc/${key}`).replace('HTTP/1.1', 'HTTP/1.0');
    expect((await refusal('', {}, old)).status).toBe(405);
    const body = call(1);
    const post = upgradeRequest(`/rpc/${key}`, { 'Content-Length': `${body.length}` }).replace('GET', 'POST') + body;
    expect(await refusal('', {}, post)).toMatchObject({ status: 200, body: { id: 1 } });
  });

  test('the key may be in the path, in X-API-Key or a bearer header; letter case and lists in the handshake are free; any origin may connect', async () => {
    for (const [path, headers] of [
      ['/rpc', { 'X-API-Key': key }],
      ['/rpc', { Authorization: `Bearer ${key}` }],
      [`/dlts/ethereum/networks/dev/rpc/${key}`, { Origin: 'https://stranger.example' }],
      [`/dlts/ethereum/nodes/dev-1/rpc/${key}`, { Connection: 'keep-alive, UPGRADE', Upgrade: 'other, WebSocket' }],
    ] as const) {
      const socket = await openRawWebSocket(gateway.port, path, headers);
      expect(socket.head).toStartWith('HTTP/1.1 101 ');
      expect(await ask(socket, call(1))).toMatchObject({ id: 1, result: { method: 'eth_call' } });
      socket.close();
      await socket.ended;
    }
  });

  test('an upgrade counts as one request, and so does each message', async () => {
    const { apiKey } = await gateway.mint('counted');
    const left = async () => Number((await gateway.rpc(apiKey, call(1))).headers.get('x-ratelimit-remaining'));
    const before = await left();
    await connected(async (socket) => {
      expect(socket.head).toContain(`\r\nX-RateLimit-Remaining: ${before - 1}\r\n`);
      await ask(socket, call(1));
      await ask(socket, `[${call(1)},${call(2)},{}]`);
    }, `/rpc/${apiKey}`);
    expect(await left()).toBe(before - 1 - 1 - 3 - 1);
  });

  test('a user has a limited number of connections, and every closed one frees a slot', async () => {
    const { apiKey } = await gateway.mint('crowd');
    const path = `/rpc/${apiKey}`;
    const sockets = await Promise.all(Array.from({ length: 12 }, () => openRawWebSocket(gateway.port, path)));
    const statuses = () => sockets.map(({ head }) => head.slice(9, 12)).sort();
    expect(statuses()).toEqual([...Array(3).fill('101'), ...Array(9).fill('429')]);
    expect(sockets.find(({ head }) => head.includes(' 429 '))?.head).toContain('\r\nRetry-After: 1\r\n');
    for (const socket of sockets) socket.close();
    for (let at = 0; at < 8; at++) {
      await until('a connection can be opened', async () => {
        const socket = await openRawWebSocket(gateway.port, path);
        if (at % 2 === 0) socket.send(frame(opcodes.close));
        else socket.send(frame(3));
        if (socket.head.includes(' 101 ')) await socket.ended;
        socket.close();
        return socket.head.includes(' 101 ');
      });
    }
    // The rate limit refused it after its slot was reserved (creating the key counted, too): the slot is free again.
    const { apiKey: spent } = await gateway.mint('spent');
    await setLimit('spent', 2);
    for (let at = 0; at < 6; at++) {
      const socket = await openRawWebSocket(gateway.port, `/rpc/${spent}`);
      expect(socket.head.slice(9, 12)).toBe(at < 1 ? '101' : '429');
      socket.close();
    }
  });
});

const asAdmin = () => ({
  Authorization: `Bearer ${gateway.token('root', { roles: ['admin'] })}`,
  'Content-Type': 'application/json',
});

async function setLimit(userId: string, userPerMinute: number): Promise<void> {
  const body = JSON.stringify({ userPerMinute });
  const answer = await gateway.fetch(`/admin/users/${userId}/limits`, { method: 'PUT', headers: asAdmin(), body });
  expect(answer.status).toBeLessThan(300);
}

describe('messages', () => {
  const bodies = [
    call(1),
    call('π'),
    '{"jsonrpc":"2.0","id":12345678901234567890,"method":"eth_call"}',
    `[${call(1)},${call(2, 'admin_peers')},{},{"jsonrpc":"2.0","method":"eth_call"}]`,
    call(1, 'eth_accounts'),
    call(1, 'admin_peers'),
    call(1, 'debug_traceCall'),
    '',
    '{',
    '[]',
    '{}',
    '"x"',
    'null',
    '[1]',
    '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":3}',
    '{"jsonrpc":"2.0","id":1,"id":2,"method":"eth_call"}',
    `${'['.repeat(3_000)}`,
  ];

  test.each(bodies)('%s is answered with the same bytes as over HTTP', async (body) => {
    const overHttp = await (await gateway.rpc(key, body)).text();
    await connected(async (socket) => {
      socket.send(frame(opcodes.text, body));
      expect(await socket.nextText()).toBe(overHttp);
    });
  });

  test('notifications are not answered, for any outcome', async () => {
    await connected(async (socket) => {
      for (const method of ['eth_call', 'admin_peers', 'eth_accounts', 'eth_unsubscribe'])
        socket.send(frame(opcodes.text, JSON.stringify({ jsonrpc: '2.0', method })));
      socket.send(frame(opcodes.text, '[{"jsonrpc":"2.0","method":"eth_call"}]'));
      socket.send(frame(opcodes.text, call('after')));
      expect(await socket.nextText()).toContain('"after"');
    });
  });

  test('a StandardError over HTTP is a JSON-RPC error with a stable code here', async () => {
    const batch = `[${Array.from({ length: 11 }, (_, at) => call(at)).join()}]`;
    await connected(async (socket) => {
      expect(await ask(socket, batch)).toEqual({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32600, message: 'Invalid request.', data: { detail: 'A batch has at most 10 messages.' } },
      });
      gateway.node.behave(() => new Response('rubbish', { status: 500 }));
      expect(await ask(socket, call(7))).toMatchObject({ id: 7, error: { code: -32603, message: 'Bad gateway.' } });
      expect(await ask(socket, `[${call(7)}]`)).toMatchObject({ id: null, error: { code: -32603 } });
      gateway.node.behave(wellBehaved);
    });
  });

  test('a message over the rate limit is answered -32005 with the time to wait, a batch once, a notification not', async () => {
    const { apiKey } = await gateway.mint('limited');
    await setLimit('limited', 5);
    await connected(async (socket) => {
      const over = (id: unknown) => ({
        jsonrpc: '2.0',
        id,
        error: { code: -32005, message: 'Too many requests.', data: { retryAfterSeconds: expect.any(Number) } },
      });
      expect(await ask(socket, `[${call(1)},${call(2)}]`)).toHaveLength(2);
      expect(await ask(socket, `[${call(1)},${call(2)}]`)).toEqual(over(null));
      expect(await ask(socket, call(3))).toMatchObject({ id: 3, result: {} });
      socket.send(frame(opcodes.text, '{"jsonrpc":"2.0","method":"eth_call"}'));
      expect(await ask(socket, call('four'))).toEqual(over('four'));
    }, `/rpc/${apiKey}`);
  });

  test('maintenance and policies apply to the next message of an open connection', async () => {
    await connected(async (socket) => {
      const maintain = (body: object) =>
        gateway.fetch('/admin/maintenance', { method: 'PUT', headers: asAdmin(), body: JSON.stringify(body) });
      await maintain({ active: true, surfaces: ['rpc'], message: 'Back soon.', retryAfterSeconds: 9 });
      expect(await ask(socket, call(1))).toEqual({
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32002, message: 'Service unavailable.', data: { detail: 'Back soon.', retryAfterSeconds: 9 } },
      });
      expect((await openRawWebSocket(gateway.port, `/rpc/${key}`)).head).toStartWith('HTTP/1.1 503 ');
      await maintain({ active: false });
      expect(await ask(socket, call(2))).toMatchObject({ id: 2, result: {} });
      const headers = { Authorization: `Bearer ${gateway.token()}`, 'Content-Type': 'application/json' };
      const policy = {
        effect: 'deny',
        subjects: ['*'],
        resource: { kind: 'network', id: 'ethereum/dev' },
        methods: ['eth_call'],
      };
      const made = await gateway.fetch('/users/me/policies', { method: 'POST', headers, body: JSON.stringify(policy) });
      const text = await made.text();
      if (made.status !== 201) throw new Error(text);
      expect(await ask(socket, call(3))).toMatchObject({ id: 3, error: { code: -32003, message: 'Forbidden.' } });
      const { policyId } = JSON.parse(text);
      await gateway.fetch(`/users/me/policies/${policyId}`, { method: 'DELETE', headers });
      expect(await ask(socket, call(4))).toMatchObject({ id: 4, result: {} });
    });
  });

  test('at most a hundred calls are in flight, and further ones wait unread', async () => {
    const gate = Promise.withResolvers<void>();
    let asked = 0;
    gateway.node.behave(async (body) => {
      asked += 1;
      await gate.promise;
      return wellBehaved(body);
    });
    await connected(async (socket) => {
      const ids = Array.from({ length: 150 }, (_, at) => at);
      // Equal calls would be coalesced.
      socket.send(Buffer.concat(ids.map((id) => frame(opcodes.text, call(id, 'eth_call', [id])))));
      await until('a hundred were sent', () => asked === 100);
      // The gateway answers a message on another connection after it has read what this one sent.
      await connected((other) => ask(other, call(1, 'eth_accounts')));
      expect(asked).toBe(100);
      gate.resolve();
      const answered = new Set<unknown>();
      while (answered.size < 150) answered.add(JSON.parse((await socket.nextText()) ?? 'null').id);
      expect([...answered].sort()).toEqual(ids.sort());
      expect(asked).toBe(150);
    });
    gateway.node.behave(wellBehaved);
  });

  test('a large answer arrives in fragments, with pongs between them, and equals the node’s answer', async () => {
    const result = JSON.stringify('0123456789abcdef'.repeat(200_000));
    gateway.node.behave(answering(result));
    await connected(async (socket) => {
      socket.send(Buffer.concat([frame(opcodes.text, call(1)), frame(opcodes.text, call(2))]));
      for (const _ of [1, 2]) {
        const text = await socket.nextText();
        expect(text?.length).toBe(result.length + '{"jsonrpc":"2.0","id":1,"result":}'.length);
        expect(text).toEndWith(`${result.slice(-100)}}`);
      }
    });
    gateway.node.behave(wellBehaved);
  });
});

describe('the end of a connection', () => {
  test('a revoked key closes its connections with 4001 at once, and no others', async () => {
    const { apiKey, keyId } = await gateway.mint('revoker');
    const { apiKey: other } = await gateway.mint('revoker');
    await connected(async (stays) => {
      const socket = await openRawWebSocket(gateway.port, `/rpc/${apiKey}`);
      const headers = { Authorization: `Bearer ${gateway.token('revoker')}` };
      await gateway.fetch(`/users/me/api-keys/${keyId}`, { method: 'DELETE', headers });
      expect(await socket.closing()).toStartWith('4001 ');
      socket.send(frame(opcodes.close, closeData(4001)));
      await socket.ended;
      expect(await ask(stays, call(1))).toMatchObject({ id: 1, result: {} });
    }, `/rpc/${other}`);
  });

  test('a message that does not arrive in time closes with 1008; a shutdown closes with 1012 once the call in flight is answered', async () => {
    const own = await startGateway({ config: { server: { bodyTimeoutSeconds: 0.3 } } });
    try {
      const { apiKey } = await own.mint();
      const slow = await openRawWebSocket(own.port, `/rpc/${apiKey}`);
      slow.send(frame(opcodes.text, '{', { fin: false }));
      const dripping = setInterval(() => slow.send(frame(opcodes.more, ' ', { fin: false })), 20);
      expect(await slow.closing()).toStartWith('1008 ');
      clearInterval(dripping);
      const gate = Promise.withResolvers<void>();
      own.node.behave(async (body) => {
        await gate.promise;
        return wellBehaved(body);
      });
      const [idle, busy] = [
        await openRawWebSocket(own.port, `/rpc/${apiKey}`),
        await openRawWebSocket(own.port, `/rpc/${apiKey}`),
      ];
      busy.send(frame(opcodes.text, call(1)));
      await own.node.nextArrival();
      own.process.kill('SIGTERM');
      expect(await idle.closing()).toStartWith('1012 ');
      const late = await openRawWebSocket(own.port, `/rpc/${apiKey}`);
      expect(late.head).toStartWith('HTTP/1.1 503 ');
      gate.resolve();
      expect(await busy.nextText()).toContain('"result"');
      expect(await busy.closing()).toStartWith('1012 ');
      for (const socket of [slow, idle, busy, late]) socket.close();
      expect(await own.process.exited).toBe(0);
    } finally {
      await own.stop();
    }
  });

  test('thousands of connections that open and close in every state leave nothing behind', async () => {
    const { apiKey } = await gateway.mint('churn');
    for (let round = 0; round < 100; round++) {
      const sockets = await Promise.all([1, 2, 3].map(() => openRawWebSocket(gateway.port, `/rpc/${apiKey}`)));
      for (const [at, socket] of sockets.entries()) {
        socket.send(frame(opcodes.text, call(1), { fin: at !== 0 }));
        socket.close();
      }
      await Promise.all(sockets.map(({ ended }) => ended));
    }
    await connected(async (socket) => {
      expect(await ask(socket, call(1))).toMatchObject({ id: 1 });
    }, `/rpc/${apiKey}`);
    expect(gateway.output()).not.toContain('server.failed');
    expect(gateway.output()).not.toContain('request.failed');
  });
});
