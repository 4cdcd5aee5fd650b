/**
 * A connection on which HTTP ends: what the server hands over, on plain TCP and TLS, and what it continues to count.
 */

import { afterAll, afterEach, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { connect, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { startBareServer } from '@flowgate/testing/bare-http-server';
import { certificateMaker } from '@flowgate/testing/certificates';
import { until } from '@flowgate/testing/until';
import type { HttpServer } from './http-server.ts';
import type { OutgoingReply } from './incoming-request.ts';
import type { ConnectionSocket, TakenConnection, TakeOver } from './taken-connection.ts';

const maker = certificateMaker();
const made = maker.make('upgrade');
const servers: HttpServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(0);
});
afterAll(() => maker.remove());

/** Sends back what it receives, in capitals, and records its callbacks. */
class Echo implements TakenConnection {
  readonly isAnswering = true;
  readonly reported: string[] = [];

  constructor(private readonly socket: ConnectionSocket) {}

  data(piece: Buffer): void {
    const text = piece.toString().toUpperCase();
    this.reported.push(text);
    this.socket.write(text);
  }

  end(): void {
    this.reported.push('end');
    this.socket.end();
  }

  drain(): void {}

  closed(): void {
    this.reported.push('closed');
  }

  check(): void {
    if (!this.reported.includes('check')) this.reported.push('check');
  }

  terminate(): void {
    this.socket.terminate();
  }
}

const request = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n';

function start({ tls = false, delay = Promise.resolve() } = {}) {
  const echoes: Echo[] = [];
  const abandoned: string[] = [];
  const takeOver: TakeOver = {
    begin(socket) {
      const echo = new Echo(socket);
      echoes.push(echo);
      return echo;
    },
    abandon: () => void abandoned.push('abandoned'),
  };
  const switching: OutgoingReply = { status: 101, headers: { Upgrade: 'echo' }, body: null, takeOver };
  const server = startBareServer(
    {
      async handle({ upgrade }): Promise<OutgoingReply> {
        await delay;
        return upgrade === 'echo' ? switching : { status: 200, headers: {}, body: `${upgrade}` };
      },
      refuse: ({ status }) => ({ status, headers: {}, body: null }),
    },
    tls
      ? {
          tls: () => ({
            cert: made.pem,
            key: readFileSync(made.key, 'utf8'),
            ciphers: 'ECDHE+AESGCM',
            secureOptions: 0,
          }),
        }
      : {},
  );
  servers.push(server);
  let text = '';
  const socket = tls
    ? connectTls({ port: server.port, host: '127.0.0.1', ca: [made.pem] })
    : connect({ port: server.port, host: '127.0.0.1' });
  socket.on('data', (piece: Buffer) => {
    text += piece.toString();
  });
  socket.on('error', () => {});
  return { server, socket, echoes, abandoned, text: () => text };
}

test.each([false, true])(
  'the bytes behind the request belong to the next protocol, as do all later bytes (TLS %p)',
  async (tls) => {
    const { server, socket, echoes, text } = start({ tls });
    socket.write(`${request}first`);
    await until(() => text().includes('FIRST'));
    expect(text()).toMatch(
      /^HTTP\/1\.1 101 Switching Protocols\r\nDate: [^\r]+\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nFIRST$/,
    );
    socket.write('GET / HTTP/1.1\r\n\r\n');
    await until(() => text().endsWith('\r\n\r\n') && text().includes('GET /'));
    expect(server.connections()).toBe(1);
    await until('it is checked', () => echoes[0]?.reported.includes('check') === true);
    socket.end();
    await until('it is gone', () => server.connections() === 0);
    expect(echoes[0]?.reported.slice(-2)).toEqual(['end', 'closed']);
  },
);

test('an earlier request on the connection is answered first, and its answer is complete', async () => {
  const { socket, text } = start();
  socket.write(`GET /a HTTP/1.1\r\nHost: x\r\n\r\n${request}after`);
  await until(() => text().endsWith('AFTER'));
  expect(text()).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*undefinedHTTP\/1\.1 101 /);
  socket.destroy();
});

test('a caller that disconnects before the answer is never handed over', async () => {
  const gate = Promise.withResolvers<void>();
  const { server, socket, echoes, abandoned } = start({ delay: gate.promise });
  socket.write(request);
  await until(() => server.connections() === 1);
  if (socket instanceof Socket) socket.resetAndDestroy();
  await until(() => server.connections() === 0);
  gate.resolve();
  await until(() => abandoned.length === 1);
  expect(echoes).toEqual([]);
});

test('a stop waits for the connection, and then ends it', async () => {
  const { server, socket, echoes, text } = start();
  socket.write(`${request}x`);
  await until(() => text().endsWith('X'));
  expect(await server.stop(50)).toBe(1);
  await until(() => echoes[0]?.reported.includes('closed') === true);
  expect(server.connections()).toBe(0);
  socket.destroy();
});

test("the request can be read until the connection is taken over, because a proxy's header names the caller", async () => {
  const read: (string | null)[] = [];
  const server = startBareServer({
    async handle(given): Promise<OutgoingReply> {
      const readAddress = () => read.push(given.header('x-forwarded-for'));
      const takeOver: TakeOver = {
        begin(socket) {
          readAddress();
          return new Echo(socket);
        },
        abandon: () => {},
      };
      readAddress();
      return { status: 101, headers: {}, body: null, takeOver };
    },
    refuse: ({ status }) => ({ status, headers: {}, body: null }),
  });
  servers.push(server);
  const socket = connect({ port: server.port, host: '127.0.0.1' });
  socket.on('error', () => {});
  socket.write(request.replace('Host: x', 'Host: x\r\nX-Forwarded-For: 203.0.113.1'));
  await until(() => read.length === 2);
  expect(read).toEqual(['203.0.113.1', '203.0.113.1']);
  socket.destroy();
});
