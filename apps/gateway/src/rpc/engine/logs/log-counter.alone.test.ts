import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { LogCounter } from './log-counter.ts';

const log = fc.record({
  address: fc.string({ unit: 'binary' }),
  topics: fc.array(fc.constantFrom('0xaa', '{', '}', '[', ']', '"', '\\', '\\"', '\\\\"')),
  data: fc.string(),
  blockNumber: fc.nat().map((height) => `0x${height.toString(16)}`),
  nested: fc.option(fc.record({ a: fc.array(fc.nat()), blockNumber: fc.constant(7) })),
});

test('counts the same logs as JSON.parse, and reads the block of the wanted log, wherever the bytes are cut', () => {
  fc.assert(
    fc.property(
      fc.array(log, { maxLength: 8 }),
      fc.nat(9),
      fc.array(fc.nat(300)),
      fc.constantFrom(undefined, 1),
      (logs, wanted, cuts, indent) => {
        const bytes = Buffer.from(JSON.stringify(logs, null, indent));
        const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort(
          (a, b) => a - b,
        );
        const counter = new LogCounter(wanted);
        for (const [at, place] of places.entries()) counter.push(bytes.subarray(place, places[at + 1] ?? bytes.length));
        expect(counter.count).toBe(logs.length);
        const block = logs[wanted - 1]?.blockNumber;
        expect(counter.block()).toBe(block === undefined ? undefined : Number(block));
      },
    ),
    { numRuns: 500 },
  );
});

test('reads each byte a bounded number of times: long strings and many logs take time in proportion to their length', () => {
  const looked = (text: string) => {
    const bytes = Buffer.from(text);
    const counter = new LogCounter(1);
    const before = performance.now();
    counter.push(bytes);
    expect(counter.count).toBe(JSON.parse(text).length);
    return performance.now() - before;
  };
  const long = (n: number) => `[{"data":"${'\\\\'.repeat(n)}"}]`;
  const many = (n: number) => `[${Array(n).fill('{"a":"b"}').join(',')}]`;
  for (const make of [long, many]) {
    looked(make(1_000));
    // Quadratic work would take minutes for this input.
    expect(looked(make(300_000))).toBeLessThan(5_000);
  }
});
