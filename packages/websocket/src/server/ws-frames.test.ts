/**
 * Tests of what this gateway relies on in the `ws` library: everything is reported in the turn in which the bytes were
 * written, and the internal fields that are read exist.
 */

import { expect, test } from 'bun:test';
import { clientFrame, closeCodeOf, createReceiver, frameHead, isBetweenMessages } from './ws-frames.ts';

const text = 1;
const options = { isServer: true, maxPayload: 1_000_000, maxFragments: 4, maxBufferedChunks: 4 };

test('messages are reported at once', () => {
  const receiver = createReceiver(options);
  const received: string[] = [];
  receiver.on('message', (data, isBinary) => received.push(`${data} ${isBinary}`));
  receiver.write(Buffer.concat([clientFrame(Buffer.from('one'), text), clientFrame(Buffer.from('two'), 2)]));
  expect(received).toEqual(['one false', 'two true']);
});

test('an error is reported once, with the code that closes the connection', async () => {
  const receiver = createReceiver({ ...options, maxPayload: 4 });
  const codes: number[] = [];
  const failed = Promise.withResolvers<void>();
  receiver.on('error', (cause) => {
    codes.push(closeCodeOf(cause));
    failed.resolve();
  });
  receiver.write(clientFrame(Buffer.from('longer'), text));
  receiver.write(clientFrame(Buffer.from('longer'), text));
  await failed.promise;
  await new Promise(setImmediate);
  expect(codes).toEqual([1009]);
});

test('it is between messages only when no byte of a further one has arrived, not even of its head', () => {
  const frames = [
    Buffer.concat([clientFrame(Buffer.from('a'), text, false), clientFrame(Buffer.from('b'), 0, true)]),
    clientFrame(Buffer.alloc(200, 'x'), text),
    clientFrame(Buffer.alloc(70_000, 'x'), text),
    clientFrame(Buffer.from('ping'), 9),
  ];
  for (const frame of frames) {
    const receiver = createReceiver({ ...options, maxBufferedChunks: 100_000 });
    expect(isBetweenMessages(receiver)).toBe(true);
    for (let at = 0; at < frame.length; at++) {
      if (at > 0 && at < 300) expect(isBetweenMessages(receiver)).toBe(false);
      receiver.write(Buffer.from(frame.subarray(at, at + 1)));
    }
    expect(isBetweenMessages(receiver)).toBe(true);
  }
});

test('the head of a frame depends only on the length of its data', () => {
  expect([...frameHead(5, text, true)]).toEqual([0x81, 5]);
  expect([...frameHead(126, text, false)]).toEqual([0x01, 126, 0, 126]);
  expect([...frameHead(65_536, 0, true)]).toEqual([0x80, 127, 0, 0, 0, 0, 0, 1, 0, 0]);
});
