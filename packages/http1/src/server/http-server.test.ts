import { afterEach, describe, expect, test } from 'bun:test';
import { systemClock } from '@flowgate/base/clock';
import { startBareServer } from '@flowgate/testing/bare-http-server';
import { answersUntilClosed, openRaw, rawRequest, sendRaw } from '@flowgate/testing/raw-http';
import { until } from '@flowgate/testing/until';
import fc from 'fast-check';
import type { HttpServer, HttpServerOptions } from './http-server.ts';
import type { IncomingRequest, OutgoingReply } from './incoming-request.ts';

const servers: HttpServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(0);
});

type Handle = (request: IncomingRequest) => OutgoingReply | Promise<OutgoingReply>;

const reply = (status: number, body: OutgoingReply['body'], headers: Record<string, string> = {}): OutgoingReply => ({
  status,
  headers,
  body,
});

/** The whole content as text, or the error with which reading it ended. */
async function contentOf({ body }: IncomingRequest): Promise<string> {
  const whole = body.takeWhole();
  if (whole !== undefined) return Buffer.from(whole).toString('latin1');
  let text = '';
  try {
    for (let piece = await body.next(); piece !== undefined; piece = await body.next())
      text += Buffer.from(piece).toString('latin1');
  } catch (cause) {
    return `${text}!${String(cause)}`;
  }
  return text;
}

const echo: Handle = async (request) =>
  reply(200, `${request.method} ${request.target} ${request.header('x-a')} ${await contentOf(request)}`);

function start(handle: Handle = echo, more: Partial<HttpServerOptions> = {}): HttpServer & { failures: unknown[] } {
  const failures: unknown[] = [];
  const server = startBareServer(
    {
      handle,
      refuse: ({ status, detail }, target) => reply(status, `${target}|${detail}`, { 'X-Refused': 'yes' }),
    },
    { failed: (cause) => failures.push(cause), ...more },
  );
  servers.push(server);
  return { ...server, failures };
}

const host = 'Host: gateway';
const get = (target: string, ...headers: readonly string[]) => rawRequest(`GET ${target} HTTP/1.1`, [host, ...headers]);
const post = (body: string, ...headers: readonly string[]) =>
  rawRequest('POST /p HTTP/1.1', [host, `Content-Length: ${body.length}`, ...headers], body);

describe('one request', () => {
  test('is answered with date and length, and the connection stays open', async () => {
    const { port } = start();
    const connection = await openRaw(port);
    for (const target of ['/a', '/b']) {
      connection.send(get(target, 'X-A: 1'));
      const answer = await connection.next();
      expect([answer?.status, answer?.body]).toEqual([200, `GET ${target} 1 `]);
      expect(answer?.headers.get('content-length')).toBe(String(answer?.body.length));
      expect(Date.parse(answer?.headers.get('date') ?? '')).toBeGreaterThan(0);
      expect(answer?.headers.has('connection')).toBe(false);
    }
    connection.close();
  });

  test('of HEAD has the length and no content', async () => {
    const { port } = start();
    const connection = await openRaw(port);
    connection.send(rawRequest('HEAD /a HTTP/1.1', [host]) + get('/b', 'Connection: close'));
    // The content is ignored: the next answer belongs to the bytes behind the head.
    const text = await connection.rest();
    const [first = '', second = ''] = text.split('\r\n\r\n');
    expect(first).toContain('Content-Length: 13');
    expect(second).toStartWith('HTTP/1.1 200 OK');
    expect(text).toEndWith('GET /b null ');
  });

  test('that asks to close is answered, and the connection is closed', async () => {
    const { port } = start();
    const connection = await openRaw(port);
    connection.send(get('/a', 'Connection: close') + get('/b'));
    const answers = await answersUntilClosed(connection);
    expect(answers.map(({ body }) => body)).toEqual(['GET /a null ']);
    expect(answers[0]?.headers.get('connection')).toBe('close');
  });

  test('of HTTP/1.0 is answered and closed; its connection stays open if the request asks for it', async () => {
    const { port } = start();
    const connection = await openRaw(port);
    connection.send(rawRequest('GET /a HTTP/1.0', ['Connection: keep-alive']));
    expect((await connection.next())?.headers.get('connection')).toBe('keep-alive');
    connection.send(rawRequest('GET /b HTTP/1.0'));
    expect((await answersUntilClosed(connection)).map(({ body }) => body)).toEqual(['GET /b null ']);
  });

  test('with `Expect: 100-continue` gets `100 Continue` when the handler reads the content; otherwise its connection is closed', async () => {
    let asks = true;
    const { port } = start((request) => (asks ? echo(request) : reply(200, 'unread')));
    const expecting = rawRequest('POST /p HTTP/1.1', [host, 'Content-Length: 5', 'Expect: 100-continue']);
    const seen: string[] = [];
    const socket = await Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        data(own, piece) {
          seen.push(piece.toString());
          if (piece.toString().startsWith('HTTP/1.1 100')) own.write('hello');
        },
      },
    });
    socket.write(expecting);
    await until(() => seen.join('').includes('hello'));
    expect(seen.join('')).toStartWith('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK');
    socket.end();
    asks = false;
    const answer = await sendRaw(port, expecting);
    expect([answer?.body, answer?.headers.get('connection')]).toEqual(['unread', 'close']);
  });

  test('is answered although its caller has closed the sending side', async () => {
    const { port } = start(async (request) => {
      // Real time: the handler is slow.
      await Bun.sleep(1);
      return echo(request);
    });
    const got = Promise.withResolvers<string>();
    let text = '';
    const socket = await Bun.connect({
      hostname: '127.0.0.1',
      port,
      allowHalfOpen: true,
      socket: {
        data: (_, piece) => {
          text += piece.toString();
        },
        end: (own) => {
          got.resolve(text);
          own.end();
        },
        close: () => got.resolve(text),
      },
    });
    socket.write(post('hello'));
    socket.shutdown();
    expect(await got.promise).toEndWith('POST /p null hello');
  });
});

describe('requests that arrive together', () => {
  test('are answered in order, however long each takes', async () => {
    const { port } = start(async (request) => {
      // Real time: the handler is slow.
      if (request.target === '/slow') await Bun.sleep(20);
      return echo(request);
    });
    const connection = await openRaw(port);
    connection.send(get('/slow') + post('hello') + get('/now') + get('/slow', 'Connection: close'));
    expect((await answersUntilClosed(connection)).map(({ body }) => body)).toEqual([
      'GET /slow null ',
      'POST /p null hello',
      'GET /now null ',
      'GET /slow null ',
    ]);
  });

  test('a thousand that are answered at once need no more stack than one', async () => {
    const { port } = start((request) => reply(200, request.target));
    const connection = await openRaw(port);
    connection.send(
      Array.from({ length: 1_000 }, (_, at) => get(`/${at}`)).join('') + get('/end', 'Connection: close'),
    );
    const answers = await answersUntilClosed(connection);
    expect(answers.map(({ body }) => body)).toEqual([...Array.from({ length: 1_000 }, (_, at) => `/${at}`), '/end']);
  });

  test('while one is answered, a bounded part of the next is read', async () => {
    const gate = Promise.withResolvers<void>();
    const { port } = start(async (request) => {
      await gate.promise;
      return echo(request);
    });
    let sent = 0;
    const more = Buffer.from(get(`/${'a'.repeat(1_000)}`).repeat(64));
    const socket = await Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        data() {},
        drain(own) {
          for (let took = 1; took > 0; ) {
            took = own.write(more);
            sent += Math.max(0, took);
          }
        },
      },
    });
    socket.write(get('/first'));
    for (let took = 1; took > 0; ) {
      took = socket.write(more);
      sent += Math.max(0, took);
    }
    let before = -1;
    while (before !== sent) {
      before = sent;
      // Real time: until the socket takes nothing more.
      await Bun.sleep(50);
    }
    // The system's own buffers on both sides, far below what would be sent without a bound.
    expect(sent).toBeLessThan(20_000_000);
    socket.terminate();
    gate.resolve();
  });

  for (const [how, settle] of [
    ['at once', (answer: OutgoingReply) => answer],
    ['later', (answer: OutgoingReply) => Promise.resolve(answer)],
  ] as const)
    test(`while a caller fetches no answers, no further request is answered (${how}); all are answered once it does`, async () => {
      const count = 300;
      const body = 'x'.repeat(200_000);
      let handled = 0;
      const { port } = start(() => {
        handled += 1;
        return settle(reply(200, body));
      });
      let got = 0;
      const socket = await Bun.connect({
        hostname: '127.0.0.1',
        port,
        socket: {
          data(_, piece) {
            got += piece.length;
          },
        },
      });
      socket.pause();
      socket.write(get('/').repeat(count));
      let before = -1;
      while (before !== handled || handled === 0) {
        before = handled;
        // Real time: until the socket takes nothing more.
        await Bun.sleep(50);
      }
      // The system's own buffers on both sides, and one more answer.
      expect(handled).toBeLessThan(100);
      socket.resume();
      await until(() => got > count * body.length);
      expect(handled).toBe(count);
      socket.end();
    });

  for (const [how, settle] of [
    ['at once', (answer: OutgoingReply) => answer],
    ['later', (answer: OutgoingReply) => Promise.resolve(answer)],
  ] as const)
    test(`with any number of requests on one connection, answered ${how}, another connection gets its turn among them`, async () => {
      const count = 4_000;
      const order: string[] = [];
      const { port } = start((request) => {
        order.push(request.target);
        return settle(reply(200, ''));
      });
      const [many, one] = [await openRaw(port), await openRaw(port)];
      many.send(get('/many').repeat(count));
      one.send(get('/one'));
      await one.next();
      await until(() => order.length === count + 1);
      expect(order.indexOf('/one')).toBeLessThan(count / 2);
      many.close();
      one.close();
    });

  for (const [how, wait] of [
    ['at once', undefined],
    ['later', () => new Promise<void>((resolve) => setImmediate(resolve))],
  ] as const)
    test(`of a caller that then closes its sending side are all answered (${how}), and incomplete ones fail`, async () => {
      const { port } = start(wait === undefined ? echo : async (request) => wait().then(() => echo(request)));
      const connection = await openRaw(port);
      const targets = Array.from({ length: 100 }, (_, at) => `/${at}`);
      connection.send(
        targets.map((target) => get(target)).join('') +
          rawRequest('POST /part HTTP/1.1', [host, 'Content-Length: 9'], 'part'),
      );
      connection.finish();
      const answers = await answersUntilClosed(connection);
      expect(answers.slice(0, -1).map(({ body }) => body)).toEqual(targets.map((target) => `GET ${target} null `));
      expect(answers.at(-1)?.body).toStartWith('POST /part null part');
      expect(answers.at(-1)?.body).toContain('The connection broke.');
      expect(answers.at(-1)?.headers.get('connection')).toBe('close');
    });

  test('a caller that closes its sending side before it fetches the answer gets all of it', async () => {
    const body = 'x'.repeat(20_000_000);
    const server = start(() => reply(200, body));
    let got = 0;
    const socket = await Bun.connect({
      hostname: '127.0.0.1',
      port: server.port,
      allowHalfOpen: true,
      socket: {
        data(_, piece) {
          got += piece.length;
        },
      },
    });
    socket.pause();
    socket.write(get('/'));
    // Real time: until the socket takes nothing more.
    await Bun.sleep(50);
    socket.shutdown();
    // Real time: until the end of the client's side has arrived.
    await Bun.sleep(20);
    socket.resume();
    await until(() => got > body.length);
    await until(() => server.connections() === 0);
    expect(got).toBeGreaterThan(body.length);
    socket.end();
  });

  test('any split of the bytes has the same result', async () => {
    const { port } = start();
    const request = fc.oneof(
      fc.constantFrom(get('/a', 'X-A: 1'), post('hello'), post(''), `\r\n${get('/b')}`),
      fc.string({ unit: 'binary-ascii', maxLength: 20 }).map((body) => post(body)),
      fc
        .string({ unit: 'binary-ascii', minLength: 1, maxLength: 20 })
        .map((body) =>
          rawRequest(
            'POST /c HTTP/1.1',
            [host, 'Transfer-Encoding: chunked'],
            `${body.length.toString(16)}\r\n${body}\r\n0\r\nT: x\r\n\r\n`,
          ),
        ),
      fc.constantFrom(
        rawRequest('GET /x HTTP/1.1'),
        rawRequest('GET /x HTTP/2.0', [host]),
        rawRequest('POST /x HTTP/1.1', [host, 'Transfer-Encoding: chunked'], 'zz\r\n'),
        'GET /x HTTP/1.1\nHost: a\n\n',
        '\x16\x03\x01',
      ),
    );
    const all = async (pieces: readonly string[]) => {
      const connection = await openRaw(port);
      for (const piece of pieces) {
        connection.send(Buffer.from(piece, 'latin1'));
        await new Promise(setImmediate);
      }
      // Only status and path of refusals are compared: which of two faults is found first may differ.
      return (await answersUntilClosed(connection)).map(
        ({ status, body }) => `${status} ${status === 200 ? body : body.split('|')[0]}`,
      );
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { maxLength: 4 }),
        fc.array(fc.nat(2_000), { maxLength: 6 }),
        async (requests, cuts) => {
          const wire = requests.join('') + get('/last', 'Connection: close');
          const at = [0, ...new Set(cuts.map((cut) => cut % wire.length)), wire.length].sort((a, b) => a - b);
          const pieces = at.slice(1).map((end, index) => wire.slice(at[index], end));
          expect(await all(pieces)).toEqual(await all([wire]));
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('an invalid request', () => {
  const broken: Record<string, readonly [status: number, bytes: string]> = {
    'a head without Host': [400, rawRequest('GET /flow/x HTTP/1.1')],
    'a bare line feed': [400, 'GET /a HTTP/1.1\n'],
    'another protocol': [400, '\x16\x03\x01\x02'],
    'a head that is too large (contract/bounds#sizes: a request head)': [
      431,
      `GET /a HTTP/1.1\r\nX: ${'a'.repeat(70_000)}`,
    ],
    'a target that is too long (contract/bounds#sizes: a request target)': [414, `GET /${'a'.repeat(70_000)}`],
    'a later version': [505, rawRequest('GET /a HTTP/3.0', [host])],
  };
  for (const [name, [status, bytes]] of Object.entries(broken))
    test(`${name} is refused with a reason, and nothing after it is read`, async () => {
      const { port } = start();
      const connection = await openRaw(port);
      connection.send(bytes + get('/after'));
      const answers = await answersUntilClosed(connection);
      expect(answers.map((answer) => answer.status)).toEqual([status]);
      expect(answers[0]?.headers.get('connection')).toBe('close');
      expect(answers[0]?.body).toContain('|');
    });

  test('a refusal contains the path as far as it was read', async () => {
    const { port } = start();
    expect((await sendRaw(port, rawRequest('GET /flow/x HTTP/1.1')))?.body).toStartWith('/flow/x|');
  });

  test('malformed chunks fail the read, and close the connection after the answer', async () => {
    const { port } = start();
    const connection = await openRaw(port);
    connection.send(
      rawRequest('POST /p HTTP/1.1', [host, 'Transfer-Encoding: chunked'], '5\r\nhello\r\nzz\r\n') + get('/after'),
    );
    const answers = await answersUntilClosed(connection);
    expect(answers.map(({ body }) => body)).toEqual(['POST /p null hello!Error: The chunked content is not valid.']);
  });

  test('a header value with a line end is a bug, and is not sent to any caller', async () => {
    const server = start(() => reply(200, 'x', { Location: '/a\r\nX-Evil: 1' }));
    expect(await sendRaw(server.port, get('/a'))).toBeUndefined();
    expect(server.failures).toHaveLength(1);
  });

  test('a handler that fails is a bug, and answered 500', async () => {
    const server = start(() => {
      throw new Error('bug');
    });
    const answer = await sendRaw(server.port, get('/a'));
    expect([answer?.status, answer?.body, answer?.headers.get('connection')]).toEqual([500, '', 'close']);
    expect(server.failures).toHaveLength(1);
  });
});

describe('content that the handler does not read', () => {
  test('of a request that was served is skipped, and the next request is found', async () => {
    const { port } = start((request) => reply(200, request.target));
    const connection = await openRaw(port);
    connection.send(rawRequest('POST /a HTTP/1.1', [host, 'Content-Length: 200000'], get('/hidden')));
    expect((await connection.next())?.body).toBe('/a');
    connection.send(
      get('/hidden')
        .repeat(10_000)
        .slice(0, 200_000 - get('/hidden').length) + get('/b', 'Connection: close'),
    );
    expect((await answersUntilClosed(connection)).map(({ body }) => body)).toEqual(['/b']);
  });

  test('of a request that was refused closes the connection after the caller has received the answer', async () => {
    const { port } = start(() => reply(413, 'no'));
    const connection = await openRaw(port);
    connection.send(rawRequest('POST /a HTTP/1.1', [host, 'Content-Length: 2000000'], 'x'.repeat(100_000)));
    connection.send('x'.repeat(1_000_000));
    const answers = await answersUntilClosed(connection);
    expect(answers.map(({ body, headers }) => [body, headers.get('connection')])).toEqual([['no', 'close']]);
  });
});

describe('streamed answers', () => {
  const stream = (pieces: readonly string[], reported: string[] = []) =>
    new ReadableStream<Uint8Array>({
      async pull(controller) {
        // Real time: the handler is slow.
        await Bun.sleep(1);
        const piece = pieces[reported.length];
        reported.push(piece ?? 'end');
        if (piece === undefined) controller.close();
        else controller.enqueue(Buffer.from(piece));
      },
      cancel: () => void reported.push('cancelled'),
    });

  test('are sent in chunks, and the connection stays open', async () => {
    const { port } = start(() => reply(200, stream(['hello', 'world']), { 'Content-Type': 'text/plain' }));
    for (let times = 0; times < 2; times++) {
      const answer = await fetch(`http://127.0.0.1:${port}/a`);
      expect(await answer.text()).toBe('helloworld');
    }
  });

  test('end with the connection for HTTP/1.0', async () => {
    const { port } = start(() => reply(200, stream(['hello', 'world'])));
    const answer = await sendRaw(port, rawRequest('GET /a HTTP/1.0'));
    expect([answer?.body, answer?.headers.get('connection')]).toEqual(['helloworld', 'close']);
  });

  test('that fail midway are not read as complete', async () => {
    const { port } = start(() =>
      reply(
        200,
        new ReadableStream<Uint8Array>({
          start: (controller) => controller.enqueue(Buffer.from('hello')),
          pull: (controller) => controller.error(new Error('broken')),
        }),
      ),
    );
    const read = fetch(`http://127.0.0.1:${port}/a`).then((answer) => answer.text());
    expect(read).rejects.toThrow();
    await read.catch(() => {});
  });

  test('are cancelled when their caller disconnects', async () => {
    const reported: string[] = [];
    const { port } = start(() =>
      reply(
        200,
        stream(
          Array.from({ length: 10_000 }, () => 'x'),
          reported,
        ),
      ),
    );
    const connection = await openRaw(port);
    connection.send(get('/a'));
    await until(() => reported.length > 2);
    connection.close();
    await until(() => reported.includes('cancelled'));
    expect(reported.filter((each) => each === 'cancelled')).toHaveLength(1);
  });

  test('are produced no faster than they are fetched', async () => {
    let made = 0;
    const { port } = start(() =>
      reply(
        200,
        new ReadableStream<Uint8Array>({
          pull(controller) {
            made += 1;
            controller.enqueue(Buffer.alloc(65_536));
          },
        }),
      ),
    );
    const socket = await Bun.connect({ hostname: '127.0.0.1', port, socket: { data() {} } });
    socket.pause();
    socket.write(get('/a'));
    let before = -1;
    while (before !== made) {
      before = made;
      // Real time: until the socket takes nothing more.
      await Bun.sleep(50);
    }
    expect(made).toBeLessThan(400);
    socket.terminate();
  });
});

describe('bounds', () => {
  /** A clock that only the test moves. */
  const late = () => {
    let moved = 0;
    return {
      clock: { ...systemClock, monotonic: () => systemClock.monotonic() + moved },
      move: (ms: number) => (moved += ms),
    };
  };
  const timeouts = {
    headMs: 10_000,
    idleMs: 20_000,
    writeMs: 5_000,
    minWriteBytesPerSecond: 8_192,
    maxWriteMs: 600_000,
    discardMs: 3_000,
  };

  test('a head that does not arrive in time is 408', async () => {
    const { clock, move } = late();
    const { port } = start(echo, { clock, timeouts });
    const connection = await openRaw(port);
    connection.send('GET /a HTTP/1.1\r\nX: ');
    // Real time: until the request has arrived.
    await Bun.sleep(20);
    move(11_000);
    expect((await answersUntilClosed(connection)).map(({ status }) => status)).toEqual([408]);
  });

  test('a silent connection is closed, later after an answer than before the first one', async () => {
    const { clock, move } = late();
    const server = start(echo, { clock, timeouts });
    const [fresh, used] = [await openRaw(server.port), await openRaw(server.port)];
    used.send(get('/a'));
    await used.next();
    move(11_000);
    expect(await answersUntilClosed(fresh)).toEqual([]);
    expect(server.connections()).toBe(1);
    move(10_000);
    expect(await answersUntilClosed(used)).toEqual([]);
  });

  test('an answer that the caller does not fetch ends with its connection', async () => {
    const { clock, move } = late();
    const server = start(() => reply(200, 'x'.repeat(30_000_000)), { clock, timeouts });
    const socket = await Bun.connect({ hostname: '127.0.0.1', port: server.port, socket: { data() {} } });
    socket.pause();
    socket.write(get('/a'));
    // Real time: until the socket takes nothing more.
    await Bun.sleep(50);
    expect(server.connections()).toBe(1);
    move(6_000);
    await until(() => server.connections() === 0);
    socket.terminate();
  });

  test('connections beyond the bound are closed, of one address and of all, but not those of a trusted proxy', async () => {
    const { port } = start(echo, { maxConnectionsPerAddress: 2 });
    const connections = [await openRaw(port), await openRaw(port)];
    for (const connection of connections) {
      connection.send(get('/a'));
      expect((await connection.next())?.status).toBe(200);
    }
    expect(await sendRaw(port, get('/a'))).toBeUndefined();
    connections[0]?.close();
    await until(() => servers.at(-1)?.connections() === 1);
    expect((await sendRaw(port, get('/a')))?.status).toBe(200);
    const trusted = start(echo, { maxConnectionsPerAddress: 1, maxConnections: 2, isTrusted: () => true });
    const two = [await openRaw(trusted.port), await openRaw(trusted.port)];
    for (const connection of two) connection.send(get('/a'));
    for (const connection of two) expect((await connection.next())?.status).toBe(200);
    expect(await sendRaw(trusted.port, get('/a'))).toBeUndefined();
  });
});

describe('stopping the server', () => {
  test('closes idle connections, and lets an answer in progress complete', async () => {
    const gate = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const server = start(async (request) => {
      arrived.resolve();
      await gate.promise;
      return echo(request);
    });
    const [idle, busy] = [await openRaw(server.port), await openRaw(server.port)];
    busy.send(get('/a'));
    await until(() => server.connections() === 2);
    await arrived.promise;
    const stopped = server.stop(10_000);
    expect(await answersUntilClosed(idle)).toEqual([]);
    gate.resolve();
    const answers = await answersUntilClosed(busy);
    expect(answers.map(({ body, headers }) => [body, headers.get('connection')])).toEqual([['GET /a null ', 'close']]);
    expect(await stopped).toBe(0);
  });

  test('cuts off answers that do not end in time, and counts them', async () => {
    const arrived = Promise.withResolvers<void>();
    const server = start(() => {
      arrived.resolve();
      return new Promise<never>(() => {});
    });
    const connection = await openRaw(server.port);
    connection.send(get('/a'));
    await arrived.promise;
    expect(await server.stop(10)).toBe(1);
    expect(await answersUntilClosed(connection)).toEqual([]);
  });
});

describe('while another process takes over (docs/decisions/0069)', () => {
  test('each connection has its next call answered, is closed by that answer, and no new one is accepted', async () => {
    const server = start();
    const connections = await Promise.all([openRaw(server.port), openRaw(server.port)]);
    for (const connection of connections) {
      connection.send(get('/before'));
      expect((await connection.next())?.headers.get('connection')).toBeNull();
    }
    const over = server.handOver(30_000);
    for (const connection of connections) {
      connection.send(get('/after'));
      const answer = await connection.next();
      expect([answer?.status, answer?.headers.get('connection')]).toEqual([200, 'close']);
      expect(await connection.next()).toBeUndefined();
      connection.close();
    }
    await over;
    expect(server.connections()).toBe(0);
    const refused = await Bun.connect({ hostname: '127.0.0.1', port: server.port, socket: { data() {} } }).catch(
      () => 'refused',
    );
    expect(refused).toBe('refused');
  });

  test('requests that have arrived together are all answered before the connection closes', async () => {
    const gate = Promise.withResolvers<void>();
    const server = start(async (request) => {
      await gate.promise;
      return echo(request);
    });
    const connection = await openRaw(server.port);
    connection.send(['/1', '/2', '/3'].map((target) => get(target)).join(''));
    await until('they are there', () => server.connections() === 1);
    const over = server.handOver(30_000);
    gate.resolve();
    const answers = await answersUntilClosed(connection);
    expect(answers.map(({ body, headers }) => [body.split(' ')[1], headers.get('connection')])).toEqual([
      ['/1', null],
      ['/2', null],
      ['/3', 'close'],
    ]);
    connection.close();
    await over;
  });

  test('a connection without a request is closed after five seconds', async () => {
    let nowMs = 0;
    const server = start(echo, { clock: { ...systemClock, monotonic: () => nowMs } });
    const idle = await openRaw(server.port);
    idle.send(get('/before'));
    await idle.next();
    const over = server.handOver(60_000);
    nowMs = 6_000;
    expect(await idle.next()).toBeUndefined();
    idle.close();
    await over;
    expect(server.connections()).toBe(0);
  });

  test('calls that outlast the handover end with the stop', async () => {
    const gate = Promise.withResolvers<void>();
    const server = start(async (request) => {
      await gate.promise;
      return echo(request);
    });
    const connection = await openRaw(server.port);
    connection.send(get('/slow'));
    await until('it is there', () => server.connections() === 1);
    await server.handOver(50);
    expect(await server.stop(0)).toBe(1);
    gate.resolve();
    connection.close();
  });
});
