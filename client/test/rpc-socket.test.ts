/** Failures of the connection of viem's transport and the provider: which calls are retried, and what subscribers receive (contract/websocket#closing). */

import { afterEach, describe, expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import { createJsonRpc } from '../src/json-rpc.ts';
import { type JsonRpcSettings, sendWith } from '../src/json-rpc-settings.ts';
import { openRpcSocket, type SocketOptions } from '../src/rpc-socket/open-rpc-socket.ts';
import type { RpcSocket } from '../src/rpc-socket/rpc-socket.ts';
import { type FakeSockets, type SocketAnswer, startFakeSockets } from './fake-sockets.ts';
import { refusalOf } from './refusal-of.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

type Started = { readonly socket: RpcSocket; readonly server: FakeSockets };

function started(
  answer: SocketAnswer,
  options: Partial<JsonRpcSettings & SocketOptions> = {},
  refuse?: () => Response | undefined,
): Started {
  const server = startFakeSockets(answer, refuse);
  const settings = { url: server.url, apiKey: 'fk_test', ...options } as JsonRpcSettings & SocketOptions;
  const socket = openRpcSocket(settings, createJsonRpc(sendWith(settings)));
  cleanups.push(server.stop, () => socket.close());
  return { socket, server };
}

/** Numbers its subscriptions over all connections: 0x1, 0x2, … */
function subscribing(): SocketAnswer {
  let last = 0;
  return ({ method, params }) => {
    if (method === 'eth_subscribe') {
      last += 1;
      return `0x${last}`;
    }
    return method === 'eth_unsubscribe' ? params[0] !== '0x0' : '0x10';
  };
}

function hearing() {
  const heard: unknown[] = [];
  const listener = {
    onData: (data: unknown) => heard.push(data),
    onError: (error: Error) => heard.push(error),
    onGap: () => heard.push('gap'),
  };
  return { heard, listener };
}

describe('calls', () => {
  test('use one connection, with the key in a header instead of the address (contract/websocket#connecting)', async () => {
    const { socket, server } = started(({ method, params }) => [method, params], {
      network: { dlt: 'e/', networkId: 'x' },
    });
    const calls = ['eth_call', 'eth_getCode', 'eth_gasPrice'].map((method) => socket.request(method, [method]));
    expect(await Promise.all(calls)).toEqual(
      ['eth_call', 'eth_getCode', 'eth_gasPrice'].map((method) => [method, [method]]),
    );
    expect(server.seen.map(({ path, apiKey }) => [path, apiKey])).toEqual([['/dlts/e%2F/networks/x/rpc', 'fk_test']]);
  });

  test('a read whose connection was lost is sent once more, a transaction never', async () => {
    const { socket, server } = started(({ id, method }, { cut }) => {
      if (server.seen.length < 2) return void cut();
      return [id, method];
    });
    expect(await socket.request('eth_getBalance', ['0x1'])).toEqual([1, 'eth_getBalance']);
    expect(server.seen.map(({ said }) => said.length)).toEqual([1, 1]);
    const raw = await (async () => {
      const again = started((_said, { cut }) => void cut());
      const refusal = await refusalOf(again.socket.request('eth_sendRawTransaction', ['0x02']));
      return [refusal, again.server.seen.flatMap(({ said }) => said.map(({ method }) => method))] as const;
    })();
    expect(raw[0]).toMatchObject({ kind: 'no-answer', message: expect.stringContaining('may have been executed') });
    expect(raw[1]).toEqual(['eth_sendRawTransaction']);
  });

  test('a refusal has the code and data of the node or the gateway, with its Retry-After (contract/websocket#errors)', async () => {
    const error = { code: -32005, message: 'Too many requests.', data: { retryAfterSeconds: 7 } };
    const { socket } = started(() => ({ error }));
    expect(await refusalOf(socket.request('eth_call', []))).toMatchObject({
      code: -32005,
      retryAfter: 7,
      data: error.data,
    });
  });

  test('a call ends with its signal or its time limit, and is not sent after its end', async () => {
    const reason = new Error('left');
    const { socket, server } = started(() => undefined, { timeoutMs: 60 });
    const leaving = new AbortController();
    const call = socket.request('eth_call', [], leaving.signal);
    await until('the call was sent', () => server.seen[0]?.said.length === 1);
    leaving.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(await refusalOf(socket.request('eth_call', []))).toMatchObject({ isTimeout: true });

    // The key arrives after the call has ended.
    const key = Promise.withResolvers<string>();
    const late = started(() => '0x1', { timeoutMs: 40, apiKey: () => key.promise });
    expect(await refusalOf(late.socket.request('eth_sendRawTransaction', ['0x02']))).toMatchObject({ isTimeout: true });
    key.resolve('fk_test');
    expect(await late.socket.request('eth_chainId', []).catch(() => '0x1')).toBe('0x1');
    expect(late.server.seen.flatMap(({ said }) => said.map(({ method }) => method))).not.toContain(
      'eth_sendRawTransaction',
    );
  });

  test('a POST finds out why the gateway refuses a connection: an unknown key is final, a limit is waited for', async () => {
    const body = { jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'Invalid credentials.' } };
    const unknown = started(
      () => '0x1',
      {},
      () => Response.json(body, { status: 403 }),
    );
    expect(await refusalOf(unknown.socket.request('eth_chainId', []))).toMatchObject({ status: 403, code: -32001 });

    let refusals = 0;
    const limit = { timestamp: 1, status: 429, error: 'Too many requests', message: 'Later.', path: '/rpc' };
    const limited = started(
      () => '0x1',
      {},
      () => {
        refusals += 1;
        return refusals > 2 ? undefined : Response.json(limit, { status: 429, headers: { 'Retry-After': '0' } });
      },
    );
    expect(await limited.socket.request('eth_chainId', [])).toBe('0x1');
    const never = started(
      () => '0x1',
      {},
      () => Response.json(limit, { status: 429, headers: { 'Retry-After': '31536000' } }),
    );
    expect(await refusalOf(never.socket.request('eth_chainId', []))).toMatchObject({
      status: 429,
      retryAfter: 31536000,
    });
  });
});

describe('subscriptions', () => {
  test('receive their own notifications in order until they are ended, and none afterwards', async () => {
    const { socket, server } = started(subscribing());
    const [one, two] = [hearing(), hearing()];
    const first = await socket.subscribe(['newHeads'], one.listener);
    const second = await socket.subscribe(['logs', {}], two.listener);
    const [seen] = server.seen;
    for (const [id, data] of [
      ['0x1', 'a'],
      ['0x2', 'b'],
      ['0x1', 'c'],
      ['0x9', 'd'],
    ] as const)
      seen?.notify(id, data);
    await until('all notifications arrived', () => one.heard.length + two.heard.length === 3);
    expect([one.heard, two.heard]).toEqual([['a', 'c'], ['b']]);
    const ending = first.unsubscribe();
    seen?.notify('0x1', 'late');
    seen?.notify('0x2', 'e');
    expect(await ending).toBe(true);
    await until('the other notification arrived', () => two.heard.length === 2);
    expect(one.heard).toEqual(['a', 'c']);
    expect(await first.unsubscribe()).toBe(false);
    expect(await second.unsubscribe()).toBe(true);
    expect(seen?.said.map(({ method, params }) => [method, ...params])).toEqual([
      ['eth_subscribe', 'newHeads'],
      ['eth_subscribe', 'logs', {}],
      ['eth_unsubscribe', '0x1'],
      ['eth_unsubscribe', '0x2'],
    ]);
  });

  test('continue over a new connection, each once, and are notified that events may be missing (contract/websocket#closing)', async () => {
    const { socket, server } = started(subscribing());
    const { heard, listener } = hearing();
    await socket.subscribe(['newHeads'], listener);
    const given = await socket.subscribe(['logs', {}], listener);
    for (const code of [1012, 4008]) {
      const before = server.seen.length;
      server.seen.at(-1)?.close(code);
      await until('the subscription is restored', () => server.seen.length > before && heard.length === 2 * before);
    }
    await given.unsubscribe();
    server.seen.at(-1)?.notify('0x5', 'head');
    await until('the notification arrived', () => heard.includes('head'));
    expect(heard).toEqual(['gap', 'gap', 'gap', 'gap', 'head']);
    expect(server.seen.map(({ said }) => said.filter(({ method }) => method === 'eth_subscribe').length)).toEqual([
      2, 2, 2,
    ]);
  });

  test('that the gateway refuses to restore end with its error; the others continue', async () => {
    const answer = subscribing();
    const { socket, server } = started((said, own) => {
      const isSecond = server.seen.length === 2 && said.method === 'eth_subscribe' && said.params[0] === 'logs';
      return isSecond ? { error: { code: -32003, message: 'Forbidden.' } } : answer(said, own);
    });
    const [heads, logs] = [hearing(), hearing()];
    await socket.subscribe(['newHeads'], heads.listener);
    await socket.subscribe(['logs'], logs.listener);
    server.seen[0]?.close(1012);
    await until('both were notified', () => heads.heard.length + logs.heard.length === 2);
    expect([heads.heard, logs.heard]).toMatchObject([['gap'], [{ code: -32003 }]]);
  });

  test('end with an error when the connection is lost repeatedly, and when the key becomes invalid (4001)', async () => {
    const answer = subscribing();
    const losing = started(
      (said, own) => {
        queueMicrotask(own.cut);
        return answer(said, own);
      },
      { reconnects: 2 },
    );
    const { heard, listener } = hearing();
    await losing.socket.subscribe(['newHeads'], listener);
    await until('the subscription ended', () => heard.at(-1) instanceof Error);
    expect(losing.server.seen.length).toBeLessThanOrEqual(4);

    let isRevoked = false;
    const body = { jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'Invalid credentials.' } };
    const revoked = started(subscribing(), {}, () => (isRevoked ? Response.json(body, { status: 403 }) : undefined));
    const reported = hearing();
    await revoked.socket.subscribe(['newHeads'], reported.listener);
    isRevoked = true;
    revoked.server.seen[0]?.close(4001);
    await until('the subscription ended', () => reported.heard.length === 1);
    expect(reported.heard).toMatchObject([{ code: -32001 }]);
  });

  test('replace a silent connection, and reuse one whose gateway still answers', async () => {
    let isSilent = false;
    const answer = subscribing();
    const { socket, server } = started((said, own) => (isSilent ? undefined : answer(said, own)), {
      ...{ silenceMs: 40, timeoutMs: 200 },
    });
    const { heard, listener } = hearing();
    await socket.subscribe(['newHeads'], listener);
    await until('the gateway received keep-alive checks', () => server.seen[0]?.said.length === 4);
    expect(server.seen).toHaveLength(1);
    isSilent = true;
    await until('the connection was closed', () => server.seen.length === 2);
    isSilent = false;
    await until('the subscription is restored', () => heard.includes('gap'));
  });

  test('a listener that throws does not affect the others', async () => {
    const { socket, server } = started(subscribing());
    const { heard, listener } = hearing();
    const thrown = Promise.withResolvers<unknown>();
    const keep = globalThis.queueMicrotask;
    // An error there ends the process; here it is recorded.
    globalThis.queueMicrotask = (work) =>
      keep(() => {
        try {
          work();
        } catch (error) {
          thrown.resolve(error);
        }
      });
    cleanups.push(() => {
      globalThis.queueMicrotask = keep;
    });
    await socket.subscribe(['newHeads'], {
      ...listener,
      onData: () => {
        throw new Error('mine');
      },
    });
    await socket.subscribe(['newHeads'], listener);
    server.seen[0]?.notify('0x1', 'a');
    server.seen[0]?.notify('0x2', 'b');
    expect(await thrown.promise).toEqual(new Error('mine'));
    await until('the other was notified', () => heard.length === 1);
  });
});

test('an unused connection is closed, and opened again for the next call', async () => {
  const { socket, server } = started(subscribing(), { idleMs: 20 });
  const { unsubscribe } = await socket.subscribe(['newHeads'], hearing().listener);
  await socket.request('eth_chainId', []);
  await unsubscribe();
  await until('the connection was closed', () => server.seen[0]?.isOpen() === false);
  expect(await socket.request('eth_chainId', [])).toBe('0x10');
  expect(server.seen).toHaveLength(2);
});

test('a closed socket accepts no calls, and its subscriptions receive nothing more', async () => {
  const { socket } = started(subscribing());
  const { heard, listener } = hearing();
  await socket.subscribe(['newHeads'], listener);
  socket.close();
  expect(await refusalOf(socket.request('eth_chainId', []))).toMatchObject({ kind: 'no-answer' });
  expect(heard).toEqual([]);
});
