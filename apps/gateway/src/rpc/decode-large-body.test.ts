import { describe, expect, test } from 'bun:test';
import { createTimeSlices } from '@flowgate/async/time-slices';
import { largeValuesOf } from '@flowgate/json/large-values';
import { hostileBodies, plainBody } from '@flowgate/testing/hostile-bodies';
import fc from 'fast-check';
import { decodeLargeBody } from './decode-large-body.ts';
import { type DecodedBody, decodeBody } from './message.ts';

const slices = createTimeSlices({ monotonic: () => performance.now() });
const maxBatch = 100;

/** The parts of a decoded body that callers see. */
function shown(body: DecodedBody): unknown {
  if (body.kind === 'unparsable' || body.kind === 'too-many') return body;
  const messages = body.kind === 'single' ? [body.message] : body.messages;
  return {
    kind: body.kind,
    messages: messages.map((message) => ({
      ...message,
      id: message.id?.text(),
      ...(message.kind === 'call' && { params: message.params?.text() }),
    })),
  };
}

async function expectTheSame(text: string): Promise<void> {
  const bytes = Buffer.from(text);
  for (const takesVersion1 of [false, true])
    expect(shown(await decodeLargeBody(bytes, maxBatch, takesVersion1, slices))).toEqual(
      shown(decodeBody(bytes, maxBatch, takesVersion1)),
    );
}

describe('a large body is decoded in slices to the same messages', () => {
  test.each([plainBody, ...hostileBodies])('$name', ({ make }) => expectTheSame(make(400_000)));

  test('random bodies with large values decode the same, also with a mistake at any position', async () => {
    const filler = (open: string, unit: string, close: string) =>
      fc.integer({ min: 0, max: 6_000 }).map((times) => `${open}${Array(times).fill(unit).join(',')}${close}`);
    const value = fc.oneof(
      filler('[', '1', ']'),
      filler('[', '[{"a":[]}]', ']'),
      filler('[', '"\\n"', ']'),
      filler(`${'['.repeat(120)}`, 'null', `${']'.repeat(120)}`),
      fc.integer({ min: 0, max: 40_000 }).map((length) => `"${'x'.repeat(length)}"`),
      fc.constantFrom('1', 'null', '{}', '{"a":1}'),
    );
    const member = fc.tuple(
      fc.constantFrom('jsonrpc', 'id', 'method', 'params', 'x', 'Params', 'par\\u0061ms'),
      fc.oneof(value, fc.constantFrom('"2.0"', '"eth_call"', '7')),
    );
    const message = fc
      .array(member, { maxLength: 8 })
      .map((members) => `{${members.map(([name, each]) => `"${name}":${each}`).join(' , ')}}`);
    const calls = value.map((params) => `{"jsonrpc":"2.0","id":1,"method":"eth_call","params":${params}}`);
    const body = fc.oneof(
      calls,
      message,
      fc.array(fc.oneof(message, calls, value), { maxLength: 5 }).map((all) => `[${all.join(', ')}]`),
    );
    const mistake = fc.option(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(']', '}', ',', '"', 'x', '')),
    );
    await fc.assert(
      fc.asyncProperty(body, mistake, async (text, broken) => {
        const at = Math.floor((broken?.[0] ?? 0) * text.length);
        await expectTheSame(broken === null ? text : text.slice(0, at) + broken[1] + text.slice(at + 1));
      }),
      { numRuns: 150, seed: 12 },
    );
  });
});

describe('no long work in one piece', () => {
  // A single string or number is scanned in one piece, as fast as plain text.
  const whole =
    /escapes|long|plain|characters|blanks be|alone|unknown member|as id|only openers|members with|without a name/;
  test.each(hostileBodies.filter(({ name }) => !whole.test(name) || name.includes('in params')))(
    '$name: is scanned in parts, and what is left to the decoder is small',
    ({ make }) => {
      const bytes = Buffer.from(make(400_000));
      const scan = largeValuesOf(bytes, maxBatch + 1);
      let parts = 1;
      let next = scan.next();
      for (; next.done !== true; next = scan.next()) parts += 1;
      const ends = next.value;
      const isBatch = bytes[0] === 0x5b;
      // Of a batch with too many messages, only the first messages are read.
      if (isBatch) return expect(parts).toBeLessThan(4);
      expect(parts).toBeGreaterThan(8);
      const start = bytes.indexOf('"params":') + '"params":'.length;
      const end = ends.get(start);
      return expect(end === -1 || (end ?? 0) >= bytes.length - 1).toBe(true);
    },
  );
});
