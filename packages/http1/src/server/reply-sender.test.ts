import { expect, test } from 'bun:test';
import { OutgoingBytes } from './outgoing-bytes.ts';
import { ReplySender } from './reply-sender.ts';
import { WrittenReply } from './written-reply.ts';

/** A connection whose socket accepts `takes` bytes, and everything once `takes` is raised. */
function connection(takes: number) {
  const socket = { takes, received: '' };
  const take = (bytes: Uint8Array) => {
    const taken = Buffer.from(bytes).subarray(0, socket.takes);
    socket.takes -= taken.length;
    socket.received += taken.toString('latin1');
    return taken.length;
  };
  const out = new OutgoingBytes(
    {
      write: (bytes) => take(Buffer.from(bytes)),
      writeRange: (bytes, from, length) => take(bytes.subarray(from, from + length)),
    },
    () => 0,
  );
  const sender = new ReplySender(out, () => 'Date: now\r\n');
  const answer = (body: string) => {
    const outcome = {
      sent: () => {},
      failed: (cause: unknown) => {
        throw cause;
      },
    };
    sender.send(
      new WrittenReply(200, 'req_1', undefined, '', body, false),
      { method: 'POST', minor: 1, closes: false },
      outcome,
    );
  };
  return { socket, sender, answer };
}

test('an answer that a slow caller fetches in parts contains no byte of other answers', () => {
  const slow = connection(100);
  const quick = connection(1_000_000);
  slow.answer('a'.repeat(4_000));
  slow.answer('b'.repeat(4_000));
  for (let nth = 0; nth < 3; nth++) quick.answer('z'.repeat(8_000));
  slow.socket.takes = 1_000_000;
  slow.sender.drain();
  const bodies = slow.socket.received.replaceAll(/HTTP.*?\r\n\r\n/gs, '|');
  expect(bodies).toBe(`|${'a'.repeat(4_000)}|${'b'.repeat(4_000)}`);
});
