import { expect, test } from 'bun:test';
import { readConsoleBundle } from './console-bundle.ts';

const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

function packed(): Uint8Array {
  const index = {
    'index.html': { type: 'text/html', etag: 'a', codings: { identity: [0, 5], zstd: [5, 3] } },
    'assets/x.js': { type: 'text/javascript', etag: 'b', codings: { identity: [8, 4] } },
  };
  return Buffer.from(`${JSON.stringify(index)}\nplainzstcode`);
}

test('a file is served in the coding that it is packed in, and uncompressed for any other (contract/console#serving)', () => {
  const { file } = readConsoleBundle(packed());
  const page = file('index.html');
  expect(text(page?.inCoding('zstd').bytes)).toBe('zst');
  expect([page?.inCoding('gzip').coding, text(page?.inCoding('gzip').bytes)]).toEqual(['identity', 'plain']);
  expect(text(file('assets/x.js')?.inCoding('identity').bytes)).toBe('code');
  for (const none of ['', '/', 'assets/y.js', '../index.html', 'constructor', '__proto__'])
    expect(file(none)).toBeUndefined();
});

test('a bundle without the plain form of a file is refused', () => {
  const index = { 'a.js': { type: 'text/javascript', etag: 'a', codings: { zstd: [0, 1] } } };
  expect(() => readConsoleBundle(Buffer.from(`${JSON.stringify(index)}\nz`))).toThrow('a.js');
});
