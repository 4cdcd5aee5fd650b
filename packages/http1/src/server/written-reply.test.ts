import { expect, test } from 'bun:test';
import { ByteWriter } from '@flowgate/bytes/byte-writer';
import { WrittenReply } from './written-reply.ts';

const admission = { admitted: true, limit: 100, remaining: 0, resetAtMs: 1_800_000_000_001, retryAfterMs: 0 };

test.each([
  [admission, 'Retry-After: 7\r\n', true],
  [{ ...admission, limit: 200, remaining: 199 }, '', false],
  [undefined, 'Content-Type: application/json\r\nAccess-Control-Allow-Origin: *\r\n', false],
] as const)('the written lines equal the single headers', (limits, lines, closes) => {
  const reply = new WrittenReply(200, 'r1', limits, lines, null, closes);
  const writer = new ByteWriter(1_000);
  reply.writeLines(writer);
  expect(writer.at).toBeLessThanOrEqual(reply.maxLineBytes);
  const written = writer.bytes.toString('latin1', 0, writer.at);
  const { Connection, ...headers } = reply.headers;
  expect(Connection === 'close').toBe(closes);
  expect(written).toBe(
    Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join(''),
  );
});
