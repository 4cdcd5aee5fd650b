import { describe, expect, test } from 'bun:test';
import { unmetered, type WorkMeter } from '@flowgate/async/turn-budget';
import { closeFrame, type FrameForm, fragments, frame } from '@flowgate/testing/frames';
import { createLibraryReceiver } from '@flowgate/testing/ws-library';
import fc from 'fast-check';
import { FrameReader, freeFrames, minAverageFrameBytes, smallBytes } from './frame-reader.ts';

const maxBytes = 1_000_000;

/**
 * What the reader reports for these pieces, one line per event. The result is the same when the reader must stop
 * repeatedly.
 */
function read(pieces: readonly Uint8Array[], max = maxBytes): readonly string[] {
  const found = readWithin(pieces, max, unmetered);
  let charges = 0;
  expect(readWithin(pieces, max, { spend: () => ++charges % 3 === 0 })).toEqual(found);
  return found;
}

function readWithin(pieces: readonly Uint8Array[], max: number, work: WorkMeter): readonly string[] {
  const reported: string[] = [];
  let buffered = 0;
  const reader = new FrameReader(
    {
      text: (content) => void reported.push(`text ${content.text()}`),
      large() {
        const parts: Buffer[] = [];
        buffered++;
        return {
          append: (bytes, from, to) => void parts.push(Buffer.from(bytes.subarray(from, to))),
          done: () => void reported.push(`text ${Buffer.concat(parts)}`),
        };
      },
      notUtf8: () => {},
      ping: (content) => void reported.push(`ping ${Buffer.from(content).toString('hex')}`),
      pong: () => void reported.push('pong'),
      closed: (code) => void reported.push(`closed ${code}`),
    },
    max,
    work,
  );
  for (const piece of pieces) {
    let fault = reader.push(piece);
    while (fault === undefined && reader.usedTo < piece.length) fault = reader.push(piece, reader.usedTo);
    if (fault === undefined) continue;
    reported.push(`fault ${fault.code}`);
    break;
  }
  expect(buffered).toBeLessThanOrEqual(reported.length + 1);
  return reported;
}

/** The same as the `ws` library reports it. */
function readByLibrary(pieces: readonly Uint8Array[]): readonly string[] {
  const reported: string[] = [];
  let isOver = false;
  const receiver = createLibraryReceiver(false, maxBytes);
  receiver.on('message', (data, isBinary) => {
    isOver ||= isBinary;
    reported.push(isBinary ? 'fault 1003' : `text ${Buffer.from(data)}`);
  });
  receiver.on('ping', (data) => void reported.push(`ping ${Buffer.from(data).toString('hex')}`));
  receiver.on('pong', () => void reported.push('pong'));
  receiver.on('conclude', (code) => {
    isOver = true;
    reported.push(`closed ${code}`);
  });
  receiver.on('error', () => {});
  for (const piece of pieces) {
    if (isOver || receiver.errored !== null) break;
    // The library modifies its input.
    receiver.write(Buffer.from(piece));
  }
  if (receiver.errored !== null) reported.push('fault');
  return reported;
}

const bytewise = (bytes: Uint8Array) => Array.from(bytes, (byte) => Uint8Array.of(byte));
function inPieces(bytes: Uint8Array, length: number): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += length) pieces.push(bytes.subarray(at, at + length));
  return pieces;
}

const utf8 = 'κόσμε';
const invalid = Buffer.from('cebae1bdb9cf83cebcceb5eda080656469746564', 'hex');
const ping = (content: string | Uint8Array, form: FrameForm = {}) => frame(content, { opcode: 9, ...form });

/**
 * The cases of the Autobahn test suite for a client, by their numbers there. Cases on compression, which is not
 * offered, and on performance are omitted.
 */
const autobahn: readonly (readonly [number: string, sent: Buffer, reported: readonly string[]])[] = [
  ...[0, 125, 126, 127, 128, 65_535, 65_536].map(
    (length, nth) => [`1.1.${nth + 1}`, frame('*'.repeat(length)), [`text ${'*'.repeat(length)}`]] as const,
  ),
  ['1.2.1', frame('', { opcode: 2 }), ['fault 1003']],
  ['2.1', ping(''), ['ping ']],
  ['2.2', ping('Hello'), ['ping 48656c6c6f']],
  ['2.3', ping(Buffer.from('00fffefdfcfb00ff', 'hex')), ['ping 00fffefdfcfb00ff']],
  ['2.4', ping(Buffer.alloc(125, 0xfe)), [`ping ${'fe'.repeat(125)}`]],
  ['2.5', ping(Buffer.alloc(126, 0xfe)), ['fault 1002']],
  ['2.7', frame('', { opcode: 10 }), ['pong']],
  ['2.9', Buffer.concat([frame('x', { opcode: 10 }), ping('y')]), ['pong', 'ping 79']],
  ['2.10', Buffer.concat(Array.from({ length: 10 }, () => ping('z'))), Array.from({ length: 10 }, () => 'ping 7a')],
  ['3.1', frame('x', { reserved: 1 }), ['fault 1002']],
  ['3.2', Buffer.concat([frame('a'), frame('x', { reserved: 2 }), ping('')]), ['text a', 'fault 1002']],
  ['3.5', frame('x', { opcode: 2, reserved: 5 }), ['fault 1002']],
  ['3.6', ping('x', { reserved: 6 }), ['fault 1002']],
  ['3.7', frame('', { opcode: 8, reserved: 7 }), ['fault 1002']],
  ...[3, 4, 5, 6, 7].map((opcode) => [`4.1.${opcode - 2}`, frame('x', { opcode }), ['fault 1002']] as const),
  ...[11, 12, 13, 14, 15].map((opcode) => [`4.2.${opcode - 10}`, frame('x', { opcode }), ['fault 1002']] as const),
  ['5.1', ping('x', { isFinal: false }), ['fault 1002']],
  ['5.2', frame('x', { opcode: 10, isFinal: false }), ['fault 1002']],
  ['5.3', fragments('fragment1', 'fragment2'), ['text fragment1fragment2']],
  [
    '5.6',
    Buffer.concat([frame('fragment1', { isFinal: false }), ping('p'), frame('fragment2', { opcode: 0 })]),
    ['ping 70', 'text fragment1fragment2'],
  ],
  ['5.9', Buffer.concat([frame('x', { opcode: 0 }), frame('y')]), ['fault 1002']],
  ['5.12', frame('x', { opcode: 0, isFinal: false }), ['fault 1002']],
  ['5.15', Buffer.concat([fragments('a', 'b'), frame('c', { opcode: 0 })]), ['text ab', 'fault 1002']],
  ['5.18', Buffer.concat([frame('a', { isFinal: false }), frame('b')]), ['fault 1002']],
  ['5.19', fragments('f1', 'f2', 'f3', 'f4', 'f5'), ['text f1f2f3f4f5']],
  ['6.1.1', frame(''), ['text ']],
  ['6.1.2', fragments('', '', ''), ['text ']],
  ['6.1.3', fragments('', 'middle', ''), ['text middle']],
  ['6.2.1', frame(`Hello-µ@ßöäüàá-${utf8}!!`), [`text Hello-µ@ßöäüàá-${utf8}!!`]],
  ['6.2.3', fragments(...bytewise(Buffer.from(`Hello-${utf8}`))), [`text Hello-${utf8}`]],
  ['6.3.1', frame(invalid), ['fault 1007']],
  ['6.3.2', fragments(...bytewise(invalid)), ['fault 1007']],
  ['6.4.1', fragments(utf8, Buffer.from('f4908080', 'hex'), 'edited'), ['fault 1007']],
  ['6.6.1', frame(Buffer.from('ce', 'hex')), ['fault 1007']],
  ['6.12.3', frame(Buffer.from('fe', 'hex')), ['fault 1007']],
  ['6.14.1', frame(Buffer.from('c0', 'hex')), ['fault 1007']],
  ['6.20.1', frame(Buffer.from('eda080', 'hex')), ['fault 1007']],
  ['7.1.1', Buffer.concat([frame('Hello'), closeFrame(1000)]), ['text Hello', 'closed 1000']],
  ['7.1.2', Buffer.concat([closeFrame(1000), closeFrame(1000)]), ['closed 1000']],
  ['7.1.3', Buffer.concat([closeFrame(1000), ping('')]), ['closed 1000']],
  ['7.1.4', Buffer.concat([closeFrame(1000), frame('late')]), ['closed 1000']],
  ['7.1.5', Buffer.concat([frame('a', { isFinal: false }), closeFrame(1000)]), ['closed 1000']],
  ['7.3.1', closeFrame(), ['closed 1005']],
  ['7.3.2', frame('x', { opcode: 8 }), ['fault 1002']],
  ['7.3.4', closeFrame(1000, 'Hello World!'), ['closed 1000']],
  ['7.3.5', closeFrame(1000, '*'.repeat(123)), ['closed 1000']],
  ['7.3.6', closeFrame(1000, '*'.repeat(124)), ['fault 1002']],
  ['7.5.1', closeFrame(1000, invalid), ['fault 1007']],
  ...[1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999].map(
    (code, nth) => [`7.7.${nth + 1}`, closeFrame(code), [`closed ${code}`]] as const,
  ),
  ...[0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999].map(
    (code, nth) => [`7.9.${nth + 1}`, closeFrame(code), ['fault 1002']] as const,
  ),
  ['7.13.1', closeFrame(5000), ['fault 1002']],
  ['7.13.2', closeFrame(65_535), ['fault 1002']],
  ['10.1.1', fragments(...inPieces(Buffer.alloc(65_536, '*'), 1_300)), [`text ${'*'.repeat(65_536)}`]],
];

describe('cases of the Autobahn suite (RFC 6455)', () => {
  test.each(autobahn)('%s, at once, byte by byte and in pieces', (_number, sent, reported) => {
    for (const pieces of [[sent], bytewise(sent), inPieces(sent, 997)]) expect(read(pieces)).toEqual([...reported]);
  });
});

test('a masked frame is refused: servers must not mask (RFC 6455 5.1)', () => {
  expect(read([frame('{}', { mask: 0x01020304 })])).toEqual(['fault 1002']);
});

test('a message over the limit is refused when its length arrives, before its bytes', () => {
  const [announced] = inPieces(frame(Buffer.alloc(200_000)), 10);
  expect(read([announced ?? Buffer.alloc(0)], 199_999)).toEqual(['fault 1009']);
  const many = fragments(...Array.from({ length: 5 }, () => Buffer.alloc(1_000, 'a')));
  expect(read([many], 4_999)).toEqual(['fault 1009']);
  expect(read([many], 5_000)).toEqual([`text ${'a'.repeat(5_000)}`]);
  // A length beyond 53 bits.
  expect(read([Buffer.from('817fffffffffffffffff', 'hex')])).toEqual(['fault 1009']);
});

test('a message has a bounded number of frames: one for every 64 bytes, and 1,024 in any case (contract/bounds#pieces: a node WebSocket message: fragments)', () => {
  const empty = (count: number) =>
    Buffer.concat(Array.from({ length: count }, () => frame('', { opcode: 0, isFinal: false })));
  const first = frame('{', { isFinal: false });
  const last = frame('}', { opcode: 0 });
  expect(read([first, empty(freeFrames - 2), last])).toEqual(['text {}']);
  expect(read([first, empty(freeFrames), last])).toEqual(['fault 1008']);
  // The bound applies to each message.
  expect(read([first, empty(freeFrames - 2), last, first, empty(freeFrames - 2), last])).toEqual([
    'text {}',
    'text {}',
  ]);
  const small = 'x'.repeat(minAverageFrameBytes);
  const many = Array.from({ length: 3 * freeFrames }, () => small);
  expect(read([fragments(...many)])).toEqual([`text ${many.join('')}`]);
  const pings = Buffer.concat(Array.from({ length: 2_000 }, () => frame('', { opcode: 9 })));
  expect(read([first, pings, last]).at(-1)).toBe('text {}');
});

test('a small message in one piece is not copied, and a large one is not buffered', () => {
  const piece = Buffer.concat([frame('first'), frame('second')]);
  const seen: string[] = [];
  const reader = new FrameReader(
    {
      text: ({ bytes, start, end }) => void seen.push(`${bytes === piece} ${start} ${end}`),
      large: (head) => {
        seen.push(`large ${head.length}`);
        return { append: (_bytes, from, to) => void seen.push(`${to - from}`), done: () => void seen.push('done') };
      },
      ...{ notUtf8: () => {}, ping: () => {}, pong: () => {}, closed: () => {} },
    },
    maxBytes,
  );
  reader.push(piece);
  expect(seen.splice(0)).toEqual(['true 2 7', 'true 9 15']);
  for (const part of inPieces(frame('x'.repeat(smallBytes + 100_000)), 50_000)) reader.push(part);
  expect(seen).toEqual([`large ${smallBytes}`, `${smallBytes}`, '34454', '50000', '15546', 'done']);
});

/** Random frames, most of them valid. */
const someForm = fc.record<FrameForm>({
  opcode: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(1, 1, 1, 0, 9, 10) },
    { weight: 1, arbitrary: fc.nat({ max: 15 }) },
  ),
  isFinal: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 2, arbitrary: fc.constant(false) }),
  reserved: fc.oneof({ weight: 30, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 7 }) }),
});
const someContent = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }).map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: fc.constantFrom(126, 2_000, 66_000).map((length) => Buffer.alloc(length, 'é')) },
);

test('random frames in any pieces are read as the ws library reads them', () => {
  const frames = fc.array(fc.tuple(someContent, someForm), { maxLength: 12 });
  fc.assert(
    fc.property(frames, fc.integer({ min: 1, max: 5_000 }), (all, length) => {
      const bytes = Buffer.concat(all.map(([content, form]) => frame(content, form)));
      // RFC 6455 allows a reader to check a message's type and text only after its end.
      const ours = read(inPieces(bytes, length)).map((line) => line.replace(/^fault 100[27]$/, 'fault'));
      const theirs = readByLibrary(inPieces(bytes, length));
      const at = ours.indexOf('fault 1003');
      expect(at < 0 ? ours : ours.slice(0, at)).toEqual(at < 0 ? [...theirs] : theirs.slice(0, at));
    }),
    { numRuns: 300, seed: 6455 },
  );
});
