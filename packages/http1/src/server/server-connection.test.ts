import { expect, test } from 'bun:test';
import { shareUnits } from '@flowgate/async/turn-budget';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { createSteppingTurns, sharesPerTurn } from '@flowgate/testing/stepping-turns';
import { until } from '@flowgate/testing/until';
import { freeChunks, minAverageChunkBytes } from '../client/chunked-decoder.ts';
import { tooManyChunks } from './incoming-body.ts';
import type { OutgoingReply, RequestBody } from './incoming-request.ts';
import { ServerConnection } from './server-connection.ts';

const waitingBytes = new ByteBudget({ totalBytes: 1_000_000_000, ownerBytes: 1_000_000_000 });
const answer: OutgoingReply = { status: 204, headers: {}, body: null };

/**
 * A connection over a socket that accepts everything at once and records the calls to it. `reads`: the handler reads
 * the content, and answers after that.
 */
function connection(
  settle: (answer: OutgoingReply) => OutgoingReply | Promise<OutgoingReply>,
  reads: boolean | ((failure: unknown) => void) = false,
  turns = createSteppingTurns(),
) {
  const asked = { pause: 0, resume: 0, handled: 0, read: 0, end: 0 };
  const readAll = async (body: RequestBody) => {
    for (let piece = await body.next(); piece !== undefined; piece = await body.next()) asked.read += piece.length;
  };
  const made = new ServerConnection(
    {
      write: (bytes) => bytes.length,
      writeRange: (_bytes, _from, length) => length,
      end: () => void asked.end++,
      shutdown: () => {},
      terminate: () => {},
      pause: () => void asked.pause++,
      resume: () => void asked.resume++,
      remoteAddress: '127.0.0.1',
      owner: '127.0.0.1',
      pass: () => {},
    },
    {
      handler: {
        handle({ body }) {
          asked.handled += 1;
          if (reads === false) return settle(answer);
          const read = readAll(body);
          return (reads === true ? read : read.catch(reads)).then(() => settle(answer));
        },
        refuse: () => answer,
      },
      nowMs: () => 0,
      turns,
      dateLine: () => '',
      isDraining: () => false,
      isHandingOver: () => false,
      timeouts: {
        headMs: 1_000,
        idleMs: 1_000,
        writeMs: 1_000,
        minWriteBytesPerSecond: 8_192,
        maxWriteMs: 600_000,
        discardMs: 1_000,
      },
      waitingBytes,
      failed: (cause) => {
        throw cause;
      },
    },
  );
  return { made, asked };
}

test.each([
  ['at once', (reply: OutgoingReply) => reply],
  ['later', (reply: OutgoingReply) => Promise.resolve(reply)],
] as const)(
  'while more requests wait for their turn than may be buffered, the socket is paused, once; answered %s',
  async (_how, settle) => {
    const { made, asked } = connection(settle);
    const count = 10_000;
    made.data(Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(count)));
    expect(asked).toMatchObject({ pause: 1, resume: 0 });
    expect(asked.handled).toBeLessThan(100);
    await until(() => asked.handled === count);
    expect(asked).toMatchObject({ pause: 1, resume: 1 });
  },
);

const soon = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Each byte of a chunk's frame is charged, so that a turn ends after a bounded number of one-byte chunks. */
const maxChunkedInATurn = sharesPerTurn * shareUnits;

test('chunked content is read in turns: a turn ends after a bounded part of it, and the socket is paused meanwhile', async () => {
  const { made, asked } = connection((reply) => reply, true);
  const chunk = '1\r\nx\r\n';
  const piece = Buffer.from(chunk.repeat(freeChunks));
  made.data(Buffer.from('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'));
  const before = asked.read;
  made.data(piece);
  expect(asked).toMatchObject({ pause: 1, resume: 0 });
  await Promise.resolve();
  let turns = 0;
  for (let read = before; asked.read < freeChunks; turns++) {
    await soon();
    expect((asked.read - read) * chunk.length).toBeLessThan(maxChunkedInATurn);
    read = asked.read;
  }
  expect(turns).toBeGreaterThan(2);
  made.data(Buffer.from('0\r\n\r\n'));
  await until(() => asked.read === piece.length / chunk.length);
});

test('a hundred connections with one-byte chunks share one turn, and a small request is answered before their rest', async () => {
  const turns = createSteppingTurns();
  const chunksOfEach = 20_000;
  const piece = Buffer.from('1\r\nx\r\n'.repeat(chunksOfEach));
  const floods = Array.from({ length: 100 }, () => connection((reply) => reply, true, turns));
  for (const { made } of floods) {
    made.data(Buffer.from('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'));
    made.data(piece);
  }
  const other = connection((reply) => reply, false, turns);
  await soon();
  other.made.data(Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
  expect(other.asked.handled).toBe(0);
  // It waits for the first share of the earlier connections, not for all that they have sent.
  let turnsUntil = 0;
  for (; other.asked.handled === 0; turnsUntil++) await soon();
  expect(turnsUntil).toBeLessThanOrEqual(2 * floods.length);
  expect(floods.some(({ asked }) => asked.read < chunksOfEach)).toBe(true);
  await until(() => floods.every(({ asked }) => asked.read === chunksOfEach));
});

test('content with a length is read as it arrives', async () => {
  const { made, asked } = connection((reply) => reply, true);
  const piece = Buffer.alloc(60_000, 0x78);
  made.data(Buffer.from(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${20 * piece.length}\r\n\r\n`));
  for (let nth = 0; nth < 20; nth++) {
    made.data(piece);
    await soon();
  }
  await until(() => asked.read === 20 * piece.length);
  expect(asked).toMatchObject({ pause: 0, resume: 0 });
});

test('an idle connection that is to leave stays for its time and no longer; one within a request stays', () => {
  const idle = connection((reply) => reply);
  const busy = connection((reply) => reply);
  busy.made.data(Buffer.from('GET / HTTP/1.1\r\n'));
  for (const { made } of [idle, busy]) {
    made.leaveWithin(500);
    made.check(499);
  }
  expect([idle.asked.end, busy.asked.end]).toEqual([0, 0]);
  for (const { made } of [idle, busy]) made.check(500);
  expect([idle.asked.end, busy.asked.end]).toEqual([1, 0]);
});

test('content with too many chunks is refused, and the refusal names the bound (contract/bounds#pieces: a request body: chunks)', async () => {
  const failures: unknown[] = [];
  const { made, asked } = connection(
    (reply) => reply,
    (cause) => failures.push(cause),
  );
  const many = freeChunks + freeChunks / minAverageChunkBytes;
  made.data(
    Buffer.from(`POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(many)}`),
  );
  await until(() => asked.read === many);
  expect(failures).toEqual([]);
  made.data(Buffer.from('1\r\nx\r\n'.repeat(many)));
  await until(() => failures.length > 0);
  expect(failures).toEqual([tooManyChunks]);
});

test('a connection whose request ends while it waits is read to that end', async () => {
  const { made, asked } = connection((reply) => reply, true);
  const head = 'POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
  made.data(Buffer.from(head + '1\r\nx\r\n'.repeat(freeChunks)));
  expect(asked).toMatchObject({ pause: 1, resume: 0 });
  made.data(Buffer.from('0\r\n\r\n'));
  made.end();
  await until(() => asked.read === freeChunks && asked.resume === asked.pause);
});

const get = Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
const limits = { writeMs: 30_000, minWriteBytesPerSecond: 8_192, maxWriteMs: 600_000 };

/** A connection whose caller fetches only the bytes that `take` fetches. */
function slowConnection(budget: ByteBudget, reply: OutgoingReply) {
  let nowMs = 0;
  let room = 0;
  const events: string[] = [];
  const accept = (length: number) => {
    const took = Math.min(room, length);
    room -= took;
    return took;
  };
  const made = new ServerConnection(
    {
      write: (bytes) => accept(bytes.length),
      writeRange: (_bytes, _from, length) => accept(length),
      end: () => void events.push('end'),
      shutdown: () => void events.push('shutdown'),
      terminate: () => void events.push('terminate'),
      pause: () => {},
      resume: () => {},
      remoteAddress: '127.0.0.1',
      owner: '127.0.0.1',
      pass: () => {},
    },
    {
      handler: { handle: () => reply, refuse: () => reply },
      nowMs: () => nowMs,
      turns: createSteppingTurns(),
      dateLine: () => '',
      isDraining: () => false,
      isHandingOver: () => false,
      timeouts: { headMs: 10_000, idleMs: 10_000, discardMs: 10_000, ...limits },
      waitingBytes: budget,
      failed: (cause) => {
        throw cause;
      },
    },
  );
  return {
    made,
    events,
    take(bytes: number) {
      room += bytes;
      made.drain();
    },
    at(ms: number) {
      nowMs = ms;
      made.check(ms);
    },
  };
}

test('bytes that wait on a connection are charged to its address, and returned with it; a connection without room ends (contract/bounds#waiting: bytes of an address)', async () => {
  const budget = new ByteBudget({ totalBytes: 300_000, ownerBytes: 200_000 });
  const large: OutgoingReply = { status: 200, headers: {}, body: new Uint8Array(150_000) };
  const unread = () => slowConnection(budget, large);
  const [first, second, third] = [unread(), unread(), unread()];
  first.made.data(get);
  expect(budget.reservedBytes).toBeWithin(150_000, 170_000);
  second.made.data(get);
  expect([first.events, second.events]).toEqual([[], ['terminate']]);
  expect(budget.reservedBytes).toBeWithin(150_000, 170_000);
  first.take(100_000);
  expect(budget.reservedBytes).toBeWithin(50_000, 70_000);
  // It would close once the rest has been fetched, but is lost before.
  first.made.drainAndClose();
  first.made.closed();
  expect(budget.owners).toBe(0);
  third.made.data(Buffer.from('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'));
  expect(budget.reservedBytes).toBeGreaterThan(0);
  third.made.closed();
  expect(budget.owners).toBe(0);
});

test.each([
  [150_000, 73_728, 12, 30.5],
  [10_000_000, 73_728, 12, 30.5],
  [10_000_000, 100_000, 10, 600.5],
])(
  'an answer of %d bytes of which %d are fetched every %d s is cut off after %d s (contract/bounds#slow-readers)',
  (bytes, taken, everyS, untilS) => {
    const budget = new ByteBudget({ totalBytes: 20_000_000, ownerBytes: 20_000_000 });
    const { made, take, at, events } = slowConnection(budget, {
      status: 200,
      headers: {},
      body: new Uint8Array(bytes),
    });
    made.data(get);
    let seconds = 0;
    for (; !events.includes('terminate') && seconds < 3_600; seconds += 0.5) {
      if (seconds > 0 && seconds % everyS === 0) take(taken);
      at(seconds * 1_000);
    }
    expect(seconds - 0.5).toBe(untilS);
    expect(budget.owners).toBe(0);
  },
);

test('a caller that fetches slowly, but fast enough, gets its whole answer (contract/bounds#slow-readers)', () => {
  const budget = new ByteBudget({ totalBytes: 20_000_000, ownerBytes: 20_000_000 });
  const large: OutgoingReply = { status: 200, headers: {}, body: new Uint8Array(3_000_000) };
  const { made, take, at, events } = slowConnection(budget, large);
  made.data(get);
  let seconds = 0;
  for (; budget.owners > 0; seconds += 10) {
    at(seconds * 1_000);
    take(100_000);
  }
  expect(seconds).toBe(300);
  expect(events).toEqual([]);
});
