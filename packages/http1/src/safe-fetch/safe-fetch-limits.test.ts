import { afterEach, expect, test } from 'bun:test';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { endAll, type Peer, reply, serve, writeAll } from '@flowgate/testing/raw-http1-server';
import { openSafeFetch, textOf } from '@flowgate/testing/safe-fetch';
import { until } from '@flowgate/testing/until';

afterEach(endAll);

/** Writes pieces as fast as the socket accepts them, until the other side closes. */
function pour(peer: Peer, piece: string): void {
  const more = () => {
    if (peer.readyState === 1 && peer.write(piece) >= 0) setImmediate(more);
  };
  more();
}

const drips: readonly (readonly [string, string, string])[] = [
  ['reason', 'HTTP/1.1 200 ', 'x'],
  ['fields', 'HTTP/1.1 200 OK\r\n', 'A: b\r\n'],
  ['body', 'HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n', 'x'],
  ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\nx\r\n'],
  ['interim answers', '', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['nothing', '', ''],
];

test("an answer that arrives byte by byte ends at the request's deadline, at any place where it is slow (contract/flow-apps)", async () => {
  for (const [name, start, drop] of drips) {
    let drops = 0;
    const { url, seen } = serve((peer) => {
      peer.write(start);
      const next = () => {
        drops++;
        if (peer.readyState === 1 && peer.write(drop) >= 0) setImmediate(next);
      };
      next();
    });
    const armed: (() => void)[] = [];
    const arm = (_ms: number, callback: () => void) => {
      armed.push(callback);
      return { callback };
    };
    const { ask, stats } = openSafeFetch({ timerWheel: { arm, disarm() {} } });
    const answer = ask(url, { timeoutMs: 60_000 });
    await until(() => drops > 20);
    armed[0]?.();
    expect([name, await answer]).toMatchObject([name, { ok: false, failure: 'timeout', sent: true }]);
    expect(stats().open).toBe(0);
    expect(seen.requests).toBe(1);
  }
});

test('endless answers end at the limit, and their connection with them (contract/flow-apps)', async () => {
  const endless: readonly (readonly [string, string, string])[] = [
    ['HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(500), 'too-large'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', `10\r\n${'x'.repeat(16)}\r\n`, 'too-large'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffff\r\n', 'x', 'too-large'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n', 'x', 'too-large'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n', 'x', 'too-large'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;', 'x'.repeat(500), 'malformed'],
    ['HTTP/1.1 200 OK\r\n', 'A: b\r\n'.repeat(50), 'malformed'],
    ['', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(50), 'malformed'],
  ];
  for (const [start, piece, failure] of endless) {
    const { url, seen } = serve((peer) => {
      peer.write(start);
      pour(peer, piece);
    });
    const { ask, stats } = openSafeFetch();
    expect(await ask(url)).toMatchObject({ ok: false, failure, sent: true });
    expect(stats().open).toBe(0);
    await until(() => seen.peers[0]?.readyState !== 1);
  }
});

test('the limit is inclusive, and each request has its own on one connection', async () => {
  const { url, seen } = serve((peer) => void peer.write(reply('x'.repeat(1000))));
  const { ask } = openSafeFetch();
  expect(textOf(await ask(url, { maxBytes: 1000 }))).toHaveLength(1000);
  expect(textOf(await ask(url, { maxBytes: 5000 }))).toHaveLength(1000);
  expect(seen.connections).toBe(1);
  expect(await ask(url, { maxBytes: 999 })).toMatchObject({ failure: 'too-large' });
});

test('an answer that is small only while compressed is too large, in every coding; one exactly at the limit is not (contract/flow-apps)', async () => {
  const bomb = Buffer.alloc(64 * 1024 * 1024);
  // The highest quality would take seconds, and such content shrinks a hundred thousand times anyway.
  const brotli = (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } });
  const codings = { gzip: gzipSync, deflate: deflateSync, br: brotli };
  for (const [coding, compress] of Object.entries(codings)) {
    for (const [content, expected] of [
      [bomb, { ok: false, failure: 'too-large', sent: true }],
      [Buffer.alloc(1_048_577), { ok: false, failure: 'too-large', sent: true }],
      [Buffer.alloc(1_048_576), { ok: true, status: 200 }],
    ] as const) {
      const bytes = compress(content);
      const { url } = serve((peer) => {
        const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${bytes.length}\r\n\r\n`;
        writeAll(peer, Buffer.concat([Buffer.from(head), bytes]));
      });
      expect(bytes.length).toBeLessThan(1_048_576);
      expect(await openSafeFetch().ask(url, { maxBytes: 1_048_576 })).toMatchObject(expected);
    }
  }
});

test('a coding that is broken, unknown, or combined with another is malformed', async () => {
  const cut = gzipSync('x'.repeat(100)).subarray(0, 15);
  const wrong: readonly (readonly [string, Uint8Array])[] = [
    ['gzip', Buffer.from('plain')],
    ['gzip', cut],
    ['br', cut],
    ['zstd', Buffer.from('x')],
    ['gzip, gzip', gzipSync(gzipSync('x'))],
    ['constructor', Buffer.from('x')],
  ];
  for (const [coding, bytes] of wrong) {
    const { url } = serve((peer) => {
      peer.write(`HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${bytes.length}\r\n\r\n`);
      peer.write(bytes);
    });
    expect(await openSafeFetch().ask(url)).toMatchObject({ ok: false, failure: 'malformed', sent: true });
  }
});

test('a connection that ends early is broken, and the reply reports that the request was sent', async () => {
  for (const text of ['', 'HTTP/1.1 200 OK\r\nContent-Le', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nxx']) {
    const { url, seen } = serve((peer) => {
      peer.write(text);
      peer.end();
    });
    expect(await openSafeFetch().ask(url, { method: 'POST', body: 'once' })).toMatchObject({
      failure: 'broken',
      sent: true,
    });
    expect(seen.requests).toBe(1);
  }
});

test('a port without a listener is a connect failure, unsent', async () => {
  const { url } = serve(() => {});
  endAll();
  expect(await openSafeFetch().ask(url)).toMatchObject({ failure: 'connect', sent: false, detail: 'ECONNREFUSED' });
});
