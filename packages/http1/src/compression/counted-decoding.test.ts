import { expect, test } from 'bun:test';
import { constants, createZstdCompress, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { type BodyCoding, decodeCounted } from './counted-decoding.ts';
import { zstdWindowBytes } from './zstd-window.ts';

const encode = { gzip: (bytes: Uint8Array) => gzipSync(bytes), zstd: (bytes: Uint8Array) => zstdCompressSync(bytes) };
const codings: readonly BodyCoding[] = ['gzip', 'zstd'];
const always = () => true;
const text = async (bytes: Uint8Array, coding: BodyCoding) => {
  const outcome = await decodeCounted(bytes, coding, always);
  return typeof outcome === 'string' ? outcome : Buffer.from(outcome).toString();
};
const call = Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"eth_call","params":["${crypto.randomUUID().repeat(40)}"]}`);

async function streamed(bytes: Uint8Array, params: Record<number, number>): Promise<Uint8Array> {
  const encoder = createZstdCompress({ params });
  const pieces: Uint8Array[] = [];
  encoder.on('data', (piece: Uint8Array) => pieces.push(piece));
  const ended = new Promise((resolve) => encoder.on('end', resolve));
  encoder.write(bytes.subarray(0, 10));
  encoder.end(bytes.subarray(10));
  await ended;
  return Buffer.concat(pieces);
}

for (const coding of codings) {
  test(`${coding}: encoded content is decoded, also in several frames or members`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 3_000 }), { minLength: 1, maxLength: 3 }),
        async (parts) => {
          const bytes = Buffer.concat(parts.map(encode[coding]));
          expect(await decodeCounted(bytes, coding, always)).toEqual(Uint8Array.from(Buffer.concat(parts)));
        },
      ),
      { numRuns: 30 },
    );
  });

  test(`${coding}: content truncated at any byte is malformed, and so is content with trailing data`, async () => {
    const whole = encode[coding](call);
    expect(await text(whole, coding)).toBe(call.toString());
    for (let end = 0; end < whole.length; end += end < 40 || end > whole.length - 20 ? 1 : 97)
      expect([end, await text(whole.subarray(0, end), coding)]).toEqual([end, 'malformed']);
    // Zeros after a gzip member are padding, as on tapes.
    for (const tail of ['x', 'xxxx', 'garbage behind', ...(coding === 'zstd' ? ['\0', '\0'.repeat(8)] : [])])
      expect([tail, await text(Buffer.concat([whole, Buffer.from(tail)]), coding)]).toEqual([tail, 'malformed']);
    expect(await text(Buffer.from('{"jsonrpc":"2.0"}'), coding)).toBe('malformed');
  });

  test(`${coding}: nothing is decoded any more once there is no room`, async () => {
    const bomb = encode[coding](Buffer.alloc(50_000_000));
    expect(bomb.length).toBeLessThan(60_000);
    let decoded = 0;
    const outcome = await decodeCounted(bomb, coding, (bytes) => {
      decoded += bytes;
      return decoded <= 1_000_000;
    });
    expect(outcome).toBe('stopped');
    expect(decoded).toBeLessThan(1_200_000);
  });
}

test('gzip: a wrong checksum is malformed', async () => {
  const whole = Buffer.from(encode.gzip(call));
  whole[whole.length - 6] = (whole[whole.length - 6] ?? 0) ^ 1;
  expect(await text(whole, 'gzip')).toBe('malformed');
});

test('zstd: a frame with a larger window than 8 MiB is malformed, and a checksum counts (RFC 9659)', async () => {
  const { ZSTD_c_windowLog, ZSTD_c_checksumFlag } = constants;
  expect(await text(await streamed(call, { [ZSTD_c_windowLog]: 23 }), 'zstd')).toBe(call.toString());
  expect(await text(await streamed(call, { [ZSTD_c_windowLog]: 24 }), 'zstd')).toBe('malformed');
  const summed = Buffer.from(await streamed(call, { [ZSTD_c_checksumFlag]: 1 }));
  expect(await text(summed, 'zstd')).toBe(call.toString());
  expect(await text(summed.subarray(0, -1), 'zstd')).toBe('malformed');
  summed[summed.length - 1] = (summed[summed.length - 1] ?? 0) ^ 1;
  expect(await text(summed, 'zstd')).toBe('malformed');
});

test('zstd: frames that are skipped are whole, too (RFC 8878, 3.1.2)', async () => {
  const skipped = Buffer.from([0x5e, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
  expect(zstdWindowBytes(skipped)).toBeDefined();
  expect(zstdWindowBytes(skipped.subarray(0, -1))).toBeUndefined();
  expect(await text(Buffer.concat([skipped, encode.zstd(call)]), 'zstd')).toBe(call.toString());
});

test('zstd: frame heads are read in time linear in the body, for any content', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
      for (const bytes of [Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), noise]), noise])
        expect(['number', 'undefined']).toContain(typeof zstdWindowBytes(bytes));
    }),
  );
});

test('zstd: more frames or blocks than an encoder produces are malformed: each costs time on the event loop', async () => {
  const empty = encode.zstd(Buffer.alloc(0));
  const skipped = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0]);
  const max = 256;
  for (const each of [empty, skipped]) {
    const behind = (count: number) => Buffer.concat([...Array(count).fill(each), encode.zstd(call)]);
    expect(await text(behind(max - 1), 'zstd')).toBe(call.toString());
    expect(await text(behind(max), 'zstd')).toBe('malformed');
  }
  // A frame of empty blocks: block heads of three bytes; the last one has the flag `last`.
  const blocks = (count: number) =>
    Buffer.concat([
      Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x20]),
      Buffer.alloc(3 * (count - 1)),
      Buffer.from([1, 0, 0]),
    ]);
  expect(zstdWindowBytes(blocks(65_536))).toBeDefined();
  expect(zstdWindowBytes(blocks(65_537))).toBeUndefined();
  expect(zstdWindowBytes(Buffer.concat([blocks(40_000), blocks(40_000)]))).toBeUndefined();
});

test('zstd: the memory that a decoder needs is known before it begins, and may be refused', async () => {
  const windowOf = async (windowLog: number) =>
    zstdWindowBytes(await streamed(Buffer.alloc(100_000, 'ab'), { [constants.ZSTD_c_windowLog]: windowLog }));
  for (const windowLog of [10, 17, 20, 23]) expect(await windowOf(windowLog)).toBe(2 ** windowLog);
  // A single piece of known length needs no larger window.
  for (const length of [200, 3_000, 200_000])
    expect(zstdWindowBytes(zstdCompressSync(Buffer.alloc(length)))).toBe(length);
  const asked: number[] = [];
  const refuse = (bytes: number) => asked.push(bytes) === 0;
  const body = await streamed(call, { [constants.ZSTD_c_windowLog]: 22 });
  expect(await decodeCounted(body, 'zstd', always, refuse)).toBe('stopped');
  expect(await decodeCounted(gzipSync(call), 'gzip', always, refuse)).toBe('stopped');
  expect(asked).toEqual([2 ** 22, 32_768]);
  const wide = await streamed(call, { [constants.ZSTD_c_windowLog]: 24 });
  expect(await decodeCounted(wide, 'zstd', always)).toBe('malformed');
});
