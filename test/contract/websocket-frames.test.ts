/**
 * The cases of the Autobahn test suite for servers (sections 1 to 7, 9 and 10), sent as bytes to a gateway's port:
 * valid messages are answered, and invalid ones close the connection with the code of RFC 6455.
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { closeData, frame, opcodes, openRawWebSocket, type RawWebSocket } from '@flowgate/testing/raw-web-socket';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

const { more, text, binary, close, ping, pong } = opcodes;
const maxBodyBytes = 200_000;

let gateway: RunningGateway;
let path: string;

beforeAll(async () => {
  gateway = await startGateway({
    config: { limits: { userPerMinute: 100_000, maxBodyBytes, webSocketsPerUser: 1_000 }, log: { requests: 'none' } },
  });
  path = `/rpc/${(await gateway.mint()).apiKey}`;
});
afterAll(() => gateway.stop());

const call = (params = '"x"', id = 1) => `{"jsonrpc":"2.0","id":${id},"method":"eth_call","params":[${params}]}`;
const answerTo = (params = '"x"', id = 1) =>
  `{"jsonrpc":"2.0","id":${id},"result":{"method":"eth_call","params":[${params}]}}`;

/**
 * `answer`: the expected text; the connection stays open. `code`: the code of the close frame, after which the gateway
 * closes the connection.
 */
type Case = readonly [name: string, frames: readonly Buffer[], expected: { answer: string } | { code: string }];

const whole = call();
const [head, tail] = [whole.slice(0, 20), whole.slice(20)];
const ok = { answer: answerTo() };
const wrong = { code: '1002' };
/** A text that is split inside a character, and texts that are not UTF-8. */
const greek = Buffer.from(call('"κόσμε"'));
const greekCut = greek.indexOf(Buffer.from('κ')) + 1;
const notUtf8 = [
  ['an invalid byte', Buffer.from([0x22, 0xff, 0x22])],
  ['a lone continuation byte', Buffer.from([0x22, 0x80, 0x22])],
  ['a surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ['an overlong slash', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
  ['an overlong zero', Buffer.from([0x22, 0xe0, 0x80, 0x80, 0x22])],
  ['beyond U+10FFFF', Buffer.from([0x22, 0xf4, 0x90, 0x80, 0x80, 0x22])],
  ['five bytes', Buffer.from([0x22, 0xf8, 0x88, 0x80, 0x80, 0x80, 0x22])],
  ['a character that is cut off', Buffer.from([0x22, 0xce, 0xba, 0xe1])],
] as const;
const validCodes = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999];
const invalidCodes = [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535];

const cases: readonly Case[] = [
  // 1: framing.
  ...[0, 125, 126, 127, 128, 65_535, 65_536].map((length): Case => {
    const params = `"${'x'.repeat(Math.max(0, length - call('""').length))}"`;
    return [`1.1 text of about ${length} bytes`, [frame(text, call(params))], { answer: answerTo(params) }];
  }),
  ['1.1.1 empty text', [frame(text, '')], { answer: errorOf('the body is not valid JSON, or is nested too deeply') }],
  ['1.2 binary', [frame(binary, whole)], { answer: errorOf('Binary messages are not supported: send text.') }],
  // 2: pings.
  ['2.6 a ping in one byte after another is answered', [frame(ping, 'p'), frame(text, whole)], ok],
  ['2.5 a ping of 126 bytes', [frame(ping, 'x'.repeat(126))], wrong],
  ['2.7 a pong that no one asked for', [frame(pong), frame(pong, 'unasked'), frame(text, whole)], ok],
  ['2.10 ten pings', [...Array.from({ length: 10 }, (_, at) => frame(ping, `p${at}`)), frame(text, whole)], ok],
  // 3: reserved bits.
  ...[1, 2, 3, 4, 5, 6, 7].map((rsv): Case => [`3 reserved bits ${rsv}`, [frame(text, whole, { rsv })], wrong]),
  ['3 a reserved bit on a ping', [frame(ping, '', { rsv: 2 })], wrong],
  ['3 a reserved bit on a close', [frame(close, '', { rsv: 4 })], wrong],
  // 4: reserved opcodes.
  ...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map((opcode): Case => [`4 opcode ${opcode}`, [frame(opcode, 'x')], wrong]),
  // 5: fragments.
  ['5.1 a ping in fragments', [frame(ping, 'a', { fin: false }), frame(more, 'b')], wrong],
  ['5.2 a pong in fragments', [frame(pong, 'a', { fin: false }), frame(more, 'b')], wrong],
  ['5.3 two fragments', [frame(text, head, { fin: false }), frame(more, tail)], ok],
  ['5.6 a ping between them', [frame(text, head, { fin: false }), frame(ping, 'p'), frame(more, tail)], ok],
  ['5.9 a continuation of nothing', [frame(more, 'x'), frame(text, whole)], wrong],
  ['5.11 an unfinished continuation of nothing', [frame(more, 'x', { fin: false })], wrong],
  [
    '5.15 a continuation after the last',
    [frame(text, head, { fin: false }), frame(more, tail), frame(more, 'x')],
    wrong,
  ],
  ['5.18 text within fragments', [frame(text, head, { fin: false }), frame(text, tail)], wrong],
  [
    '5.19 five fragments, some empty',
    [
      frame(text, '', { fin: false }),
      frame(more, head, { fin: false }),
      frame(ping),
      frame(more, '', { fin: false }),
      frame(more, tail, { fin: false }),
      frame(more),
    ],
    ok,
  ],
  // 6: UTF-8.
  ['6.2 text beyond ASCII', [frame(text, greek)], { answer: answerTo('"κόσμε"') }],
  [
    '6.2.3 a character in two fragments',
    [frame(text, greek.subarray(0, greekCut), { fin: false }), frame(more, greek.subarray(greekCut))],
    { answer: answerTo('"κόσμε"') },
  ],
  [
    '6.2.4 each byte a fragment',
    [
      frame(text, '', { fin: false }),
      ...[...greek].map((byte) => frame(more, Uint8Array.of(byte), { fin: false })),
      frame(more),
    ],
    { answer: answerTo('"κόσμε"') },
  ],
  ...notUtf8.map(([name, bytes]): Case => [`6.3 ${name}`, [frame(text, bytes)], { code: '1007' }]),
  [
    '6.4 an invalid byte in the last fragment',
    [frame(text, greek, { fin: false }), frame(more, Uint8Array.of(0xff))],
    { code: '1007' },
  ],
  // 7: closing.
  ['7.1.1 a message, then close', [frame(close, closeData(1000))], { code: '1000' }],
  ['7.1.2 two closes', [frame(close, closeData(1000)), frame(close, closeData(1001))], { code: '1000' }],
  ['7.1.4 text after close', [frame(close, closeData(1000)), frame(text, whole)], { code: '1000' }],
  [
    '7.1.5 a close between fragments',
    [frame(text, head, { fin: false }), frame(close, closeData(1000)), frame(more, tail)],
    { code: '1000' },
  ],
  ['7.3.1 no code', [frame(close)], { code: '' }],
  ['7.3.2 half a code', [frame(close, 'x')], wrong],
  ['7.3.4 a reason', [frame(close, closeData(1000, 'done'))], { code: '1000' }],
  ['7.3.5 the longest reason', [frame(close, closeData(1000, 'x'.repeat(123)))], { code: '1000' }],
  ['7.3.6 a longer reason', [frame(close, closeData(1000, 'x'.repeat(124)))], wrong],
  ['7.5.1 a reason that is not UTF-8', [frame(close, Buffer.from([3, 232, 0xff, 0xfe]))], { code: '1007' }],
  ...validCodes.map((code): Case => [`7.7 code ${code}`, [frame(close, closeData(code))], { code: `${code}` }]),
  ...invalidCodes.map((code): Case => [`7.9 code ${code}`, [frame(close, closeData(code))], wrong]),
  // 9: limits.
  [
    '9 a message over the limit (contract/bounds#sizes: a WebSocket message)',
    [frame(text, 'x'.repeat(maxBodyBytes + 1))],
    { code: '1009' },
  ],
  ['9 a frame that says it is over the limit', [frame(text, 'x', { length: maxBodyBytes + 1 })], { code: '1009' }],
  ['9 a frame of 2^62 bytes', [frame(text, 'x', { length: 2 ** 62 })], { code: '1009' }],
  [
    '9 fragments that are together over the limit',
    [frame(text, 'x'.repeat(maxBodyBytes - 1), { fin: false }), frame(more, 'xx')],
    { code: '1009' },
  ],
  [
    '9 more fragments than there may be (contract/bounds#pieces: a WebSocket message: fragments)',
    [frame(text, 'x', { fin: false }), ...Array.from({ length: 1_100 }, () => frame(more, 'x', { fin: false }))],
    { code: '1008' },
  ],
  // Section 5.1 of the RFC: a client masks its frames.
  ['no mask', [frame(text, whole, { masked: false })], wrong],
  ['no mask on a close', [frame(close, closeData(1000), { masked: false })], wrong],
];

function errorOf(detail: string): string {
  return `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error.","data":{"detail":${JSON.stringify(detail)}}}}`;
}

async function evaluate(socket: RawWebSocket, expected: Case[2]): Promise<void> {
  if ('answer' in expected) {
    expect(await socket.nextText()).toBe(expected.answer);
    socket.send(frame(ping, 'alive'));
    for (let next = await socket.next(); String(next?.data) !== 'alive'; next = await socket.next())
      expect(next?.opcode).toBe(pong);
    return;
  }
  expect((await socket.closing())?.split(' ')[0]).toBe(expected.code);
  await socket.ended;
}

describe.each(['in one write', 'frame by frame'])('%s', (manner) => {
  test.each(cases)('%s', async (_name, frames, expected) => {
    const socket = await openRawWebSocket(gateway.port, path);
    try {
      if (manner === 'in one write') socket.send(Buffer.concat(frames));
      else
        for (const each of frames) {
          socket.send(each);
          await new Promise(setImmediate);
        }
      await evaluate(socket, expected);
    } finally {
      socket.close();
    }
  });
});

test.each(cases.filter(([, frames]) => Buffer.concat(frames).length < 400))(
  'byte by byte: %s',
  async (_name, frames, expected) => {
    const socket = await openRawWebSocket(gateway.port, path);
    try {
      const evaluating = evaluate(socket, expected);
      await socket.sendSlowly(Buffer.concat(frames));
      await evaluating;
    } finally {
      socket.close();
    }
  },
);

test('2.2 to 2.11 each ping is answered by a pong with its data, in order', async () => {
  const socket = await openRawWebSocket(gateway.port, path);
  const sent = ['', 'Hello', '\0\xff\xfe', 'x'.repeat(125)];
  socket.send(Buffer.concat(sent.map((data) => frame(ping, Buffer.from(data, 'latin1')))));
  const received: string[] = [];
  while (received.length < sent.length) received.push(String((await socket.next())?.data.toString('latin1')));
  expect(received).toEqual(sent);
  socket.close();
});

test('frames in the same write as the handshake are read, and the handshake conforms to RFC 6455', async () => {
  const socket = await openRawWebSocket(gateway.port, path, {}, frame(text, whole));
  expect(socket.head.toLowerCase()).toStartWith('http/1.1 101 switching protocols\r\n');
  expect(socket.head).toContain('\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n');
  expect(socket.head).toContain('\r\nConnection: Upgrade\r\n');
  expect(socket.head).toContain('\r\nUpgrade: websocket\r\n');
  expect(socket.head).not.toContain('Extensions');
  expect(await socket.nextText()).toBe(answerTo());
  socket.close();
});
