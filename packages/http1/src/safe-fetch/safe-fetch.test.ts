import { afterEach, describe, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import { endAll, reply, serve } from '@flowgate/testing/raw-http1-server';
import { openSafeFetch, textOf } from '@flowgate/testing/safe-fetch';
import { until } from '@flowgate/testing/until';

afterEach(endAll);

describe('requests', () => {
  test('are sent as requested: method, path, headers, body, and the host as it was named', async () => {
    const { port, seen } = serve((peer, { body }) => void peer.write(reply(body)));
    const { ask } = openSafeFetch({ allowPrivateHosts: ['app.example'], resolve: async () => ['127.0.0.1'] });
    const got = await ask(`http://app.example:${port}/base/health?x=%20#no`, { headers: { 'X-Request-Id': 'r1' } });
    expect(got).toMatchObject({ ok: true, status: 200 });
    const posted = await ask(`http://app.example:${port}/p`, { method: 'POST', body: '{"é":1}', headers: { A: 'b' } });
    expect(textOf(posted)).toBe('{"é":1}');
    const own = `HTTP/1.1\r\nHost: app.example:${port}\r\nUser-Agent: Flowgate\r\n`;
    expect(seen.received).toBe(
      Buffer.from(
        `GET /base/health?x=%20 ${own}X-Request-Id: r1\r\nAccept-Encoding: identity\r\n\r\n` +
          `POST /p ${own}A: b\r\nAccept-Encoding: identity\r\nContent-Length: 8\r\n\r\n{"é":1}`,
      ).toString('latin1'),
    );
    expect(seen.connections).toBe(1);
  });

  test('with a header that would end the head are not sent', async () => {
    const { url, seen } = serve((peer) => void peer.write(reply('')));
    const { ask } = openSafeFetch();
    for (const headers of [{ a: 'b\r\nc: d' }, { 'a b': 'c' }, { Host: 'other' }, { 'Content-Length': '9' }]) {
      expect(await ask(url, { headers })).toMatchObject({ ok: false, sent: false });
    }
    expect(seen.connections).toBe(0);
  });
});

describe('answers', () => {
  test('have every header, repeated ones joined, and bytes that need not be text', async () => {
    const { url } = serve((peer) => {
      peer.write('HTTP/1.1 103 Early\r\nX-Early: 1\r\n\r\n');
      peer.write('HTTP/1.1 429 Slow\r\nRetry-After:  7 \r\nVary: a\r\nVARY: b\r\nX-Empty:\r\n__proto__: x\r\n');
      peer.write(Buffer.from('Content-Length: 3\r\n\r\n\xff\x00\xfe', 'latin1'));
    });
    const answer = await openSafeFetch().ask(url);
    expect(answer).toEqual({
      ok: true,
      status: 429,
      headers: new Map([
        ['retry-after', '7'],
        ['vary', 'a, b'],
        ['x-empty', ''],
        ['__proto__', 'x'],
        ['content-length', '3'],
      ]),
      body: new Uint8Array([255, 0, 254]),
    });
  });

  test('do not share bytes or headers with the next one on their connection', async () => {
    const { url } = serve((peer, _request, count) => void peer.write(reply(`body${count}`, `N: ${count}\r\n`)));
    const { ask } = openSafeFetch();
    const replies = [await ask(url), await ask(url), await ask(url)];
    expect(replies.map((each) => [textOf(each), each.ok && each.headers.get('n')])).toEqual([
      ['body1', '1'],
      ['body2', '2'],
      ['body3', '3'],
    ]);
  });

  test('that redirect are answers: no redirect is followed, not even to a metadata service (contract/networks#catalog)', async () => {
    const asked: string[] = [];
    const { port, seen } = serve((peer, _request, count) => {
      const to = ['http://169.254.169.254/latest/meta-data/', `http://127.0.0.1:${port}/inside`, '//[::1]/'][count - 1];
      peer.write(`HTTP/1.1 ${[301, 307, 308][count - 1]} X\r\nLocation: ${to}\r\nContent-Length: 0\r\n\r\n`);
    });
    const { ask, stats } = openSafeFetch({
      allowPrivateHosts: ['app.example'],
      resolve: async (name) => {
        asked.push(name);
        return ['127.0.0.1'];
      },
    });
    for (const status of [301, 307, 308]) {
      expect(await ask(`http://app.example:${port}/`)).toMatchObject({ ok: true, status });
    }
    expect(asked).toEqual(['app.example', 'app.example', 'app.example']);
    expect(seen).toMatchObject({ requests: 3, connections: 1 });
    expect(stats().origins).toBe(1);
  });

  test('that are compressed without `Accept-Encoding` are read', async () => {
    const { url } = serve((peer) => {
      const bytes = gzipSync('small');
      peer.write(`HTTP/1.1 200 OK\r\nContent-Encoding: GZIP\r\nContent-Length: ${bytes.length}\r\n\r\n`);
      peer.write(bytes);
    });
    expect(textOf(await openSafeFetch().ask(url))).toBe('small');
  });
});

describe('names', () => {
  test('are resolved once for each request, and the connection goes to that address even if the name later resolves to another (contract/networks#catalog)', async () => {
    const first = serve((peer) => void peer.write(reply('first')), { hostname: '127.0.0.1' });
    const second = Bun.listen({
      hostname: '127.0.0.2',
      port: first.port,
      socket: { data: (peer) => void peer.write(reply('second')) },
    });
    try {
      let answers = 0;
      const { ask, stats } = openSafeFetch({
        allowPrivateHosts: ['app.example'],
        resolve: async () => (++answers === 1 ? ['127.0.0.1'] : ['127.0.0.2']),
      });
      const url = `http://app.example:${first.port}/`;
      expect(textOf(await ask(url))).toBe('first');
      expect(answers).toBe(1);
      // The connection to the old address is still open, but the name no longer resolves to that address.
      expect(textOf(await ask(url))).toBe('second');
      expect(answers).toBe(2);
      expect(stats()).toEqual({ origins: 2, open: 2 });
      expect(first.seen.requests).toBe(1);
    } finally {
      second.stop(true);
    }
  });

  test('with several addresses are reached at the first address that accepts a connection', async () => {
    const { port, seen } = serve((peer, { body }) => void peer.write(reply(body)));
    const { ask } = openSafeFetch({
      allowPrivateHosts: ['app.example'],
      resolve: async () => ['127.0.0.3', '127.0.0.2', '127.0.0.1'],
    });
    const url = `http://app.example:${port}/`;
    expect(textOf(await ask(url, { method: 'POST', body: 'once' }))).toBe('once');
    expect(textOf(await ask(url, { method: 'POST', body: 'again' }))).toBe('again');
    expect(seen).toMatchObject({ requests: 2, connections: 1 });
  });

  test('that cannot be resolved are connect failures that do not repeat the name', async () => {
    const failing = openSafeFetch({
      resolve: async () => Promise.reject(Object.assign(new Error('secret.example'), { code: 'ENOTFOUND' })),
    });
    expect(await failing.ask('https://secret.example.com/')).toEqual({
      ok: false,
      failure: 'connect',
      sent: false,
      detail: 'the name cannot be resolved (ENOTFOUND)',
    });
    const empty = openSafeFetch({ resolve: async () => [] });
    expect(await empty.ask('https://secret.example.com/')).toMatchObject({ failure: 'connect', sent: false });
  });

  test('whose addresses accept no connection in time are timeouts, unsent', async () => {
    const clock = { monotonic: () => now };
    let now = 0;
    const armed: (() => void)[] = [];
    const arm = (ms: number, callback: () => void) => {
      armed.push(() => {
        now += ms;
        callback();
      });
      return { callback };
    };
    const { ask } = openSafeFetch({ clock, timerWheel: { arm, disarm() {} } });
    const answer = ask('http://127.0.0.1:1/', { timeoutMs: 500 });
    // The deadline of the whole request is the first timer; it is armed before the refusal can arrive.
    while (armed.length === 0) await Promise.resolve();
    armed[0]?.();
    expect(await answer).toMatchObject({ ok: false, failure: 'timeout', sent: false });
  });

  test('that never resolve take no longer than the request may, are looked up once, and cannot accumulate', async () => {
    let asked = 0;
    const { ask } = openSafeFetch({
      resolve: () => {
        asked++;
        return new Promise(() => {});
      },
    });
    const short = { timeoutMs: 30 };
    const same = await Promise.all(Array.from({ length: 20 }, () => ask('https://a.example.com/', short)));
    expect(same[19]).toMatchObject({ failure: 'timeout', sent: false });
    expect(asked).toBe(1);
    const many = await Promise.all(Array.from({ length: 300 }, (_, index) => ask(`https://a${index}.example/`, short)));
    expect(many.filter((each) => !each.ok && each.failure === 'overloaded')).toHaveLength(45);
    expect(asked).toBe(256);
  });
});

describe('connections', () => {
  test('stay open for a bounded number of origins, the last used ones', async () => {
    const servers = Array.from({ length: 4 }, () => serve((peer) => void peer.write(reply('x'))));
    const { ask, stats } = openSafeFetch({ maxOrigins: 2 });
    const askAs = (url: string) => ask(url, { tenant: url });
    for (const { url } of servers) expect(await askAs(url)).toMatchObject({ ok: true });
    expect(stats()).toEqual({ origins: 2, open: 2 });
    for (const { url } of [...servers].reverse()) await askAs(url);
    expect(servers.map(({ seen }) => seen.connections)).toEqual([2, 2, 1, 1]);
  });

  test('of one tenant stay open for an eighth of the origins: a tenant with many origins closes no connection of others', async () => {
    const servers = Array.from({ length: 20 }, () => serve((peer) => void peer.write(reply('x'))));
    const [other, ...many] = servers;
    const { ask, stats } = openSafeFetch({ maxOrigins: 16 });
    await ask(other?.url ?? '', { tenant: 'other' });
    for (const { url } of many) await ask(url, { tenant: 'many' });
    expect(stats()).toEqual({ origins: 3, open: 3 });
    await ask(other?.url ?? '', { tenant: 'other' });
    expect(other?.seen.connections).toBe(1);
  });

  test('are not shared by tenants: a tenant that uses all of its connections delays no other tenant (contract/flow-apps)', async () => {
    const pending: (() => void)[] = [];
    const { url, seen } = serve((peer, { body }) => {
      if (body === 'hang') pending.push(() => void peer.write(reply('late')));
      else peer.write(reply(body));
    });
    const { ask } = openSafeFetch({ maxConnectionsPerOrigin: 2 });
    const post = (tenant: string, body: string) => ask(url, { method: 'POST', body, tenant });
    const hanging = Array.from({ length: 5 }, () => post('app evil/twin', 'hang'));
    await until(() => pending.length === 2);
    expect(textOf(await post('app acme/shop', 'mine'))).toBe('mine');
    expect(seen.connections).toBe(3);
    while (seen.requests < 6) {
      for (const letGo of pending.splice(0)) letGo();
      await until(() => pending.length > 0 || seen.requests === 6);
    }
    for (const letGo of pending.splice(0)) letGo();
    expect((await Promise.all(hanging)).map(textOf)).toEqual(Array(5).fill('late'));
    expect(seen.connections).toBe(3);
  });

  test('carry no further request after one that announced their end, with or without the same announcement in the answer (RFC 9112 9.6)', async () => {
    const { url, seen } = serve((peer) => void peer.write(reply('a')));
    const { ask } = openSafeFetch();
    for (let sent = 0; sent < 3; sent++) expect(textOf(await ask(url, { closes: true }))).toBe('a');
    expect(seen.connections).toBe(3);
    for (let sent = 0; sent < 3; sent++) expect(textOf(await ask(url))).toBe('a');
    expect(seen.connections).toBe(4);
  });

  test('of one origin are bounded; a request in progress is not ended for another origin', async () => {
    const server = serve((peer, _request, count) => {
      if (count === 3) for (const each of server.seen.peers) each.write(reply('late'));
      if (count > 3) peer.write(reply('late'));
    });
    const other = serve((peer) => void peer.write(reply('x')));
    const { ask } = openSafeFetch({ maxOrigins: 1, maxConnectionsPerOrigin: 3 });
    const first = [ask(server.url), ask(server.url)];
    await until(() => server.seen.requests === 2);
    expect(textOf(await ask(other.url))).toBe('x');
    const all = await Promise.all([...first, ...Array.from({ length: 8 }, () => ask(server.url))]);
    expect(all.map(textOf)).toEqual(Array.from({ length: 10 }, () => 'late'));
    expect(server.seen.connections).toBe(3);
  });
});
