import { expect, test } from 'bun:test';
import { HttpReader, statusOf } from './http-reader.ts';

const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nx: y\r\n\r\nhello';

test('one chunk with one answer is one message', () => {
  const reader = new HttpReader();
  const message = reader.next(Buffer.from(answer));
  expect(statusOf(message?.head ?? '')).toBe(200);
  expect(message?.body.toString()).toBe('hello');
  expect(reader.leftoverBytes).toBe(0);
});

test('a message that arrives byte by byte is read', () => {
  const reader = new HttpReader();
  const bytes = Buffer.from(answer);
  for (let at = 0; at < bytes.length - 1; at += 1) expect(reader.next(bytes.subarray(at, at + 1))).toBeUndefined();
  expect(reader.next(bytes.subarray(-1))?.body.toString()).toBe('hello');
});

test('an incomplete message does not change when the runtime reuses a chunk’s memory', () => {
  const reader = new HttpReader();
  const chunk = Buffer.from(answer.slice(0, -1));
  reader.next(chunk);
  chunk.fill(0);
  expect(reader.next(Buffer.from('o'))?.body.toString()).toBe('hello');
});

test('pipelined messages are returned one after another', () => {
  const reader = new HttpReader();
  expect(reader.next(Buffer.from(`${answer}HTTP/1.1 204 No Content\r\n\r\n`))?.body.toString()).toBe('hello');
  expect(reader.leftoverBytes).toBeGreaterThan(0);
  expect(statusOf(reader.next()?.head ?? '')).toBe(204);
  expect(reader.next()).toBeUndefined();
});

test('a chunked message throws', () => {
  expect(() =>
    new HttpReader().next(Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n')),
  ).toThrow('chunked');
});
