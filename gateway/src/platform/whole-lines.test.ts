import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { wholeLines } from './whole-lines.ts';

function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

test('however a text is split, whole lines come out, and all of them', async () => {
  const text = fc
    .array(fc.constantFrom('a', 'ü', '🙂', '\n', '\n\n'), { maxLength: 40 })
    .map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(60), { maxLength: 6 }), async (whole, cuts) => {
      const bytes = Buffer.from(whole);
      const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((one, other) => one - other), bytes.length];
      const pieces = places.slice(1).map((end, at) => bytes.subarray(places[at], end));
      const written: string[] = [];
      await wholeLines(streamOf(pieces), (lines) => void written.push(lines));
      expect(written.every((lines) => lines.endsWith('\n'))).toBe(true);
      expect(written.join('')).toBe(whole === '' || whole.endsWith('\n') ? whole : `${whole}\n`);
    }),
  );
});

test('a stream that breaks off leaves what has come', async () => {
  const written: string[] = [];
  let pulls = 0;
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    pulls += 1;
    if (pulls === 1) controller.enqueue(Buffer.from('one\ntwo'));
    else controller.error(new Error('gone'));
  };
  const broken = new ReadableStream({ pull }, { highWaterMark: 0 });
  await wholeLines(broken, (lines) => void written.push(lines));
  expect(written).toEqual(['one\n', 'two\n']);
});
