/** Tests of one connection over a fake socket: time-outs, pings, slow readers, order, and charged bytes. */

import { expect, test } from 'bun:test';
import { shareUnits, TurnBudget, workUnits } from '@flowgate/async/turn-budget';
import type { ChunkSource } from '@flowgate/bytes/buffered-body';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { TextContent } from '@flowgate/bytes/byte-content';
import { closeData, frame, opcodes } from '@flowgate/testing/raw-web-socket';
import { createSteppingTurns, sharesPerTurn } from '@flowgate/testing/stepping-turns';
import { controlFramesPerSecond, maxControlFrames } from './control-frame-rate.ts';
import type { MessageServer, SocketAnswer, SocketMessage } from './message-server.ts';
import { WebSocket } from './web-socket.ts';

type Reported = (answer: SocketAnswer | undefined) => void;

/** A connection whose socket accepts `room` bytes, and whose messages the test answers. */
function connection(
  given: {
    readonly room?: number;
    readonly bodyBytes?: number;
    readonly backlogBytes?: number;
    readonly expiresAtMs?: number;
    readonly turns?: TurnBudget;
  } = {},
) {
  let nowMs = 1_000;
  let room = given.room ?? Number.POSITIVE_INFINITY;
  let writes = 0;
  let sent: Buffer = Buffer.alloc(0);
  const events: string[] = [];
  const asked: { readonly message: SocketMessage; readonly reported: Reported }[] = [];
  const bodies = new ByteBudget({ totalBytes: given.bodyBytes ?? 10_000_000, ownerBytes: 10_000_000 });
  const backlog = new ByteBudget({ totalBytes: given.backlogBytes ?? 10_000_000, ownerBytes: 10_000_000 });
  const toFlush = new Set<WebSocket>();
  let inFlight = 0;
  const socket = new WebSocket(
    {
      write: (bytes) => bytes.length,
      writeRange(bytes, from, length) {
        writes += 1;
        const took = Math.min(room, length);
        room -= took;
        sent = Buffer.concat([sent, bytes.subarray(from, from + took)]);
        return took;
      },
      end: () => void events.push('end'),
      shutdown: () => void events.push('shutdown'),
      terminate: () => void events.push('terminate'),
      pause: () => void events.push('pause'),
      resume: () => void events.push('resume'),
      remoteAddress: '127.0.0.1',
    },
    () => nowMs,
    {
      limits: {
        maxMessageBytes: 1_000_000,
        messageMs: 30_000,
        writeMs: 20_000,
        minWriteBytesPerSecond: 8_192,
        maxWriteMs: 600_000,
      },
      userId: 'alice',
      bodies,
      backlog,
      chargedPieces: (_userId, content) => sourceOf([content.length], events),
      turns: given.turns ?? new TurnBudget({ monotonic: () => nowMs }),
      now: () => nowMs,
      expiresAtMs: given.expiresAtMs,
      flushSoon: (each) => void toFlush.add(each),
      left: () => void events.push('left'),
    },
  );
  const server: MessageServer = {
    serve(message, reported) {
      inFlight += 1;
      asked.push({
        message,
        reported(answer) {
          inFlight -= 1;
          reported(answer);
        },
      });
    },
    callsInFlight: () => inFlight,
    ended: () => void events.push('ended'),
  };
  socket.begin(server);
  return {
    socket,
    events,
    asked,
    bodies,
    backlog,
    sent: () => sent,
    writes: () => writes,
    take(bytes: number) {
      room = bytes;
      socket.drain();
    },
    flush() {
      for (const each of toFlush) each.flush();
      toFlush.clear();
    },
    at(ms: number) {
      nowMs = ms;
      socket.check(ms);
    },
    answer(text: string, nth = 0) {
      asked[nth]?.reported({ kind: 'content', content: new TextContent(text) });
    },
  };
}

/** Pieces of these lengths. */
function sourceOf(lengths: number[], events: string[]): ChunkSource {
  return {
    next: () => {
      const length = lengths.shift();
      return length === undefined ? undefined : Buffer.alloc(length, 'x');
    },
    release: () => void events.push('released'),
  };
}

const text = (data: string) => frame(opcodes.text, data);
const serverFrame = (opcode: number, data: string | Uint8Array, fin = true) =>
  frame(opcode, data, { masked: false, fin });

test('a ping every 30 seconds; a caller that sends nothing for 60 seconds is gone, and any frame is a sign of life', () => {
  const { socket, at, flush, sent, events } = connection();
  at(30_999);
  flush();
  expect(sent().length).toBe(0);
  at(31_000);
  at(31_500);
  flush();
  expect(sent()).toEqual(serverFrame(opcodes.ping, ''));
  socket.data(frame(opcodes.pong));
  at(91_499);
  expect(events).toEqual([]);
  at(91_500);
  expect(events).toEqual(['ended', 'left', 'terminate']);
});

test('a key that expires closes with 4001, a message that does not arrive in time with 1008', () => {
  const expiring = connection({ expiresAtMs: 5_000 });
  expiring.at(4_999);
  expect(expiring.sent().length).toBe(0);
  expiring.at(5_000);
  expect(expiring.sent().readUInt16BE(2)).toBe(4001);
  const late = connection();
  late.socket.data(frame(opcodes.text, '{', { fin: false }));
  late.at(20_000);
  late.socket.data(Buffer.concat([frame(opcodes.ping), frame(opcodes.more, ' ', { fin: false })]));
  late.at(31_001);
  expect(late.sent().subarray(-50).includes(closeData(1008))).toBe(true);
  // Nothing is answered any more, and the connection closes even if the other side stays.
  late.socket.data(text('late'));
  expect(late.asked).toEqual([]);
  late.at(42_000);
  expect(late.events).toContain('terminate');
});

test('messages begin within the turn budget, at most 100 calls are in flight, and nothing more is read meanwhile (contract/bounds#waiting: calls of a WebSocket)', async () => {
  const { socket, asked, events, answer } = connection({ turns: createSteppingTurns() });
  socket.data(Buffer.concat(Array.from({ length: 4_000 }, (_, at) => text(`m${at}`))));
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.length).toBeLessThanOrEqual((sharesPerTurn * shareUnits) / workUnits.request);
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  expect(asked.length).toBe(100);
  expect(events).toEqual(['pause']);
  for (let nth = 0; nth < 4_000; nth++) {
    answer('a', nth);
    if (nth % 10 === 0) await new Promise(setImmediate);
  }
  await new Promise(setImmediate);
  expect(asked.map(({ message }) => String(message.bytes))).toEqual(Array.from({ length: 4_000 }, (_, at) => `m${at}`));
  expect(events).toEqual(['pause', 'resume']);
});

test('a caller that reads nothing gets at most 1 MiB of notifications, and then 4008 behind them; all of it is charged (contract/bounds#waiting: messages to a WebSocket)', () => {
  const { socket, take, flush, sent, events, backlog } = connection({ room: 10 });
  const notification = new TextContent('n'.repeat(1_000));
  let reported = 0;
  while (socket.isOpen && reported < 2_000) {
    socket.notify(notification);
    reported += 1;
    if (reported % 50 === 0) flush();
  }
  expect(reported).toBeGreaterThan(1_000);
  expect(reported).toBeLessThan(1_100);
  expect(backlog.reservedBytes).toBeGreaterThan(0);
  take(Number.POSITIVE_INFINITY);
  expect(sent().includes(closeData(4008))).toBe(true);
  expect(backlog.reservedBytes).toBe(0);
  socket.data(frame(opcodes.close, closeData(4008)));
  expect(events).toEqual(['shutdown']);
  socket.end();
  expect(events).toEqual(['shutdown', 'ended', 'left', 'terminate']);
});

test('a hundred answers in flight when the socket accepts no more wait like large ones: the caller is not a slow reader', async () => {
  const { socket, asked, answer, take, sent, events } = connection({ room: 0 });
  for (let at = 0; at < 100; at++) socket.data(text(`m${at}`));
  expect(asked.length).toBe(100);
  for (let nth = 0; nth < 100; nth++) answer('a'.repeat(60_000), nth);
  expect(socket.isOpen).toBe(true);
  take(Number.POSITIVE_INFINITY);
  while (sent().length < 6_000_000) await new Promise(setImmediate);
  expect(socket.isOpen).toBe(true);
  expect(events.filter((event) => event === 'released')).toEqual([]);
});

test('a large answer is sent in fragments as the caller fetches it, with a pong between them, and the next message after it', () => {
  const { socket, asked, answer, take, sent, events } = connection({ room: 100 });
  socket.data(Buffer.concat([text('large'), text('small')]));
  asked[0]?.reported({ kind: 'large', source: sourceOf([500, 400], events) });
  answer('after', 1);
  socket.data(frame(opcodes.ping, 'p'));
  take(Number.POSITIVE_INFINITY);
  const [first, second] = [Buffer.alloc(500, 'x'), Buffer.alloc(400, 'x')];
  const { text: opening, more, pong } = opcodes;
  expect(sent().toString('latin1')).toBe(
    Buffer.concat([
      serverFrame(opening, first, false),
      serverFrame(pong, 'p'),
      serverFrame(more, second, false),
      serverFrame(more, ''),
      serverFrame(opening, 'after'),
    ]).toString('latin1'),
  );
});

test('a caller that fetches everything at once lets other connections send between the megabytes of an answer', async () => {
  const { socket, asked, sent, events } = connection();
  socket.data(text('large'));
  const pieces = Array.from({ length: 64 }, () => 65_536);
  asked[0]?.reported({ kind: 'large', source: sourceOf(pieces, events) });
  for (const max of [1, 2, 3]) {
    expect(sent().length).toBeGreaterThan(max * 1_000_000);
    expect(sent().length).toBeLessThan(max * 1_200_000);
    await new Promise(setImmediate);
  }
  while (sent().length < 64 * 65_536) await new Promise(setImmediate);
  expect(socket.isOpen).toBe(true);
});

test('bytes that wait for a caller that fetches nothing are released after the time-out', () => {
  const { socket, asked, at, events } = connection({ room: 100 });
  socket.data(text('large'));
  asked[0]?.reported({ kind: 'large', source: sourceOf([500, 400], events) });
  socket.data(frame(opcodes.pong));
  at(21_000);
  expect(events).toEqual([]);
  at(21_001);
  expect(events).toEqual(['released', 'ended', 'left', 'terminate']);
});

test('a caller that repeatedly fetches a little of a large answer is cut off (contract/bounds#slow-readers)', () => {
  const { socket, asked, at, take, events } = connection({ room: 100 });
  socket.data(text('large'));
  const pieces = Array.from({ length: 64 }, () => 65_536);
  asked[0]?.reported({ kind: 'large', source: sourceOf(pieces, events) });
  let seconds = 0;
  for (; !events.includes('terminate') && seconds < 3_600; seconds += 0.5) {
    if (seconds > 0 && seconds % 12 === 0) take(73_728);
    at(1_000 + seconds * 1_000);
  }
  expect(seconds - 0.5).toBe(20.5);
  expect(events).toEqual(['released', 'ended', 'left', 'terminate']);
});

test('while no message is accepted a little is read ahead, and a paused connection gets pongs, so that a lost caller is detected', async () => {
  const { socket, sent, at, events } = connection();
  for (let nth = 0; nth < 100; nth++) socket.data(text(`${nth}`));
  socket.data(text('waits'));
  socket.data(text('waits, too'));
  at(3_000);
  expect(events).toEqual([]);
  expect(sent().length).toBe(0);
  socket.data(text('x'.repeat(20_000)));
  expect(events).toEqual(['pause']);
  at(3_500);
  at(4_000);
  at(5_000);
  expect(sent().toString('hex')).toBe('8a00'.repeat(2));
});

test('notifications never overtake an earlier answer, nor does a later answer overtake them', () => {
  const { socket, answer, flush, sent } = connection();
  socket.data(Buffer.concat([text('subscribe'), text('unsubscribe')]));
  answer('id');
  socket.notify(new TextContent('one'));
  socket.notify(new TextContent('two'));
  answer('over', 1);
  flush();
  const all = ['id', 'one', 'two', 'over'].map((each) => serverFrame(opcodes.text, each));
  expect(sent()).toEqual(Buffer.concat(all));
});

test('messages in flight are charged to their user, and without room the connection closes with 1013', () => {
  const { socket, bodies, sent, events } = connection({ bodyBytes: 300_000 });
  const whole = frame(opcodes.text, 'x'.repeat(900_000));
  for (let at = 0; at < 250_000; at += 1_000) socket.data(Buffer.from(whole.subarray(at, at + 1_000)));
  expect(bodies.reservedBytes).toBeGreaterThan(250_000);
  expect(bodies.reservedBytes).toBeLessThan(300_000);
  for (let at = 250_000; at < 350_000; at += 1_000) socket.data(Buffer.from(whole.subarray(at, at + 1_000)));
  expect(sent().includes(closeData(1013))).toBe(true);
  socket.terminate();
  expect(bodies.reservedBytes).toBe(0);
  expect(events).toContain('left');
});

test('a message is charged until it was answered', () => {
  const { socket, bodies, answer } = connection();
  socket.data(frame(opcodes.text, 'x'.repeat(200_000)));
  expect(bodies.reservedBytes).toBeGreaterThanOrEqual(200_000);
  answer('done');
  expect(bodies.reservedBytes).toBe(0);
});

test('leaving closes once nothing is in progress, and begins nothing meanwhile', () => {
  const { socket, answer, asked, sent } = connection();
  socket.data(text('one'));
  socket.leave(1012, 'bye');
  socket.data(text('two'));
  expect(sent().length).toBe(0);
  answer('a');
  expect(asked.length).toBe(1);
  expect(sent()).toEqual(
    Buffer.concat([serverFrame(opcodes.text, 'a'), serverFrame(opcodes.close, closeData(1012, 'bye'))]),
  );
});

test('an answer that arrives after the end is released', () => {
  const { socket, asked, events } = connection();
  socket.data(text('large'));
  socket.closed();
  asked[0]?.reported({ kind: 'large', source: sourceOf([1], events) });
  expect(events).toEqual(['ended', 'left', 'released']);
});

test.each([opcodes.ping, opcodes.pong])(
  'more control frames than there may be close the connection (opcode %p, contract/bounds#pieces: a WebSocket: pings and pongs)',
  async (opcode) => {
    const { socket, sent, at, events } = connection();
    const some = (count: number) => socket.data(Buffer.concat(Array.from({ length: count }, () => frame(opcode))));
    some(maxControlFrames);
    at(2_000);
    some(controlFramesPerSecond);
    expect(socket.isOpen).toBe(true);
    const answered = sent().length;
    some(2_000);
    expect(sent().subarray(answered).includes(closeData(1008))).toBe(true);
    expect(sent().length).toBeLessThan(answered + 100);
    expect(events).toContain('shutdown');
  },
);

test.each([1, 2, 4, 8])(
  'control frames before a large answer need few writes, for any number of frames (%p/8)',
  (eighths) => {
    const { socket, asked, events, take, writes, sent } = connection({ room: 0 });
    socket.data(text('large'));
    asked[0]?.reported({ kind: 'large', source: sourceOf([10], events) });
    const before = writes();
    for (let at = 0; at < eighths; at++)
      socket.data(Buffer.concat(Array.from({ length: 12 }, () => frame(opcodes.ping))));
    const whileFull = writes() - before;
    take(Number.POSITIVE_INFINITY);
    expect(writes() - before - whileFull).toBeLessThan(4 * eighths + 8);
    expect(sent().length).toBe(12 * eighths * 2 + 12 + 2);
  },
);

const closings: readonly (readonly [string, number, (socket: WebSocket) => void])[] = [
  ['a revoked key', 4001, (socket) => socket.close(4001, 'revoked')],
  ['a close frame of the caller', 1000, (socket) => socket.data(frame(opcodes.close, closeData(1000)))],
  ['a frame that is not valid', 1002, (socket) => socket.data(frame(3))],
  [
    'a slow reader',
    4008,
    (socket) => {
      for (let at = 0; at < 1_100; at++) socket.notify(new TextContent('n'.repeat(1_000)));
    },
  ],
];

test.each(closings)(
  '%s: nothing follows the close frame, not even the rest of a large answer',
  async (_name, code, end) => {
    const { socket, asked, answer, events, take, sent, backlog } = connection({ room: 100 });
    socket.data(Buffer.concat([text('large'), text('small')]));
    asked[0]?.reported({ kind: 'large', source: sourceOf([500, 400], events) });
    answer('behind it', 1);
    end(socket);
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
    take(Number.POSITIVE_INFINITY);
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
    const begun = serverFrame(opcodes.text, Buffer.alloc(500, 'x'), false);
    expect(sent().subarray(0, begun.length)).toEqual(begun);
    const last = sent().subarray(begun.length);
    expect([last[0], last.readUInt16BE(2), last.length]).toEqual([0x80 | opcodes.close, code, 2 + (last[1] ?? 0)]);
    expect(events).toContain('released');
    socket.terminate();
    expect(backlog.reservedBytes).toBe(0);
  },
);

test('leaving closes once its large answers were sent', async () => {
  const { socket, asked, events, take, sent } = connection({ room: 100 });
  socket.data(text('large'));
  socket.leave(1012, 'bye');
  asked[0]?.reported({ kind: 'large', source: sourceOf([500, 400], events) });
  take(600);
  expect(sent().includes(closeData(1012))).toBe(false);
  take(Number.POSITIVE_INFINITY);
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
  expect(sent()).toEqual(
    Buffer.concat([
      serverFrame(opcodes.text, Buffer.alloc(500, 'x'), false),
      serverFrame(opcodes.more, Buffer.alloc(400, 'x'), false),
      serverFrame(opcodes.more, ''),
      serverFrame(opcodes.close, closeData(1012, 'bye')),
    ]),
  );
});

test.each([10_000_000, 0])(
  'a caller that fetches everything is not slow because many notifications arrive in one turn, or because other callers use the budget (%p bytes)',
  (backlogBytes) => {
    const { socket, flush, sent } = connection({ backlogBytes });
    for (let at = 0; at < 3_000; at++) socket.notify(new TextContent('n'.repeat(1_000)));
    flush();
    expect(socket.isOpen).toBe(true);
    expect(sent().length).toBe(3_000 * 1_004);
  },
);
