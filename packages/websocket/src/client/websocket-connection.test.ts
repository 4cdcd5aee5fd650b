import { afterAll, afterEach, expect, test } from 'bun:test';
import { createTimerWheel } from '@flowgate/async/timer-wheel';
import { TurnBudget } from '@flowgate/async/turn-budget';
import { systemClock } from '@flowgate/base/clock';
import { systemRandomBytes } from '@flowgate/base/random';
import { TextContent } from '@flowgate/bytes/byte-content';
import { certificateMaker } from '@flowgate/testing/certificates';
import { closeFrame, frame } from '@flowgate/testing/frames';
import { endAll, endsWith } from '@flowgate/testing/raw-http1-server';
import {
  type RawSocketServerOptions,
  type SocketPeer,
  startRawSocketServer,
} from '@flowgate/testing/raw-socket-server';
import { createSteppingTurns } from '@flowgate/testing/stepping-turns';
import { until } from '@flowgate/testing/until';
import { maxControlFrames, WebSocketConnection } from './websocket-connection.ts';
import { type WebSocketOptions, webSocketOrigin } from './websocket-origin.ts';

const certificates = certificateMaker();
afterAll(certificates.remove);
afterEach(endAll);

/** The callbacks of a connection, one line each. */
function connect(url: string, options: Partial<WebSocketOptions> = {}) {
  const reported: string[] = [];
  const origin = webSocketOrigin({
    ...{ url, maxMessageBytes: 1_000_000, connectTimeoutMs: 2_000, randomBytes: systemRandomBytes },
    timerWheel: createTimerWheel(systemClock, 5),
    turns: new TurnBudget(systemClock),
    ...options,
  });
  const connection = new WebSocketConnection(origin, {
    opened: () => void reported.push('opened'),
    text: (content) => void reported.push(`text ${content.text()}`),
    large: () => ({ append: () => {}, done: () => void reported.push('large') }),
    notUtf8: () => {},
    ended: (end) => void reported.push(end.kind === 'refused' ? `refused ${end.status}` : `${end.kind} ${end.detail}`),
  });
  connection.dial();
  endsWith(() => connection.close());
  return { connection, reported };
}

/** A server that records its connections and control frames. */
function serve(options: RawSocketServerOptions = {}) {
  const controls: string[] = [];
  let peer: SocketPeer | undefined;
  const node = startRawSocketServer(
    (asked, its) => {
      peer = its;
      its.say(`{"id":${asked.id}}`);
    },
    { ...options, onControl: (kind) => void controls.push(kind) },
  );
  return { ...node, controls, peer: () => peer };
}
const hello = new TextContent('{"id":1,"method":"hello"}');

async function opened(options: Partial<WebSocketOptions> = {}) {
  const server = serve();
  const { connection, reported } = connect(server.url, options);
  await until('it is open', () => reported.length === 1);
  connection.send(hello);
  await until('it answers', () => reported.length === 2);
  expect(reported.splice(0)).toEqual(['opened', 'text {"id":1}']);
  const peer = server.peer();
  if (peer === undefined) throw new Error('no connection was made');
  return { ...server, connection, reported, peer };
}

test('a certificate of another name or of an unknown authority is refused, and the handshake is not sent', async () => {
  const { pem, key } = certificates.make('localhost');
  const tls = { cert: pem, key: await Bun.file(key).text() };
  const server = serve({ tls });
  const { port } = server;
  const strangers = [
    connect(`wss://127.0.0.1:${port}`),
    connect(`wss://node.example:${port}`, { address: '127.0.0.1', tls: { ca: pem } }),
  ];
  await until('both have ended', () => strangers.every(({ reported }) => reported.length > 0));
  for (const { reported } of strangers) {
    expect(reported).toHaveLength(1);
    expect(reported[0]).toMatch(/^connect [A-Z_]+$/);
  }
  expect(server.seen.requests).toEqual([]);
  const known = connect(`wss://localhost:${port}`, { tls: { ca: pem } });
  await until('it is open', () => known.reported.includes('opened'));
  const pinned = connect(`wss://localhost:${port}`, { address: '127.0.0.1', tls: { ca: pem } });
  await until('it is open', () => pinned.reported.includes('opened'));
});

test('a silent server gets a ping, and its connection ends without an answer (RFC 6455 5.5.2)', async () => {
  const { controls, reported, connection } = await opened({ silenceMs: 20 });
  // The server's library answers no ping by itself.
  await until('the connection ends', () => reported.length > 0);
  expect(reported).toEqual(['broken silent']);
  expect(controls).toEqual(['ping']);
  connection.close();
});

test('any frame counts as a sign of life, also a pong', async () => {
  const { controls, reported, peer } = await opened({ silenceMs: 100 });
  const pong = () => peer.write(frame('', { opcode: 10 }));
  for (let asked = 1; asked <= 3; asked++) {
    await until('it asks', () => controls.length >= asked);
    pong();
  }
  expect(reported).toEqual([]);
});

test('pings are answered with their content; during a flood, pongs wait until the server reads', async () => {
  const { controls, peer, reported, connection } = await opened();
  peer.write(frame('are you there', { opcode: 9 }));
  await until('it answers', () => controls.length === 1);
  expect(controls).toEqual(['pong']);
  peer.write(Buffer.concat(Array.from({ length: 20_000 }, () => frame('x'.repeat(125), { opcode: 9 }))));
  peer.say('{"id":2}');
  await until('it has read all', () => reported.length === 1);
  expect(connection.waitingBytes).toBeLessThan(40_000);
});

test.each([
  ['a close', closeFrame(1001, 'restart'), 'broken closed with 1001'],
  ['a close without a code', closeFrame(), 'broken closed with 1005'],
  ['reserved bits', frame('{}', { reserved: 1 }), 'malformed reserved bits'],
  ['text that is not UTF-8', frame(Buffer.from([0xff])), 'malformed not UTF-8'],
  ['a message over the limit', frame(Buffer.alloc(1_000_001, 'x')), 'malformed a message over the limit'],
])(
  '%s is answered with a close frame, and no later message is reported (RFC 6455 5.5.1, 7.1.7)',
  async (_what, bytes, end) => {
    const { controls, peer, reported, seen } = await opened();
    peer.write(Buffer.concat([bytes, frame('{"late":1}')]));
    await until('it has ended', () => reported.length > 0);
    await until('the server receives it', () => controls.includes('conclude') || seen.open === 0);
    expect(reported).toEqual([end]);
  },
);

test('a connection that is closed here sends a close frame, and reports nothing more', async () => {
  const { connection, controls, reported } = await opened();
  connection.close();
  connection.close();
  await until('the server receives it', () => controls.length === 1);
  expect([controls, reported]).toEqual([['conclude'], []]);
});

test('an endless head is refused, and interim responses are skipped', async () => {
  const endless = serve({ handshake: () => `HTTP/1.1 101 Switching Protocols\r\nX: ${'y'.repeat(20_000)}` });
  const long = connect(endless.url);
  await until('it has ended', () => long.reported.length > 0);
  expect(long.reported).toEqual(['malformed the head of the handshake is too large']);
  const early = serve({ handshake: (_request, accept) => `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${accept}` });
  const patient = connect(early.url);
  await until('it is open', () => patient.reported.length > 0);
  expect(patient.reported).toEqual(['opened']);
});

test('a URL or a header that cannot be sent throws an error that contains neither', () => {
  const fails = (options: Partial<WebSocketOptions>) => () => connect('ws://127.0.0.1:9', options);
  expect(fails({ url: 'http://secret.example' })).toThrow(/^a WebSocket client needs a valid ws or wss URL$/);
  expect(fails({ headers: { 'X-Key': 'secret\r\n' } })).toThrow(/^a header of a WebSocket client cannot be sent$/);
  expect(fails({ headers: { Upgrade: 'secret' } })).toThrow(/^a header of a WebSocket client cannot be sent$/);
});

test.each([9, 10])(
  'more control frames than there may be end the connection (opcode %p, contract/bounds#pieces: a node WebSocket: pings and pongs)',
  async (opcode) => {
    const { reported, peer, controls } = await opened({ silenceMs: 60_000 });
    const many = (count: number) => Buffer.concat(Array.from({ length: count }, () => frame('', { opcode })));
    peer.write(many(maxControlFrames));
    peer.say('{"id":7}');
    await until('they are read', () => reported.length > 0);
    expect(reported).toEqual(['text {"id":7}']);
    peer.write(many(10_000));
    await until('it ends', () => reported.length > 1);
    expect(reported.at(-1)).toBe('malformed too many control frames');
    await until('a close frame with the reason is sent', () => controls.includes('conclude'));
  },
);

test('messages that arrive in later turns than their bytes are read in order, and before the end of the connection', async () => {
  const { reported, peer } = await opened({ turns: createSteppingTurns() });
  const texts = Array.from({ length: 5_000 }, (_, nth) => `{"id":${nth}}`);
  peer.write(Buffer.concat(texts.map((text) => frame(text))));
  peer.write(closeFrame(1000));
  await until('it ends', () => reported.at(-1)?.startsWith('broken') === true);
  expect(reported).toEqual([...texts.map((text) => `text ${text}`), 'broken closed with 1000']);
});
