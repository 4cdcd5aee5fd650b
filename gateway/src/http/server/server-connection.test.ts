import { expect, test } from 'bun:test';
import { until } from '../../../test/fixtures/until.ts';
import type { OutgoingReply } from '../incoming-request.ts';
import { ServerConnection } from './server-connection.ts';

const answer: OutgoingReply = { status: 204, headers: {}, body: null };

/** A connection over a socket that takes everything at once and records the calls to it. */
function connection(settle: (answer: OutgoingReply) => OutgoingReply | Promise<OutgoingReply>) {
  const asked = { pause: 0, resume: 0, handled: 0 };
  const made = new ServerConnection(
    {
      write: (bytes) => bytes.length,
      writeRange: (_bytes, _from, length) => length,
      end: () => {},
      shutdown: () => {},
      terminate: () => {},
      pause: () => void asked.pause++,
      resume: () => void asked.resume++,
      remoteAddress: '127.0.0.1',
    },
    {
      handler: {
        handle() {
          asked.handled += 1;
          return settle(answer);
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
