/** Requests one after another in one buffer, each with the byte length of its body. */
import { expect, test } from 'bun:test';
import { TextContent } from '@flowgate/bytes/byte-content';
import type { ByteWriter } from '@flowgate/bytes/byte-writer';
import fc from 'fast-check';
import { RequestBytes } from './request-bytes.ts';

const head = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ';
const written = (requests: RequestBytes) => Buffer.from(requests.all.subarray(0, requests.length)).toString();
const asText = (bodies: readonly string[]) =>
  bodies.map((body) => `${head}${Buffer.byteLength(body)}\r\n\r\n${body}`).join('');

test('any number of any bodies are in the buffer in the order in which they were added', () => {
  const requests = new RequestBytes(head);
  const body = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.integer({ min: 0, max: 40_000 }).map((count) => 'é'.repeat(count)),
    fc.integer({ min: 0, max: 40_000 }).map((count) => '€'.repeat(count)),
  );
  fc.assert(
    fc.property(fc.array(body, { maxLength: 8 }), fc.nat(), (bodies, from) => {
      requests.clear();
      for (const each of bodies) requests.add(new TextContent(each));
      expect(written(requests)).toBe(asText(bodies));
      const at = requests.length === 0 ? 0 : from % requests.length;
      expect(Buffer.from(requests.rest(at))).toEqual(Buffer.from(asText(bodies)).subarray(at));
    }),
    { numRuns: 200 },
  );
});

test('the rest is a copy: later requests do not change it', () => {
  const requests = new RequestBytes(head);
  requests.add(new TextContent('first'));
  const rest = requests.rest(requests.length - 5);
  requests.clear();
  requests.add(new TextContent('later'));
  expect(Buffer.from(rest).toString()).toBe('first');
});

test('content whose length differs from the announced one is never sent: the server would read the rest as the next request', () => {
  const requests = new RequestBytes(head);
  requests.add(new TextContent('first'));
  for (const length of [4, 6]) {
    const wrong = { length, writeTo: (writer: ByteWriter) => writer.ascii('wrong') };
    expect(() => requests.add(wrong)).toThrow('another length');
  }
  requests.add(new TextContent('last'));
  expect(written(requests)).toBe(asText(['first', 'last']));
});
