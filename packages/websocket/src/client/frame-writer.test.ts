import { expect, test } from 'bun:test';
import { systemRandomBytes } from '@flowgate/base/random';
import { TextContent } from '@flowgate/bytes/byte-content';
import type { ByteWriter } from '@flowgate/bytes/byte-writer';
import { createLibraryReceiver } from '@flowgate/testing/ws-library';
import fc from 'fast-check';
import { FrameWriter, opcodes } from './frame-writer.ts';
import { createMasks } from './websocket-masks.ts';

/** A socket that accepts at most `max` bytes of each write. */
function socketTaking(max = Number.POSITIVE_INFINITY) {
  const taken: Buffer[] = [];
  return {
    writes: 0,
    max,
    get bytes() {
      return Buffer.concat(taken);
    },
    write(bytes: Uint8Array, from = 0, length = bytes.length - from): number {
      this.writes++;
      const count = Math.min(length, this.max);
      taken.push(Buffer.from(bytes.subarray(from, from + count)));
      return count;
    },
  };
}

const writer = () => new FrameWriter(createMasks(systemRandomBytes));

/** The frames as a server reads them. */
function readByServer(bytes: Uint8Array): readonly string[] {
  const reported: string[] = [];
  const receiver = createLibraryReceiver(true, 10_000_000);
  receiver.on('message', (data) => void reported.push(`text ${Buffer.from(data)}`));
  receiver.on('ping', (data) => void reported.push(`ping ${Buffer.from(data)}`));
  receiver.on('conclude', (code) => void reported.push(`closed ${code}`));
  receiver.on('error', (error) => void reported.push(String(error)));
  receiver.write(Buffer.from(bytes));
  return reported;
}

test('a server reads the added messages, of any lengths, written at once (RFC 6455 5.2, 5.3)', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom(...[0, 1, 125, 126, 127, 65_535, 65_536, 200_000].map((length) => 'x'.repeat(length))),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 8 }), (texts) => {
      const [frames, socket] = [writer(), socketTaking()];
      for (const each of texts) frames.add(new TextContent(each));
      expect(frames.flush(socket)).toBe(true);
      expect(socket.writes).toBe(texts.length === 0 ? 0 : 1);
      expect(readByServer(socket.bytes)).toEqual(texts.map((each) => `text ${Buffer.from(each)}`));
      expect([frames.added, frames.passed]).toEqual([texts.length, texts.length]);
    }),
    { numRuns: 100, seed: 6455 },
  );
});

test('each frame has its own unpredictable key (RFC 6455 5.3)', () => {
  const [frames, socket] = [writer(), socketTaking()];
  const count = 3_000;
  for (let nth = 0; nth < count; nth++) frames.add(new TextContent('four'));
  frames.flush(socket);
  const keys = new Set(
    Array.from({ length: count }, (_, nth) => socket.bytes.toString('hex', nth * 10 + 2, nth * 10 + 6)),
  );
  expect(keys.size).toBeGreaterThan(count - 5);
});

test('bytes that the socket did not accept are sent first, and later messages follow in order', () => {
  const [frames, socket] = [writer(), socketTaking(10)];
  const texts = Array.from({ length: 30 }, (_, nth) => `message ${nth}`);
  for (const each of texts.slice(0, 3)) frames.add(new TextContent(each));
  frames.flush(socket);
  expect([frames.added, frames.passed]).toEqual([3, 3]);
  for (const each of texts.slice(3)) frames.add(new TextContent(each));
  frames.flush(socket);
  expect(frames.passed).toBe(3);
  expect(frames.waiting).toBeGreaterThan(300);
  while (frames.waiting > 0) expect(frames.drained(socket)).toBe(true);
  expect(readByServer(socket.bytes)).toEqual(texts.map((each) => `text ${each}`));
  expect(frames.passed).toBe(30);
});

test('control frames are sent between the messages, and content of another length than it announces is never sent', () => {
  const [frames, socket] = [writer(), socketTaking()];
  frames.add(new TextContent('one'));
  for (const length of [4, 6])
    expect(() => frames.add({ length, writeTo: (to: ByteWriter) => to.ascii('wrong') })).toThrow('another length');
  frames.control(opcodes.ping, new TextContent('p'));
  frames.control(opcodes.close, { length: 2, writeTo: (to) => to.put(Uint8Array.of(3, 232)) });
  frames.flush(socket);
  expect(readByServer(socket.bytes)).toEqual(['text one', 'ping p', 'closed 1000']);
});

test('the writer reports a closed socket', () => {
  const frames = writer();
  frames.add(new TextContent('one'));
  expect(frames.flush({ write: () => -1 })).toBe(false);
});
