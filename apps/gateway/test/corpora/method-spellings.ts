/**
 * Spellings with which a forbidden method could look like another one, or like none, to one of two parsers
 * (contract/json-rpc#spelling).
 */

import { gzipSync, zstdCompressSync } from 'node:zlib';

export type MethodSpellings = {
  /** Bodies that call the forbidden method in JSON that hides it: the refusal names it. */
  readonly disguised: Readonly<Record<string, string>>;
  /** Bodies that two parsers could understand differently: refused regardless of the method. */
  readonly refusedOutright: Readonly<Record<string, string>>;
  /** Bodies that are not JSON in UTF-8 on arrival, with the status of their refusal. */
  readonly carriers: Readonly<
    Record<string, readonly [headers: Record<string, string>, body: Uint8Array<ArrayBuffer>, status: number]>
  >;
};

export function methodSpellings(forbidden: string, harmless: string): MethodSpellings {
  const [first = '', second = '', ...rest] = forbidden;
  const call = (method: string) => `{"jsonrpc":"2.0","id":1,"method":"${method}"}`;
  const disguised = {
    'an escaped first letter': call(escaped(first) + forbidden.slice(1)),
    'an escaped second letter': call(first + escaped(second) + rest.join('')),
    'every letter escaped': call(escaped(forbidden)),
    'capital digits in every escape': call(escaped(forbidden).replaceAll(/u[0-9a-f]{4}/g, (u) => `u${u.slice(1).toUpperCase()}`)),
    'an escaped member name': `{"jsonrpc":"2.0","id":1,"\\u006d\\u0065thod":"${forbidden}"}`,
    'white space around everything': ` \r\n\t{ "jsonrpc" :\t"2.0" ,\n"id" : 1 , "method" \r: "${forbidden}" } \n`,
    'a member before it named params': `{"params":{"method":"${harmless}"},"jsonrpc":"2.0","id":1,"method":"${forbidden}"}`,
    'a harmless method nested behind it': `{"jsonrpc":"2.0","id":1,"method":"${forbidden}","x":{"method":"${harmless}"}}`,
    'brackets inside strings': `{"jsonrpc":"2.0","id":1,"params":["}]\\"],{"],"method":"${forbidden}"}`,
  };
  const refusedOutright = {
    'a second method': `{"jsonrpc":"2.0","id":1,"method":"${harmless}","method":"${forbidden}"}`,
    'a first method': `{"jsonrpc":"2.0","id":1,"method":"${forbidden}","method":"${harmless}"}`,
    'METHOD in addition to method': `{"jsonrpc":"2.0","id":1,"method":"${harmless}","METHOD":"${forbidden}"}`,
    'Method instead of method': `{"jsonrpc":"2.0","id":1,"Method":"${forbidden}"}`,
    'an escaped second method': `{"jsonrpc":"2.0","id":1,"method":"${harmless}","\\u004dethod":"${forbidden}"}`,
    'an array of methods': `{"jsonrpc":"2.0","id":1,"method":["${harmless}","${forbidden}"]}`,
    'a batch in a batch': `[[${call(forbidden)}]]`,
    'two objects': call(harmless) + call(forbidden),
    'a NUL between two objects': `${call(harmless)}\u0000{"method":"${forbidden}"}`,
    'a comment': `{"jsonrpc":"2.0","id":1,/*"method":"${harmless}",*/"method":"${forbidden}"}`,
    'single quotes': `{'jsonrpc':'2.0','id':1,'method':'${forbidden}'}`,
  };
  const plain = Buffer.from(call(forbidden));
  const inUtf16 = Uint8Array.from(Buffer.from(`\ufeff${call(forbidden)}`, 'utf16le'));
  const zipped = Uint8Array.from(gzipSync(plain));
  // The second letter in two bytes, as no encoder writes it.
  const code = second.charCodeAt(0);
  const twoBytes = String.fromCharCode(0xc0 | (code >> 6), 0x80 | (code & 0x3f));
  const at = plain.toString('latin1').indexOf(`"${forbidden}"`) + 2;
  const overlong = plain.toString('latin1').slice(0, at) + twoBytes + plain.toString('latin1').slice(at + 1);
  const bytes = Uint8Array.from(plain);
  return {
    disguised,
    refusedOutright,
    carriers: {
      gzip: [{ 'Content-Encoding': 'gzip' }, zipped, 403],
      zstd: [{ 'Content-Encoding': 'zstd' }, Uint8Array.from(zstdCompressSync(plain)), 403],
      'gzip in gzip': [{ 'Content-Encoding': 'gzip' }, Uint8Array.from(gzipSync(zipped)), 400],
      'two codings': [{ 'Content-Encoding': 'gzip, gzip' }, Uint8Array.from(gzipSync(zipped)), 415],
      'gzip without saying so': [{}, zipped, 400],
      'an encoding that is only said': [{ 'Content-Encoding': 'br' }, bytes, 415],
      'UTF-16': [{}, inUtf16, 400],
      'a charset of UTF-16': [{ 'Content-Type': 'application/json; charset=utf-16' }, inUtf16, 415],
      'an overlong letter': [{}, Uint8Array.from(Buffer.from(overlong, 'latin1')), 400],
      'a form': [{ 'Content-Type': 'application/x-www-form-urlencoded' }, bytes, 415],
      'plain text': [{ 'Content-Type': 'text/plain' }, bytes, 415],
      multipart: [{ 'Content-Type': 'multipart/form-data; boundary=x' }, bytes, 415],
    },
  };
}

function escaped(text: string): string {
  return Array.from(text, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
}
