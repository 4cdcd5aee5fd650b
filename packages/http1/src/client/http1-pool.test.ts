import { afterEach, describe, expect, test } from 'bun:test';
import { TurnBudget, type WaitingReader } from '@flowgate/async/turn-budget';
import { systemClock } from '@flowgate/base/clock';
import { endAll, endsWith, open, reply, serve } from '@flowgate/testing/raw-http1-server';
import { until } from '@flowgate/testing/until';
import type { Http1Client } from './http1-client.ts';

afterEach(endAll);

describe('connections', () => {
  test('are reused, the last used first', async () => {
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

  test('an answer that arrived before a request, and waits for its turn to be read, is not the answer to that request', async () => {
    const waiting: WaitingReader[] = [];
    let isOver = false;
    class Turns extends TurnBudget {
      override begin(bytes: number): boolean {
        return super.begin(bytes) && !isOver;
      }
      override waitToBegin(reader: WaitingReader): void {
        waiting.push(reader);
      }
    }
    const { url, seen } = serve((peer, { body }) => void peer.write(reply(body)));
    const client = open(url, { turns: new Turns(systemClock) });
    expect(await client.post('first')).toMatchObject({ body: 'first' });
    isOver = true;
    seen.peers[0]?.write(reply('no one asked'));
    await until(() => waiting.length === 1);
    const second = client.post('second');
    isOver = false;
    waiting[0]?.continueReading();
    expect(await second).toMatchObject({ ok: true, body: 'second' });
    expect(seen.connections).toBe(2);
    await until(() => client.stats().open === 1);
  });

  test('that are all in use, with a full queue, make the next call fail at once as overloaded, unsent', async () => {
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

  test('that are in use until the deadline of a waiting call make it fail as overloaded, unsent', async () => {
    const armed: (() => void)[] = [];
    const byHand = {
      arm(_ms: number, callback: () => void) {
        armed.push(callback);
        return { callback };
      },
      disarm() {},
    };
    const { url, seen } = serve(() => {});
    const client = open(url, { maxConnections: 1, timerWheel: byHand });
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

  test('that are idle for longer than the client or the server allows are closed', async () => {
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

  test('that the server closed while idle are replaced silently: no byte had been written', async () => {
    const { url, seen } = serve((peer, { body }) => void peer.write(reply(body)));
    const client = open(url);
    await client.post('a');
    seen.peers[0]?.end();
    await until(() => client.stats().open === 0);
    expect(await client.post('b')).toMatchObject({ ok: true, body: 'b' });
    expect(seen.requests).toBe(2);
  });

  /** A server in another process, so that it acts while this process' event loop is blocked. It resets the first connection at `moment`. */
  async function serveElsewhere(moment: 'opened' | 'answered'): Promise<Http1Client> {
    const script = `
      let connections = 0, requests = 0;
      const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: {
        open(peer) { if (++connections === 1 && '${moment}' === 'opened') peer.terminate(); },
        data(peer) {
          peer.write('HTTP/1.1 200 OK\\r\\nContent-Length: 1\\r\\n\\r\\n' + ++requests);
          // Real time: the answer arrives before the reset.
          if (connections === 1) setTimeout(() => peer.terminate(), 20);
        } } });
      console.log(server.port);`;
    const server = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'inherit' });
    endsWith(() => server.kill());
    const port = new TextDecoder().decode((await server.stdout.getReader().read()).value).trim();
    return open(`http://127.0.0.1:${port}/`);
  }

  test('that are reset while the event loop is blocked are replaced silently when no byte could be written', async () => {
    const client = await serveElsewhere('answered');
    await client.post('a');
    // The event loop is blocked until the reset has happened, so that the client cannot have noticed it.
    // Real time: the event loop is blocked while the other process acts.
    Bun.sleepSync(120);
    expect(client.stats().idle).toBe(1);
    expect(await client.post('b')).toMatchObject({ ok: true, body: '2' });
  });

  test('that are reset before their first request fail that call, unsent, after one attempt', async () => {
    const client = await serveElsewhere('opened');
    const call = client.post('a');
    // Real time: the event loop is blocked while the other process acts.
    Bun.sleepSync(120);
    expect(await call).toMatchObject({ ok: false, sent: false });
    expect(await client.post('b')).toMatchObject({ ok: true, body: '1' });
  });

  test('that close after a request was written make the call broken, and the request is never sent again', async () => {
    const { url, seen } = serve((peer, { body }, count) => {
      if (count === 1) peer.write(reply(body));
      else peer.terminate();
    });
    const client = open(url);
    await client.post('first');
    expect(await client.post('transfer')).toMatchObject({ ok: false, failure: 'broken', sent: true });
    // By the time a further call is answered, any resend has arrived.
    await client.post('after');
    expect(seen.requests).toBe(3);
    expect(seen.received.split('transfer').length - 1).toBe(1);
  });

  test('that end at any byte of an answer, by FIN or by reset, break that call once', async () => {
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

  test('that are reset make an answer incomplete that only the end of the connection would have completed', async () => {
    const { url, seen } = serve((peer) => void peer.write('HTTP/1.1 200 OK\r\n\r\nhalf'));
    const client = open(url);
    const call = client.post('x');
    await until(() => seen.requests === 1);
    seen.peers[0]?.terminate();
    expect(await call).toMatchObject({ ok: false, failure: 'broken', sent: true });
  });

  test('that are accepted and closed at once fail each call after one attempt', async () => {
    const { url, seen } = serve(() => {}, { onOpen: (peer) => void peer.terminate() });
    const answer = await open(url).post('x');
    expect(answer).toMatchObject({ ok: false, failure: 'broken' });
    expect(seen.connections).toBe(1);
  });

  test('closed with the client fail every call, and later ones at once', async () => {
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
  test('passes for a silent server and for one that sends single bytes; the connection is destroyed', async () => {
    const { url, seen } = serve((peer, { body }) => {
      if (body !== 'trickle') return;
      const timer = setInterval(() => peer.write('HTTP/1.1 200 OK\r\nA: '.at(0) ?? ''), 20);
      endsWith(() => clearInterval(timer));
      peer.write('HTTP/1.1 200 OK\r\nA: ');
    });
    const client = open(url, { timeoutMs: 100 });
    const answers = await Promise.all([client.post('silent'), client.post('trickle')]);
    for (const answer of answers) expect(answer).toMatchObject({ failure: 'timeout', sent: true });
    expect(client.stats().open).toBe(0);
    await until(() => seen.peers.every((peer) => peer.readyState <= 0));
  });

  test('passes during a TLS handshake that never ends: connect, unsent', async () => {
    const { port, seen } = serve(() => {});
    const client = open(`https://127.0.0.1:${port}/`, { connectTimeoutMs: 60 });
    expect(await client.post('x')).toEqual({ ok: false, failure: 'connect', sent: false, detail: 'timed out' });
    expect(seen.received).not.toContain('POST');
    expect(client.stats().open).toBe(0);
  });
});

describe('dialling', () => {
  test('a port without a server, and a name without an address, are connect failures for all waiting calls', async () => {
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

  test('after a failed attempt they are made one at a time: a dead node is not flooded with attempts', async () => {
    const { port, seen } = serve(() => {});
    const client = open(`https://127.0.0.1:${port}/`, { connectTimeoutMs: 60 });
    await client.post('x');
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.post('x')));
    for (const answer of answers) expect(answer).toMatchObject({ failure: 'connect', sent: false });
    expect(seen.connections).toBe(2);
  });

  test('a server that comes back serves all waiting calls in parallel', async () => {
    const port = portWithoutServer();
    const client = open(`http://127.0.0.1:${port}/`);
    expect(await client.post('x')).toMatchObject({ failure: 'connect' });
    const { seen } = serve((peer, { body }) => void (body !== 'slow' && peer.write(reply(body))), { port });
    const slow = client.post('slow');
    const others = ['a', 'b', 'c'].map((body) => client.post(body));
    expect(await Promise.all(others)).toMatchObject(['a', 'b', 'c'].map((body) => ({ body })));
    seen.peers[0]?.write(reply('slow'));
    expect(await slow).toMatchObject({ body: 'slow' });
  });

  test('a server that comes back is found by the next call', async () => {
    const port = portWithoutServer();
    const client = open(`http://127.0.0.1:${port}/`);
    expect(await client.post('x')).toMatchObject({ failure: 'connect' });
    const back = Bun.listen({
      hostname: '127.0.0.1',
      port,
      socket: { data: (peer) => void peer.write(reply('back')) },
    });
    endsWith(() => back.stop(true));
    expect(await client.post('x')).toMatchObject({ ok: true, body: 'back' });
  });
});

function portWithoutServer(): number {
  const blocker = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
  blocker.stop(true);
  return blocker.port;
}
