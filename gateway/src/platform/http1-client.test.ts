import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Socket } from 'bun';
import { systemClock } from './clock.ts';
import { createDeadlines } from './deadlines.ts';
import { createHttp1Client, type Http1Client, type Http1ClientOptions } from './http1-client.ts';

/** What a connection has brought that is no whole request yet, and how long it must be to be one. */
type Inbox = { pieces: Buffer[]; bytes: number; wantedBytes: number };
type Peer = Socket<Inbox>;
type Request = { head: string; body: string };

const deadlines = createDeadlines(systemClock, 5);
const endings: (() => void)[] = [];

afterEach(() => {
  for (const end of endings.splice(0)) end();
});

/** A TCP server that hands each whole request, and each new connection, to the test. */
function serve(
  onRequest: (peer: Peer, request: Request, count: number) => void,
  options: { onOpen?: (peer: Peer) => void; tls?: { cert: string; key: string }; hostname?: string } = {},
) {
  const all: Buffer[] = [];
  const seen = {
    requests: 0,
    connections: 0,
    peers: [] as Peer[],
    get received() {
      return Buffer.concat(all).toString('latin1');
    },
  };
  const listener = Bun.listen<Inbox>({
    hostname: options.hostname ?? '127.0.0.1',
    port: 0,
    ...(options.tls === undefined ? {} : { tls: options.tls }),
    socket: {
      open(peer) {
        peer.data = { pieces: [], bytes: 0, wantedBytes: 0 };
        seen.connections++;
        seen.peers.push(peer);
        options.onOpen?.(peer);
      },
      data(peer, piece) {
        all.push(Buffer.from(piece));
        peer.data.pieces.push(Buffer.from(piece));
        peer.data.bytes += piece.length;
        for (let request = takeRequest(peer.data); request !== undefined; request = takeRequest(peer.data)) {
          seen.requests++;
          onRequest(peer, request, seen.requests);
        }
      },
      error() {},
    },
  });
  endings.push(() => listener.stop(true));
  const scheme = options.tls === undefined ? 'http' : 'https';
  return { seen, port: listener.port, url: `${scheme}://127.0.0.1:${listener.port}/` };
}

function takeRequest(inbox: Inbox): Request | undefined {
  if (inbox.bytes === 0 || inbox.bytes < inbox.wantedBytes) return undefined;
  const bytes = Buffer.concat(inbox.pieces);
  inbox.pieces = [bytes];
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const head = bytes.toString('latin1', 0, headEnd);
  const end = headEnd + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1]);
  inbox.wantedBytes = end;
  if (bytes.length < end) return undefined;
  Object.assign(inbox, { pieces: [bytes.subarray(end)], bytes: bytes.length - end, wantedBytes: 0 });
  return { head, body: bytes.toString('utf8', headEnd + 4, end) };
}

function open(url: string, options: Partial<Http1ClientOptions> = {}): Http1Client {
  const client = createHttp1Client({ url, timeoutMs: 10_000, deadlines, ...options });
  endings.push(() => client.close());
  return client;
}

const reply = (body: string, fields = '') =>
  `HTTP/1.1 200 OK\r\n${fields}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** Resolves once `reached` holds, looking again on every turn of the event loop. */
async function until(reached: () => boolean): Promise<void> {
  while (!reached()) await new Promise<void>((resolve) => setImmediate(resolve));
}

describe('requests', () => {
  test('are one POST with length, host, headers and Basic credentials, and ask for no compression', async () => {
    const { url, seen } = serve((peer) => void peer.write(reply('ok')));
    const secret = url.replace('http://', 'http://us%40er:p%3A%C3%A9@').concat('v3/key?a=%20b#fragment');
    const client = open(secret, { headers: { 'Content-Type': 'application/json' } });
    expect(await client.post('{"é":"\ud800"}')).toEqual({ ok: true, status: 200, body: 'ok' });
    const basic = Buffer.from('us@er:p:é').toString('base64');
    expect(seen.received).toBe(
      Buffer.from(
        `POST /v3/key?a=%20b HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Basic ${basic}\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{"é":"\ufffd"}`,
      ).toString('latin1'),
    );
  });

  test('that cannot be sent are refused when the client is made, without naming URL or header', () => {
    const make =
      (url: string, headers: Record<string, string> = {}) =>
      () =>
        open(url, { headers });
    const quiet = /^an HTTP client needs a valid http or https URL$|^a header of an HTTP client cannot be sent$/;
    for (const url of ['secret', 'ftp://secret/', 'http://', 'http://secret:99999/']) expect(make(url)).toThrow(quiet);
    const wrong = [
      { 'a b': 'c' },
      { a: 'b\r\nc: d' },
      { a: 'é' },
      { 'Content-Length': '5' },
      { HOST: 'x' },
      { 'Transfer-Encoding': 'chunked' },
    ];
    for (const headers of wrong) expect(make('http://127.0.0.1/', headers)).toThrow(quiet);
  });

  test('of 13 MB go out whole to a server that reads slowly, and 13 MB come back', async () => {
    const { url } = serve((peer, { body }) => writeAll(peer, Buffer.from(reply(body))), {
      onOpen(peer) {
        peer.pause();
        setTimeout(() => peer.resume(), 30);
      },
    });
    const body = 'aé€'.repeat(2_200_000);
    const answer = await open(url).post(body);
    expect(answer.ok && answer.body === body).toBeTrue();
  });

  test('reach an IPv6 literal', async () => {
    const { port, seen } = serve((peer) => void peer.write(reply('six')), { hostname: '::1' });
    expect(await open(`http://[::1]:${port}/`).post('x')).toMatchObject({ body: 'six' });
    expect(seen.received).toContain(`Host: [::1]:${port}\r\n`);
  });

  test('reach a host by name', async () => {
    const { port } = serve((peer) => void peer.write(reply('named')), { hostname: 'localhost' });
    expect(await open(`http://localhost:${port}/`).post('x')).toMatchObject({ body: 'named' });
  });
});

function writeAll(peer: Peer, bytes: Uint8Array): void {
  const written = Math.max(0, peer.write(bytes));
  if (written < bytes.length) setTimeout(() => writeAll(peer, bytes.subarray(written)), 1);
}

describe('answers', () => {
  test('cut at any byte are the same over the wire, on one connection', async () => {
    const text =
      'HTTP/1.1 100 C\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x\r\nhe\r\n3\r\nllo\r\n0\r\nT: 1\r\n\r\n';
    const { url, seen } = serve((peer, _request, count) => {
      peer.write(text.slice(0, count));
      setImmediate(() => void peer.write(text.slice(count)));
    });
    const client = open(url);
    for (let cut = 1; cut < text.length; cut++)
      expect(await client.post('x')).toMatchObject({ status: 200, body: 'hello' });
    expect(seen.connections).toBe(1);
  });

  test('of any status are handed over; a redirect is not followed', async () => {
    const { url, seen } = serve((peer, { body }) => {
      peer.write(`HTTP/1.1 ${body} X\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n`);
    });
    const client = open(url);
    for (const status of [200, 302, 307, 401, 429, 500, 503]) {
      expect(await client.post(String(status))).toEqual({ ok: true, status, body: '' });
    }
    expect(seen.requests).toBe(7);
  });

  test('of HTTP/1.0 or with Connection: close are read and their connection is not used again', async () => {
    const { url, seen } = serve((peer, _request, count) => {
      peer.write(count === 1 ? reply('a', 'Connection: close\r\n') : 'HTTP/1.0 200 OK\r\n\r\nb');
      if (count === 2) peer.end();
    });
    const client = open(url);
    expect(await client.post('x')).toMatchObject({ body: 'a' });
    expect(client.stats()).toEqual({ open: 0, idle: 0, waiting: 0 });
    expect(await client.post('x')).toMatchObject({ body: 'b' });
    expect(seen.connections).toBe(2);
  });

  test('followed by more bytes cost the connection, and the bytes answer nobody', async () => {
    const { url, seen } = serve((peer, { body }) => void peer.write(reply(body) + reply('smuggled')));
    const client = open(url, { maxConnections: 1 });
    const answers = await Promise.all(['a', 'b', 'c'].map((body) => client.post(body)));
    expect(answers.map((answer) => answer.ok && answer.body)).toEqual(['a', 'b', 'c']);
    expect(seen.connections).toBe(3);
  });

  test('that nobody asked for cost the idle connection', async () => {
    const { url, seen } = serve((peer, { body }) => void peer.write(reply(body)));
    const client = open(url);
    await client.post('a');
    seen.peers[0]?.write(reply('unasked'));
    await until(() => client.stats().open === 0);
    expect(await client.post('b')).toMatchObject({ body: 'b' });
  });

  test('before the request was written are taken, and the connection is not used again', async () => {
    const { url } = serve(() => {}, {
      onOpen(peer) {
        peer.pause();
        setTimeout(() => peer.write('HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno'), 20);
      },
    });
    const client = open(url);
    expect(await client.post('x'.repeat(20_000_000))).toEqual({ ok: true, status: 413, body: 'no' });
    expect(client.stats().open).toBe(0);
  });

  test('that are malformed, too large or compressed are failures and the connection is gone', async () => {
    const wrong: [string, string][] = [
      ['malformed', 'SSH-2.0-x\r\n'],
      ['malformed', reply('x', 'Content-Encoding: gzip\r\n')],
      ['malformed', reply('x', 'Content-Length: 1\r\n')],
      ['malformed', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\xff'],
      ['too-large', 'HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n'],
      ['too-large', `HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(101)}`],
    ];
    const { url } = serve((peer, { body }) => void peer.write(Buffer.from(wrong[Number(body)]?.[1] ?? '', 'latin1')));
    const client = open(url, { maxResponseBytes: 100 });
    for (const [index, [failure]] of wrong.entries()) {
      expect(await client.post(String(index))).toMatchObject({ ok: false, failure, sent: true });
      expect(client.stats().open).toBe(0);
    }
  });
});

describe('connections', () => {
  test('are kept, and the last used is used first', async () => {
    const { url, seen } = serve((peer, { body }) => void peer.write(reply(`${body}${seen.peers.indexOf(peer)}`)));
    const client = open(url);
    await Promise.all([client.post('a'), client.post('b'), client.post('c')]);
    expect(client.stats()).toEqual({ open: 3, idle: 3, waiting: 0 });
    const first = await client.post('');
    for (let call = 0; call < 5; call++) expect(await client.post('')).toEqual(first);
    expect(seen.connections).toBe(3);
  });

  test('carry 1,000 calls at once over 16 of them, each with its own answer', async () => {
    const { url, seen } = serve((peer, { body }) => {
      const text = reply(body.repeat(3));
      const cut = Number(body) % text.length;
      peer.write(text.slice(0, cut));
      if (Number(body) % 3 === 0) setImmediate(() => void peer.write(text.slice(cut)));
      else peer.write(text.slice(cut));
    });
    const client = open(url, { maxConnections: 16 });
    const bodies = Array.from({ length: 1_000 }, (_, index) => String(index));
    const answers = await Promise.all(bodies.map((body) => client.post(body)));
    expect(answers).toEqual(bodies.map((body) => ({ ok: true, status: 200, body: body.repeat(3) })));
    expect(seen).toMatchObject({ requests: 1_000, connections: 16 });
    expect(client.stats()).toEqual({ open: 16, idle: 16, waiting: 0 });
  });

  test('in use and a full queue make the next call overloaded at once, unsent', async () => {
    const { url, seen } = serve((peer, { body }) => {
      if (body !== 'first') peer.write(reply(body));
    });
    const client = open(url, { maxConnections: 1, maxWaiting: 1 });
    const first = client.post('first');
    await until(() => seen.requests === 1);
    const second = client.post('second');
    expect(client.stats()).toEqual({ open: 1, idle: 0, waiting: 1 });
    expect(await client.post('refused')).toMatchObject({ failure: 'overloaded', sent: false });
    seen.peers[0]?.write(reply('late'));
    expect([await first, await second]).toMatchObject([{ body: 'late' }, { body: 'second' }]);
    expect(seen.received).not.toContain('refused');
  });

  test('in use until the time of a waiting call is over make it overloaded, unsent', async () => {
    const armed: (() => void)[] = [];
    const byHand = {
      arm(_ms: number, callback: () => void) {
        armed.push(callback);
        return { callback };
      },
      disarm() {},
    };
    const { url, seen } = serve(() => {});
    const client = open(url, { maxConnections: 1, deadlines: byHand });
    const first = client.post('first');
    await until(() => seen.requests === 1);
    const second = client.post('second');
    armed.at(-1)?.();
    expect(await second).toMatchObject({ failure: 'overloaded', sent: false });
    expect(client.stats()).toEqual({ open: 1, idle: 0, waiting: 0 });
    armed[0]?.();
    expect(await first).toMatchObject({ failure: 'timeout', sent: true });
    expect(seen.requests).toBe(1);
  });

  test('that idle too long, or longer than the server keeps them, are closed', async () => {
    const { url } = serve((peer, { body }) => void peer.write(reply('x', body)));
    const client = open(url, { idleTimeoutMs: 30 });
    await client.post('');
    await until(() => client.stats().open === 0);
    const patient = open(url, { idleTimeoutMs: 60_000 });
    await patient.post('Keep-Alive: timeout=1\r\n');
    expect(patient.stats().open).toBe(0);
    await patient.post('Keep-Alive: timeout=5, max=9\r\n');
    expect(patient.stats()).toEqual({ open: 1, idle: 1, waiting: 0 });
  });

  test('that the server closed while idle are replaced silently: nothing had been written', async () => {
    const { url, seen } = serve((peer, { body }) => void peer.write(reply(body)));
    const client = open(url);
    await client.post('a');
    seen.peers[0]?.end();
    await until(() => client.stats().open === 0);
    expect(await client.post('b')).toMatchObject({ ok: true, body: 'b' });
    expect(seen.requests).toBe(2);
  });

  /** A server in another process, so that it acts while this one's event loop is held. It resets the first connection at `moment`. */
  async function serveElsewhere(moment: 'opened' | 'answered'): Promise<Http1Client> {
    const script = `
      let connections = 0, requests = 0;
      const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: {
        open(peer) { if (++connections === 1 && '${moment}' === 'opened') peer.terminate(); },
        data(peer) {
          peer.write('HTTP/1.1 200 OK\\r\\nContent-Length: 1\\r\\n\\r\\n' + ++requests);
          if (connections === 1) setTimeout(() => peer.terminate(), 20);
        } } });
      console.log(server.port);`;
    const server = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'inherit' });
    endings.push(() => server.kill());
    const port = new TextDecoder().decode((await server.stdout.getReader().read()).value).trim();
    return open(`http://127.0.0.1:${port}/`);
  }

  test('that are reset while nobody looks are replaced silently when not a byte could be written', async () => {
    const client = await serveElsewhere('answered');
    await client.post('a');
    // The event loop is held until the reset has happened, so that the client cannot have heard of it.
    Bun.sleepSync(120);
    expect(client.stats().idle).toBe(1);
    expect(await client.post('b')).toMatchObject({ ok: true, body: '2' });
  });

  test('that are reset before their first request end that call, unsent, after one attempt', async () => {
    const client = await serveElsewhere('opened');
    const call = client.post('a');
    Bun.sleepSync(120);
    expect(await call).toMatchObject({ ok: false, sent: false });
    expect(await client.post('b')).toMatchObject({ ok: true, body: '1' });
  });

  test('that close under a written request are broken, and the request is never sent again', async () => {
    const { url, seen } = serve((peer, { body }, count) => {
      if (count === 1) peer.write(reply(body));
      else peer.terminate();
    });
    const client = open(url);
    await client.post('first');
    expect(await client.post('transfer')).toMatchObject({ ok: false, failure: 'broken', sent: true });
    // A further call proves that whatever a resend would have caused has arrived.
    await client.post('after');
    expect(seen.requests).toBe(3);
    expect(seen.received.split('transfer').length - 1).toBe(1);
  });

  test('that end at any byte of an answer, politely or by reset, break that call once', async () => {
    const text = reply('hello', 'A: b\r\n');
    const { url, seen } = serve((peer, { body }) => {
      peer.write(text.slice(0, Number(body)));
      if (Number(body) % 2 === 0) peer.end();
      else peer.terminate();
    });
    const client = open(url);
    for (let cut = 0; cut < text.length; cut++) {
      expect(await client.post(String(cut))).toMatchObject({ ok: false, failure: 'broken', sent: true });
    }
    expect(seen.requests).toBe(text.length);
    expect(client.stats()).toEqual({ open: 0, idle: 0, waiting: 0 });
  });

  test('that are reset cut an answer short that only the end of the connection would have completed', async () => {
    const { url, seen } = serve((peer) => void peer.write('HTTP/1.1 200 OK\r\n\r\nhalf'));
    const client = open(url);
    const call = client.post('x');
    await until(() => seen.requests === 1);
    seen.peers[0]?.terminate();
    expect(await call).toMatchObject({ ok: false, failure: 'broken', sent: true });
  });

  test('that are accepted and closed at once end each call after one attempt', async () => {
    const { url, seen } = serve(() => {}, { onOpen: (peer) => void peer.terminate() });
    const answer = await open(url).post('x');
    expect(answer).toMatchObject({ ok: false, failure: 'broken' });
    expect(seen.connections).toBe(1);
  });

  test('closed with the client end every call, and later ones at once', async () => {
    const { url, seen } = serve(() => {});
    const client = open(url, { maxConnections: 2 });
    const calls = ['a', 'b', 'c'].map((body) => client.post(body));
    await until(() => seen.requests === 2);
    client.close();
    const answers = await Promise.all(calls);
    expect(answers.map((answer) => !answer.ok && [answer.failure, answer.sent])).toEqual([
      ['broken', true],
      ['broken', true],
      ['broken', false],
    ]);
    expect(await client.post('d')).toMatchObject({ failure: 'broken', sent: false });
    const dialling = open(url);
    const early = dialling.post('e');
    dialling.close();
    expect(await early).toMatchObject({ failure: 'broken', sent: false });
    await until(() => seen.connections === 3 && seen.peers.every((peer) => peer.readyState <= 0));
    expect(seen.requests).toBe(2);
  });
});

describe('time', () => {
  test('runs out for a silent server and for one that trickles; the connection is destroyed', async () => {
    const { url, seen } = serve((peer, { body }) => {
      if (body !== 'trickle') return;
      const timer = setInterval(() => peer.write('HTTP/1.1 200 OK\r\nA: '.at(0) ?? ''), 20);
      endings.push(() => clearInterval(timer));
      peer.write('HTTP/1.1 200 OK\r\nA: ');
    });
    const client = open(url, { timeoutMs: 100 });
    const answers = await Promise.all([client.post('silent'), client.post('trickle')]);
    for (const answer of answers) expect(answer).toMatchObject({ failure: 'timeout', sent: true });
    expect(client.stats().open).toBe(0);
    await until(() => seen.peers.every((peer) => peer.readyState <= 0));
  });

  test('runs out for a TLS handshake that never ends: connect, unsent', async () => {
    const { port, seen } = serve(() => {});
    const client = open(`https://127.0.0.1:${port}/`, { connectTimeoutMs: 60 });
    expect(await client.post('x')).toEqual({ ok: false, failure: 'connect', sent: false, detail: 'timed out' });
    expect(seen.received).not.toContain('POST');
    expect(client.stats().open).toBe(0);
  });
});

describe('dialling', () => {
  test('a port without server, and a name without address, are connect failures for all who wait', async () => {
    const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
    const { port } = listener;
    listener.stop(true);
    const client = open(`http://127.0.0.1:${port}/`, { maxConnections: 4 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.post('x')));
    for (const answer of answers)
      expect(answer).toEqual({ ok: false, failure: 'connect', sent: false, detail: 'ECONNREFUSED' });
    const nameless = await open('http://no-such-host.invalid/').post('x');
    expect(nameless).toMatchObject({ failure: 'connect', sent: false });
    expect(JSON.stringify(nameless)).not.toContain('no-such-host');
  });

  test('after a failed attempt they are made one at a time: a dead node gets no storm', async () => {
    const { port, seen } = serve(() => {});
    const client = open(`https://127.0.0.1:${port}/`, { connectTimeoutMs: 60 });
    await client.post('x');
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.post('x')));
    for (const answer of answers) expect(answer).toMatchObject({ failure: 'connect', sent: false });
    expect(seen.connections).toBe(2);
  });

  test('a server that comes back is found by the next call', async () => {
    const held = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
    const { port } = held;
    held.stop(true);
    const client = open(`http://127.0.0.1:${port}/`);
    expect(await client.post('x')).toMatchObject({ failure: 'connect' });
    const back = Bun.listen({
      hostname: '127.0.0.1',
      port,
      socket: { data: (peer) => void peer.write(reply('back')) },
    });
    endings.push(() => back.stop(true));
    expect(await client.post('x')).toMatchObject({ ok: true, body: 'back' });
  });
});

describe('TLS', () => {
  const directory = mkdtempSync(join(tmpdir(), 'http1-client-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  function certificate(name: string, altNames: string): { cert: string; key: string } {
    const [key, cert] = [join(directory, `${name}.key`), join(directory, `${name}.pem`)];
    const made = Bun.spawnSync([
      ...['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-keyout', key, '-out', cert, '-days', '2', '-subj', `/CN=${name}`, '-addext', `subjectAltName=${altNames}`],
    ]);
    if (made.exitCode !== 0) throw new Error(made.stderr.toString());
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  }
  const local = certificate('local', 'DNS:localhost,IP:127.0.0.1');
  const foreign = certificate('foreign', 'DNS:node.example');
  const answering = (tls: { cert: string; key: string }) =>
    serve((peer, { body }) => void peer.write(reply(body)), { tls });

  test('a self-signed certificate is refused and the request never leaves', async () => {
    const { url, seen } = answering(local);
    expect(await open(url).post('secret')).toEqual({
      ok: false,
      failure: 'connect',
      sent: false,
      detail: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    expect(seen.received).toBe('');
  });

  test('it is refused too when the environment says otherwise', () => {
    const { url, seen } = answering(local);
    const script = `
      import { createHttp1Client } from './http1-client.ts';
      import { createDeadlines } from './deadlines.ts';
      import { systemClock } from './clock.ts';
      const client = createHttp1Client({ url: '${url}', timeoutMs: 5000, deadlines: createDeadlines(systemClock) });
      console.log((await client.post('secret')).failure);`;
    const child = Bun.spawn([process.execPath, '-e', script], {
      cwd: import.meta.dir,
      env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0' },
      stdout: 'pipe',
      stderr: 'ignore',
    });
    return new Response(child.stdout).text().then((printed) => {
      expect(printed.trim()).toBe('connect');
      expect(seen.received).toBe('');
    });
  });

  test('its authority makes it good, by address and by name, and the connection is reused', async () => {
    const { url, seen } = answering(local);
    const client = open(url, { tls: { ca: local.cert } });
    for (const body of ['a', 'b', 'c']) expect(await client.post(body)).toMatchObject({ ok: true, body });
    expect(seen.connections).toBe(1);
    const named = open(url.replace('127.0.0.1', 'localhost'), { tls: { ca: local.cert } });
    expect(await named.post('d')).toMatchObject({ ok: true, body: 'd' });
  });

  test('a trusted certificate for another host is refused, and the detail names neither', async () => {
    const { url, seen } = answering(foreign);
    for (const host of ['127.0.0.1', 'localhost']) {
      const answer = await open(url.replace('127.0.0.1', host), { tls: { ca: foreign.cert } }).post('secret');
      expect(answer).toEqual({ ok: false, failure: 'connect', sent: false, detail: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    }
    expect(seen.received).toBe('');
  });

  test('verification can be switched off, in words', async () => {
    const { url } = answering(foreign);
    expect(await open(url, { tls: { rejectUnauthorized: false } }).post('x')).toMatchObject({ ok: true, body: 'x' });
  });

  test('a server that speaks no TLS, and an unusable authority, are connect failures', async () => {
    const { port } = serve(() => {}, { onOpen: (peer) => void peer.write('HTTP/1.1 400 Bad Request\r\n\r\n') });
    expect(await open(`https://127.0.0.1:${port}/`).post('x')).toMatchObject({ failure: 'connect', sent: false });
    const broken = open(`https://127.0.0.1:${port}/`, { tls: { ca: 'no certificate' } });
    expect(await broken.post('x')).toMatchObject({ failure: 'connect', sent: false });
  });

  test('5 MB go both ways through TLS', async () => {
    const { url } = serve((peer, { body }) => writeAll(peer, Buffer.from(reply(body))), { tls: local });
    const body = 'aé€'.repeat(900_000);
    const answer = await open(url, { tls: { ca: local.cert } }).post(body);
    expect(answer.ok && answer.body === body).toBeTrue();
  });
});
