/**
 * HTTPS with real clients: the certificate they get, the versions they may use, and handshakes that never finish
 * (docs/decisions/0068).
 */

import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { constants } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect as connectPlain } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { startBareServer } from '@flowgate/testing/bare-http-server';
import { certificateMaker, type MadeCertificate } from '@flowgate/testing/certificates';
import { until } from '@flowgate/testing/until';
import type { HttpServer } from './http-server.ts';

const maker = certificateMaker();
const [first, second] = [maker.make('first'), maker.make('second')];
const servers: HttpServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(0);
});
afterAll(() => maker.remove());

const large = 'x'.repeat(3_000_000);

function start({ headMs = 30_000, maxConnections = 100, secureOptions = 0 } = {}) {
  let shown: MadeCertificate = first;
  const failures: string[] = [];
  const server = startBareServer(
    {
      async handle({ target, body, peer }) {
        let bytes = 0;
        for (let piece = await body.next(); piece !== undefined; piece = await body.next()) bytes += piece.length;
        if (target === '/large') return { status: 200, headers: {}, body: large };
        return { status: 200, headers: {}, body: `${target} ${bytes} ${peer}` };
      },
      refuse: ({ status }) => ({ status, headers: {}, body: null }),
    },
    {
      tls: () => ({
        cert: shown.pem,
        key: readFileSync(shown.key, 'utf8'),
        ciphers: 'ECDHE+AESGCM:ECDHE+CHACHA20',
        secureOptions,
      }),
      timeouts: {
        headMs,
        idleMs: 30_000,
        writeMs: 30_000,
        minWriteBytesPerSecond: 8_192,
        maxWriteMs: 600_000,
        discardMs: 500,
      },
      maxConnections,
      failed: (cause) => failures.push(String(cause)),
    },
  );
  servers.push(server);
  return {
    server,
    failures,
    url: `https://127.0.0.1:${server.port}`,
    show: (made: MadeCertificate) => {
      shown = made;
    },
  };
}

type Handshake = { readonly socket: TLSSocket; readonly shown: string | undefined; readonly protocol: string | null };

function shake(port: number, options: object = {}): Promise<Handshake> {
  const socket = connect({
    port,
    host: '127.0.0.1',
    ca: [first.pem, second.pem],
    ALPNProtocols: ['http/1.1'],
    ...options,
  });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      socket.on('error', () => {});
      const name: unknown = socket.getPeerCertificate().subject?.CN;
      resolve({ socket, shown: typeof name === 'string' ? name : undefined, protocol: socket.getProtocol() });
    });
  });
}

async function answerOn(socket: TLSSocket, path: string): Promise<string> {
  let text = '';
  const answered = new Promise<void>((resolve) => {
    socket.on('data', (piece: Buffer) => {
      text += piece.toString();
      if (text.includes('127.0.0.1')) resolve();
    });
  });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await answered;
  return text;
}

describe('clients', () => {
  test('fetch', async () => {
    const { url } = start();
    const answer = await fetch(`${url}/a`, { method: 'POST', body: 'hello', tls: { ca: first.pem } });
    expect(await answer.text()).toBe('/a 5 127.0.0.1');
    expect((await (await fetch(`${url}/large`, { tls: { ca: first.pem } })).text()).length).toBe(large.length);
  });

  test.each(['--tlsv1.2 --tls-max 1.2', '--tlsv1.3', '--http2'])('curl %p', async (options) => {
    const { url } = start();
    const command = [
      'curl',
      '--silent',
      '--cacert',
      first.certificate,
      ...options.split(' '),
      '-w',
      ' %{http_version}',
      `${url}/a`,
    ];
    expect(await new Response(Bun.spawn(command).stdout).text()).toBe('/a 0 127.0.0.1 1.1');
  });

  test("Node.js' https, with one connection for its calls", async () => {
    const { url, server } = start();
    const script = `
      import https from 'node:https';
      const agent = new https.Agent({ keepAlive: true, maxSockets: 1, ca: process.env.CA });
      const ask = (path) => new Promise((resolve, reject) => https.request(process.env.URL + path, { agent }, (answer) => {
        let text = ''; answer.on('data', (piece) => { text += piece; }); answer.on('end', () => resolve(text));
      }).on('error', reject).end());
      console.log((await ask('/a')) + ';' + (await ask('/b')) + ';' + (await ask('/large')).length);
      agent.destroy();`;
    const node = Bun.spawn(['node', '--input-type=module', '-e', script], {
      env: { PATH: Bun.env['PATH'] ?? '', CA: first.pem, URL: url },
    });
    expect((await new Response(node.stdout).text()).trim()).toBe(`/a 0 127.0.0.1;/b 0 127.0.0.1;${large.length}`);
    await until('its connection is gone', () => server.connections() === 0);
  });

  test('any SNI name gets the one certificate', async () => {
    const { server } = start();
    const { socket, shown } = await shake(server.port, { servername: 'localhost' });
    expect(shown).toBe('first');
    socket.destroy();
  });
});

describe('versions and ciphers', () => {
  test('HTTP/1.1 alone is offered, and those who speak none of it are refused', async () => {
    const { server } = start();
    const { socket } = await shake(server.port, { ALPNProtocols: ['h2', 'http/1.1'] });
    expect(socket.alpnProtocol).toBe('http/1.1');
    socket.destroy();
    await expect(shake(server.port, { ALPNProtocols: ['h2'] })).rejects.toThrow();
  });

  test('TLS 1.1 is refused, and TLS 1.2 where the oldest is 1.3', async () => {
    const { server } = start();
    await expect(shake(server.port, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' })).rejects.toThrow();
    const strict = start({ secureOptions: constants.SSL_OP_NO_TLSv1_2 });
    await expect(shake(strict.server.port, { maxVersion: 'TLSv1.2' })).rejects.toThrow();
    const { socket, protocol } = await shake(strict.server.port);
    expect(protocol).toBe('TLSv1.3');
    socket.destroy();
  });

  test.each(['AES128-SHA', 'AES256-GCM-SHA384', 'ECDHE-ECDSA-AES128-SHA'])(
    '%p is not an accepted cipher',
    async (cipher) => {
      const { server } = start();
      const tried = Bun.spawn(
        ['openssl', 's_client', '-connect', `127.0.0.1:${server.port}`, '-tls1_2', '-cipher', `${cipher}@SECLEVEL=0`],
        { stdin: new Uint8Array(), stderr: 'ignore' },
      );
      expect(await new Response(tried.stdout).text()).toContain('Cipher is (NONE)');
    },
  );
});

describe('connections without a request', () => {
  test('a handshake that is never finished ends with the time-out of a head, and its connection counts until then', async () => {
    const { server, url } = start({ headMs: 100, maxConnections: 3 });
    const silent = Array.from({ length: 3 }, () => connectPlain(server.port, '127.0.0.1'));
    const closed = silent.map((socket) => new Promise<void>((resolve) => socket.on('close', () => resolve())));
    for (const socket of silent) socket.on('error', () => {});
    silent[1]?.write(Buffer.from('16030102000100', 'hex'));
    await until('all are counted', () => server.connections() === 3);
    await expect(fetch(url, { tls: { ca: first.pem } })).rejects.toThrow();
    await Promise.all(closed);
    await until('none is counted', () => server.connections() === 0);
    expect((await fetch(url, { tls: { ca: first.pem } })).status).toBe(200);
  });

  test('plain HTTP gets no answer that could be read as HTTP', async () => {
    const { server } = start();
    const socket = connectPlain(server.port, '127.0.0.1');
    let text = '';
    socket.on('data', (piece: Buffer) => {
      text += piece.toString('latin1');
    });
    socket.on('error', () => {});
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await closed;
    expect(text).not.toContain('HTTP');
    await until('none is counted', () => server.connections() === 0);
  });

  test('a caller that closes its sending side gets its answer', async () => {
    const { server } = start();
    const { socket } = await shake(server.port);
    let text = '';
    socket.on('data', (piece: Buffer) => {
      text += piece.toString();
    });
    socket.end('GET /half HTTP/1.1\r\nHost: a\r\n\r\n');
    await until('the answer is there', () => text.includes('127.0.0.1'));
    expect(text).toEndWith('/half 0 127.0.0.1');
  });
});

describe('a new certificate', () => {
  test('is used for new connections, while old ones continue', async () => {
    const { server, show } = start();
    const old = await shake(server.port);
    show(second);
    const next = await shake(server.port);
    expect([old.shown, next.shown]).toEqual(['first', 'second']);
    expect(await answerOn(old.socket, '/old')).toContain('/old 0');
    old.socket.destroy();
    next.socket.destroy();
  });

  test('fails no call, however often the certificate is replaced', async () => {
    const { url, show } = start();
    const ca = [first.pem, second.pem];
    let isOver = false;
    let answered = 0;
    const caller = async () => {
      while (!isOver) {
        const answer = await fetch(`${url}/a`, { tls: { ca }, keepalive: answered % 3 > 0 });
        expect(await answer.text()).toBe('/a 0 127.0.0.1');
        answered += 1;
      }
    };
    const callers = Promise.all(Array.from({ length: 8 }, caller));
    for (let times = 1; times <= 20; times++) {
      show(times % 2 === 0 ? first : second);
      const goal = answered + 10;
      await until('calls continue', () => answered >= goal);
    }
    isOver = true;
    await callers;
    expect(answered).toBeGreaterThanOrEqual(200);
  });
});

test('TLS settings that are invalid end new connections, and no existing one', async () => {
  const { url, server, show, failures } = start();
  show({ ...first, key: second.key });
  await expect(fetch(url, { tls: { ca: first.pem } })).rejects.toThrow();
  expect(failures.length).toBeGreaterThan(0);
  expect(server.connections()).toBe(0);
  show(first);
  expect((await fetch(url, { tls: { ca: first.pem } })).status).toBe(200);
});

test('a drain completes an answer over TLS', async () => {
  const { url, server } = start();
  const answer = await fetch(`${url}/large`, { tls: { ca: first.pem } });
  const stopped = server.stop(10_000);
  expect((await answer.text()).length).toBe(large.length);
  expect(await stopped).toBe(0);
});
