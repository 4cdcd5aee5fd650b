/** The client against a hostile server in the gateway's place: endless answers, other forms, endless lists, hostile JSON, redirects (docs/decisions/0115). */

import { afterEach, expect, test } from 'bun:test';
import { createFlowgate, type FlowgateOptions } from '../src/create-flowgate.ts';
import { event, session, sse } from './fake-flow.ts';
import { refusalOf } from './refusal-of.ts';

let stop: (() => Promise<void>) | undefined;
afterEach(() => stop?.());

function against(answer: (request: Request) => Response | Promise<Response>, options: Partial<FlowgateOptions> = {}) {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: answer });
  stop = () => server.stop(true);
  return createFlowgate({ url: `http://127.0.0.1:${server.port}`, apiKey: 'fk_test', ...options } as FlowgateOptions);
}

/** Endless bytes, and whether their reader has left. */
function endless(piece: string) {
  const left = Promise.withResolvers<void>();
  let pulled = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new TextEncoder().encode(piece));
    },
    cancel: () => left.resolve(),
  });
  return { stream, left: left.promise, pulled: () => pulled };
}

const mebibyte = 'x'.repeat(2 ** 20);

test('an answer of any status is read only up to the bound; 5 MB are accepted', async () => {
  for (const status of [200, 500]) {
    const { stream, left } = endless(mebibyte);
    const client = against(() => new Response(stream, { status }), { maxAnswerBytes: 4 * 2 ** 20 });
    const refusal = await refusalOf(client.me({ retry: { retries: 3, maxDelayMs: 1 } }));
    expect(refusal).toMatchObject({ kind: 'unreadable', status, message: 'The answer has more than 4194304 bytes.' });
    await left;
    await stop?.();
  }
  const big = against(() => Response.json({ jsonrpc: '2.0', id: 1, result: mebibyte.repeat(5) }));
  expect(String(await big.rpc('debug_traceBlock')).length).toBe(5 * 2 ** 20);
});

test('an answer that stops half-way ends with the call’s time limit, and is not retried when the call may have had an effect', async () => {
  let requests = 0;
  const client = against(
    () => {
      requests += 1;
      return new Response(new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('{"api')) }));
    },
    { timeoutMs: 40, retry: { retries: 3 } },
  );
  expect(await refusalOf(client.apiKeys.mint({ label: 'one' }))).toMatchObject({ kind: 'no-answer', isTimeout: true });
  expect(requests).toBe(1);
});

test('answers of other servers are reported as such, without their text', async () => {
  const html = '<html>fk_secret</html>';
  for (const status of [200, 404, 502]) {
    const client = against(() => new Response(html, { status, headers: { 'Content-Type': 'text/html' } }));
    const refusal = await refusalOf(client.me());
    expect(refusal).toMatchObject({ kind: 'unreadable', status });
    expect(Bun.inspect(refusal)).not.toContain('fk_secret');
    await stop?.();
  }
});

test('a redirect is never followed, by any kind of call', async () => {
  const asked: string[] = [];
  const client = against((request) => {
    asked.push(new URL(request.url).pathname);
    return new Response(null, { status: 307, headers: { Location: '/elsewhere' } });
  });
  for (const call of [
    () => client.me({ retry: { retries: 3 } }),
    () => client.apiKeys.mint({ label: 'one' }),
    () => Array.fromAsync(client.flow.follow('ses_1')),
  ])
    expect(await refusalOf(call())).toMatchObject({ kind: 'unreadable', status: 307 });
  expect(asked).toEqual(['/users/me/id', '/users/me/api-keys', '/flow/sessions/ses_1/events']);
});

test('an endless list ends with an error: a repeated cursor, or endless empty pages', async () => {
  const same = against(() => Response.json({ data: [{ dlt: 'a', networks: [] }], nextCursor: 'same' }));
  expect(await refusalOf(Array.fromAsync(same.ledgers.list()))).toMatchObject({ kind: 'unreadable' });
  await stop?.();
  let pages = 0;
  const empty = against(() => Response.json({ data: [], nextCursor: `next-${pages++}` }));
  expect(await refusalOf(Array.fromAsync(empty.ledgers.list()))).toMatchObject({ kind: 'unreadable' });
  expect(pages).toBe(1001);
});

test('members called __proto__ change no prototype and replace no missing member', async () => {
  const hostile = '{"__proto__":{"id":"mallory","polluted":true},"constructor":{"prototype":{"polluted":true}}}';
  const client = against(() => new Response(hostile));
  expect(await refusalOf(client.me())).toMatchObject({ kind: 'unreadable' });
  expect(await refusalOf(client.rpc('eth_chainId'))).toMatchObject({ kind: 'unreadable' });
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  await stop?.();
  const taken = '{"jsonrpc":"2.0","id":1,"result":{"__proto__":{"polluted":true}}}';
  const result = await against(() => new Response(taken)).rpc('eth_call');
  expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  await stop?.();
  const deep = against(() => new Response('['.repeat(200_000)));
  expect(await refusalOf(deep.me())).toMatchObject({ kind: 'unreadable' });
});

test('an event stream without line breaks, or with one endless event, is closed at the bound', async () => {
  for (const piece of [mebibyte, `data: ${'x'.repeat(2 ** 16)}\n`]) {
    let streams = 0;
    const sources: ReturnType<typeof endless>[] = [];
    const client = against(({ url }) => {
      if (!url.endsWith('/events')) return Response.json(session());
      streams += 1;
      const source = endless(piece);
      sources.push(source);
      return sse(source.stream);
    });
    const following = Array.fromAsync(client.flow.follow('ses_1', { retries: 0 }));
    expect(await refusalOf(following)).toMatchObject({ kind: 'no-answer' });
    expect(streams).toBe(1);
    await sources[0]?.left;
    await stop?.();
  }
});

test('all events of an ended session are read once, for any page contents', async () => {
  const client = against(({ url, headers }) => {
    if (headers.get('accept') === 'text/event-stream') return new Response(null, { status: 204 });
    if (url.includes('/events?')) return Response.json({ data: [event(1), event(2)], nextCursor: '2' });
    return Response.json(session({ status: 'completed' }));
  });
  const sequences = [];
  for await (const { sequence } of client.flow.follow('ses_1')) {
    sequences.push(sequence);
    if (sequences.length > 10) break;
  }
  expect(sequences).toEqual([1, 2]);
});

test('a token function that hangs ends a stream after its silence, and one that throws ends it', async () => {
  const never = against(() => new Response(null, { status: 500 }), {
    apiKey: () => new Promise<string>(() => {}),
  } as Partial<FlowgateOptions>);
  const hanging = Array.fromAsync(never.flow.follow('ses_1', { silenceMs: 20, retries: 0 }));
  expect(await refusalOf(hanging)).toMatchObject({ kind: 'no-answer' });
  await stop?.();
  const throwing = against(() => new Response(null, { status: 500 }), {
    apiKey: () => {
      throw new Error('signed out');
    },
  } as Partial<FlowgateOptions>);
  await expect(Array.fromAsync(throwing.flow.follow('ses_1'))).rejects.toThrow('signed out');
  await expect(throwing.me()).rejects.toThrow('signed out');
});

test('a call that is aborted at any moment leaves no rejection behind and ends with the reason', async () => {
  const reason = new Error('left');
  const client = against(async () => {
    await Bun.sleep(0);
    return Response.json({ id: 'alice' });
  });
  const ended: unknown[] = [];
  for (let turns = 0; turns < 40; turns++) {
    const leaving = new AbortController();
    const call = client.me({ signal: leaving.signal }).then(
      () => 'answered',
      (error: unknown) => error,
    );
    for (let turn = 0; turn < turns; turn++) await (turn % 3 === 0 ? Bun.sleep(0) : Promise.resolve());
    leaving.abort(reason);
    ended.push(await call);
  }
  expect(ended.filter((each) => each !== 'answered' && each !== reason)).toEqual([]);
  expect(ended[0]).toBe(reason);
});
