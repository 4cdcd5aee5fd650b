import { afterEach, describe, expect, test } from 'bun:test';
import { endAll, open, reply, serve, writeAll } from '@flowgate/testing/raw-http1-server';
import { createSteppingTurns } from '@flowgate/testing/stepping-turns';
import { until } from '@flowgate/testing/until';
import { freeChunks } from './chunked-decoder.ts';

afterEach(endAll);

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

  test('of 13 MB are sent whole to a server that reads slowly, and 13 MB are received', async () => {
    const { url } = serve((peer, { body }) => writeAll(peer, Buffer.from(reply(body))), {
      onOpen(peer) {
        peer.pause();
        // Real time: the server is slow to read.
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

  test('that are read over several turns of the event loop are complete, up to the end of their connection', async () => {
    const text = 'x'.repeat(freeChunks);
    const chunks = `${'1\r\nx\r\n'.repeat(freeChunks)}`;
    const chunked = 'Transfer-Encoding: chunked\r\n';
    const { url, seen } = serve((peer, { body }) => {
      if (body === 'chunked') writeAll(peer, Buffer.from(`HTTP/1.1 200 OK\r\n${chunked}\r\n${chunks}0\r\n\r\n`));
      else if (body === 'cut') writeAll(peer, Buffer.from(`HTTP/1.1 200 OK\r\n${chunked}\r\n${chunks}`));
      if (body === 'cut') peer.end();
    });
    const client = open(url, { turns: createSteppingTurns(), maxConnections: 1 });
    const answers = await Promise.all(['chunked', 'chunked', 'cut', 'chunked'].map((body) => client.post(body)));
    expect(answers.map((answer) => (answer.ok ? answer.body === text : answer.failure))).toEqual([
      true,
      true,
      'broken',
      true,
    ]);
    expect(seen.connections).toBe(2);
  });

  test('in too many chunks fail, and the detail names the bound', async () => {
    const { url } = serve((peer) => {
      writeAll(
        peer,
        Buffer.from(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(2 * freeChunks)}`),
      );
    });
    expect(await open(url).post('x')).toMatchObject({ ok: false, failure: 'malformed', detail: 'too many chunks' });
  });

  test('followed by more bytes close the connection, and the bytes answer no call', async () => {
    const { url, seen } = serve((peer, { body }) => void peer.write(reply(body) + reply('smuggled')));
    const client = open(url, { maxConnections: 1 });
    const answers = await Promise.all(['a', 'b', 'c'].map((body) => client.post(body)));
    expect(answers.map((answer) => answer.ok && answer.body)).toEqual(['a', 'b', 'c']);
    expect(seen.connections).toBe(3);
  });

  test('without a request close the idle connection', async () => {
    const { url, seen } = serve((peer, { body }) => void peer.write(reply(body)));
    const client = open(url);
    await client.post('a');
    seen.peers[0]?.write(reply('unasked'));
    await until(() => client.stats().open === 0);
    expect(await client.post('b')).toMatchObject({ body: 'b' });
  });

  test('that arrive before the request was written are accepted, and the connection is not used again', async () => {
    const { url } = serve(() => {}, {
      onOpen(peer) {
        peer.pause();
        // Real time: the client is in the middle of its request.
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
