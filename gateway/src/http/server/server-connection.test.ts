import { expect, test } from 'bun:test';
import { until } from '../../../test/fixtures/until.ts';
import type { OutgoingReply, RequestBody } from '../incoming-request.ts';
import { mostChunkedInATurn } from './chunked-turns.ts';
import { ServerConnection } from './server-connection.ts';

const answer: OutgoingReply = { status: 204, headers: {}, body: null };

/** A connection over a socket that takes everything at once and records the calls to it. */
/** `reads`: the handler reads the content, and answers after it. */
function connection(settle: (answer: OutgoingReply) => OutgoingReply | Promise<OutgoingReply>, reads = false) {
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
      pass: () => {},
    },
    {
      handler: {
        handle({ body }) {
          asked.handled += 1;
          return reads ? readAll(body).then(() => settle(answer)) : settle(answer);
        },
        refuse: () => answer,
      },
      nowMs: () => 0,
      dateLine: () => '',
      isDraining: () => false,
      isHandingOver: () => false,
      timeouts: { headMs: 1_000, idleMs: 1_000, writeMs: 1_000, discardMs: 1_000 },
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
  'while more requests wait for their turn than are held, the socket is not read, once; answered %s',
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

test('chunked content is read in turns: whatever the size of its chunks, a connection rests after each bounded part of it', async () => {
  const { made, asked } = connection((reply) => reply, true);
  const chunk = '1\r\nx\r\n';
  const piece = Buffer.from(chunk.repeat(10_000));
  made.data(Buffer.from('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'));
  let received = 0;
  let rests = 0;
  for (let turn = 0; turn < 50; turn++) {
    let inTurn = 0;
    // A socket that brings as much as it is read, as the kernel does for a caller on the same machine.
    while (asked.pause === asked.resume && inTurn < 100) {
      made.data(piece);
      inTurn += 1;
    }
    expect(inTurn * piece.length).toBeLessThan(mostChunkedInATurn + piece.length);
    received += inTurn * piece.length;
    rests += asked.pause > asked.resume ? 1 : 0;
    await soon();
  }
  expect(received).toBeGreaterThan(50 * (mostChunkedInATurn - piece.length));
  expect(rests).toBe(50);
  made.data(Buffer.from('0\r\n\r\n'));
  await until(() => asked.read === received / chunk.length);
});

test('content with a length is read as it comes', async () => {
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

test('a connection that ends while it rests is read on, so that its end is noticed', async () => {
  const { made, asked } = connection((reply) => reply, true);
  const head = 'POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
  made.data(Buffer.from(head + '1\r\nx\r\n'.repeat(mostChunkedInATurn)));
  expect(asked).toMatchObject({ pause: 1, resume: 0 });
  made.data(Buffer.from('0\r\n\r\n'));
  await until(() => asked.read === mostChunkedInATurn && asked.resume === asked.pause);
});
