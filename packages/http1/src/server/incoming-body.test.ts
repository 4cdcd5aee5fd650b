import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { IncomingBody, maxBufferedBytes } from './incoming-body.ts';

function body(announced: number | 'chunked') {
  const reported: string[] = [];
  const made = new IncomingBody(announced, {
    wanted: () => reported.push('wanted'),
    hasRoom: () => reported.push('room'),
  });
  return { made, reported };
}

const bytes = (text: string) => Buffer.from(text, 'latin1');
const text = (piece: Uint8Array | undefined) =>
  piece === undefined ? undefined : Buffer.from(piece).toString('latin1');

async function rest(made: IncomingBody): Promise<string> {
  let all = '';
  for (let piece = await made.next(); piece !== undefined; piece = await made.next()) all += text(piece);
  return all;
}

describe('the content of a request', () => {
  test('that arrived with its head is complete at once, and the bytes behind it are not part of it', () => {
    const { made } = body(5);
    expect(made.push(bytes('..helloGET'), 2)).toBe(7);
    expect(made.isComplete).toBe(true);
    expect(text(made.takeWhole())).toBe('hello');
  });

  test('of length 0 is complete from the beginning', async () => {
    const { made } = body(0);
    expect(made.isComplete).toBe(true);
    expect(text(made.takeWhole())).toBe('');
    expect(await made.next()).toBeUndefined();
  });

  test('that has not arrived is not complete, and `next` waits for it', async () => {
    const { made, reported } = body(5);
    made.push(bytes('he'), 0);
    expect(made.takeWhole()).toBeUndefined();
    expect(text(await made.next())).toBe('he');
    const later = made.next();
    expect(reported).toEqual(['wanted']);
    made.push(bytes('llo'), 0);
    expect(text(await later)).toBe('llo');
    expect(await made.next()).toBeUndefined();
  });

  test('is the same for every split, announced or chunked, and ends at its end', async () => {
    const piece = fc.string({ unit: 'binary-ascii', maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 6 }),
        fc.boolean(),
        fc.array(fc.nat(300)),
        async (parts, chunked, cuts) => {
          const content = parts.join('');
          const coded = parts
            .filter((part) => part !== '')
            .map((part) => `${part.length.toString(16)};x=y\r\n${part}\r\n`)
            .join('');
          const wire = bytes(`${chunked ? `${coded}0\r\nTrailer: a\r\n\r\n` : content}NEXT`);
          const { made } = body(chunked ? 'chunked' : content.length);
          const got = rest(made);
          let at = 0;
          for (const cut of [...new Set(cuts.map((each) => each % wire.length)), wire.length].sort((a, b) => a - b)) {
            if (made.isComplete) break;
            const end = made.push(wire.subarray(0, cut), at);
            expect(end).toBeGreaterThanOrEqual(at);
            at = end;
            await Promise.resolve();
          }
          expect(await got).toBe(content);
          expect(wire.subarray(at).toString()).toBe('NEXT');
        },
      ),
    );
  });

  test('that is malformed fails the pending read, and every later one', async () => {
    const { made } = body('chunked');
    const waiting = made.next();
    expect(made.push(bytes('zz\r\n'), 0)).toBe(-1);
    expect(waiting).rejects.toThrow('not valid');
    expect(made.next()).rejects.toThrow('not valid');
    expect(made.takeWhole()).toBeUndefined();
  });

  test('that is malformed is read no further, for any bytes behind it', async () => {
    const { made } = body('chunked');
    expect(made.push(bytes('1\r\naX'), 0)).toBe(-1);
    // The fault is where a line end is expected: a decoder that continued from there would read content again.
    expect(made.push(bytes('\r\n5\r\nhello\r\n0\r\n\r\n'), 0)).toBe(-1);
    expect(text(await made.next())).toBe('a');
    expect(made.next()).rejects.toThrow('not valid');
    expect([made.length, made.isComplete]).toEqual([1, false]);
  });

  test('of a broken connection fails after the content that had arrived', async () => {
    const { made } = body(5);
    made.push(bytes('he'), 0);
    made.fail(new Error('gone'));
    expect(text(await made.next())).toBe('he');
    expect(made.next()).rejects.toThrow('gone');
  });

  test('is full at its bound, and reports when there is room again', async () => {
    const { made, reported } = body(2 * maxBufferedBytes);
    made.push(Buffer.alloc(maxBufferedBytes), 0);
    expect(made.isFull).toBe(true);
    await made.next();
    expect(made.isFull).toBe(false);
    expect(reported).toEqual(['room']);
  });

  test('that the handler discards is dropped as it arrives, and its end is still found', async () => {
    const { made, reported } = body('chunked');
    made.push(bytes('5\r\nhello'), 0);
    made.discard();
    expect(reported).toEqual(['room']);
    made.push(Buffer.concat([bytes('\r\n20000\r\n'), Buffer.alloc(0x20000), bytes('\r\n')]), 0);
    expect(made.isFull).toBe(false);
    expect(await made.next()).toBeUndefined();
    expect(made.push(bytes('0\r\n\r\nGET'), 0)).toBe(5);
    expect(made.isComplete).toBe(true);
  });
});
