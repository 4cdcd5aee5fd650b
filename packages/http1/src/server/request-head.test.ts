import { describe, expect, test } from 'bun:test';
import { findHeadEnd } from '../client/http1-head.ts';
import type { HeadFault } from './head-fault.ts';
import { maxFields } from './header-fields.ts';
import { incompleteHeadFault, maxHeadBytes } from './incomplete-head.ts';
import { RequestHead } from './request-head.ts';
import { maxTargetBytes } from './request-line.ts';

const head = new RequestHead();

/** Each line as Latin-1; the line ends are added. */
function parse(...lines: readonly string[]): HeadFault | undefined {
  // Not at the beginning of its buffer, like a pipelined request.
  const bytes = Buffer.from(`xx${lines.map((line) => `${line}\r\n`).join('')}\r\nrest`, 'latin1');
  return head.parse(bytes, 2, findHeadEnd(bytes, 2));
}

const get = (...fields: readonly string[]) => parse('GET /a HTTP/1.1', 'Host: gateway', ...fields);

describe('a valid head is read', () => {
  test('with its fields, in any case of their names and without the white space around their values', () => {
    expect(
      parse('POST /rpc?x=1 HTTP/1.1', 'host:gateway:80', 'X-API-Key:\t fk_a \t', 'CONTENT-length: 12'),
    ).toBeUndefined();
    expect(head.line).toMatchObject({ method: 'POST', target: '/rpc?x=1', minor: 1 });
    expect(head).toMatchObject({ body: 12, isPersistent: true, expectsContinue: false });
    expect(head.fields.get('x-api-key')).toBe('fk_a');
    expect(head.fields.get('x-api-ke')).toBeNull();
    expect(head.fields.get('')).toBeNull();
    expect([head.fields.name(1), head.fields.value(1)]).toEqual(['x-api-key', 'fk_a']);
  });

  test('a repeated field is joined, an empty one is empty', () => {
    expect(get('X-A: 1', 'x-b:', 'x-a: 2')).toBeUndefined();
    expect(head.fields.get('x-a')).toBe('1, 2');
    expect(head.fields.get('x-b')).toBe('');
  });

  test('bytes beyond ASCII in a value are read as Latin-1', () => {
    expect(get('X-A: \xe9\xff')).toBeUndefined();
    expect(head.fields.get('x-a')).toBe('\xe9\xff');
  });

  test('the next head has no state of the previous one', () => {
    expect(get('X-A: 1', 'Connection: close', 'Expect: 100-continue', 'Content-Length: 3')).toBeUndefined();
    expect(head).toMatchObject({ body: 3, isPersistent: false, expectsContinue: true });
    expect(get()).toBeUndefined();
    expect(head).toMatchObject({ body: 0, isPersistent: true, expectsContinue: false });
    expect(head.fields.get('x-a')).toBeNull();
  });

  test('chunked, in any case', () => {
    expect(get('Transfer-Encoding: Chunked')).toBeUndefined();
    expect(head.body).toBe('chunked');
  });

  test('HTTP/1.0 needs no Host and closes unless it says otherwise', () => {
    expect(parse('GET /a HTTP/1.0')).toBeUndefined();
    expect(head.isPersistent).toBe(false);
    expect(parse('GET /a HTTP/1.0', 'Connection: Keep-Alive')).toBeUndefined();
    expect(head.isPersistent).toBe(true);
    expect(parse('POST /a HTTP/1.0', 'Content-Length: 1', 'Expect: 100-continue')).toBeUndefined();
    expect(head.expectsContinue).toBe(false);
  });

  test('Connection has at most 64 options in all its lines', () => {
    expect(get(`Connection: ${'x,'.repeat(62)}close`, 'Connection: keep-alive')).toBeUndefined();
    expect(head.isPersistent).toBe(false);
    expect(get(`Connection: ${'x,'.repeat(63)}x`, 'Connection: close')?.status).toBe(400);
    expect(get(`Connection: ${','.repeat(64)}`)?.status).toBe(400);
    expect(get('Connection:')).toBeUndefined();
    expect(get(`Connection: ${'x,'.repeat(63)}x`)).toBeUndefined();
  });

  test('`close` overrides all other options of Connection', () => {
    expect(get('Connection: keep-alive, x', 'connection: foo ,CLOSE')).toBeUndefined();
    expect(head.isPersistent).toBe(false);
  });

  const targets: readonly (readonly [line: string, host: string, target: string])[] = [
    ['GET http://gateway/a?b HTTP/1.1', 'gateway', '/a?b'],
    ['GET HTTPS://GateWay:8545 HTTP/1.1', 'gateway:8545', '/'],
    ['GET http://gateway?b HTTP/1.1', 'gateway', '/?b'],
    ['OPTIONS * HTTP/1.1', 'gateway', '*'],
    ['GET //a//b HTTP/1.1', '[::1]:80', '//a//b'],
    ['GET /%zz\\"<>{}|^` HTTP/1.1', '', '/%zz\\"<>{}|^`'],
  ];
  for (const [line, host, target] of targets)
    test(`${line} for ${host === '' ? 'an empty Host' : host}`, () => {
      expect(parse(line, `Host: ${host}`)).toBeUndefined();
      expect(head.line.target).toBe(target);
    });
});

describe('a head that two readers could understand differently is refused', () => {
  const refused: Record<string, readonly [status: number, ...lines: readonly string[]]> = {
    'two blanks in the request line': [400, 'GET  /a HTTP/1.1', 'Host: a'],
    'a tab in the request line': [400, 'GET\t/a HTTP/1.1', 'Host: a'],
    'a blank after the version': [400, 'GET /a HTTP/1.1 ', 'Host: a'],
    'no version': [400, 'GET /a', 'Host: a'],
    'a version in small letters': [400, 'GET /a http/1.1', 'Host: a'],
    'HTTP/2.0': [505, 'GET /a HTTP/2.0', 'Host: a'],
    'HTTP/1.5': [505, 'GET /a HTTP/1.5', 'Host: a'],
    'HTTP/0.9': [505, 'GET /a HTTP/0.9', 'Host: a'],
    'a version of two digits': [400, 'GET /a HTTP/1.10', 'Host: a'],
    'a method in small letters': [501, 'get /a HTTP/1.1', 'Host: a'],
    'a method that HTTP does not know': [501, 'BREW /a HTTP/1.1', 'Host: a'],
    CONNECT: [501, 'CONNECT node:80 HTTP/1.1', 'Host: node:80'],
    'TRACE with content': [400, 'TRACE /a HTTP/1.1', 'Host: a', 'Content-Length: 1'],
    'a method that is not a token': [400, 'G(T /a HTTP/1.1', 'Host: a'],
    'a target that is a name': [400, 'GET a HTTP/1.1', 'Host: a'],
    'a target with a fragment': [400, 'GET /a#b HTTP/1.1', 'Host: a'],
    'a target with bytes beyond ASCII': [400, 'GET /\xe9 HTTP/1.1', 'Host: a'],
    'a star for another method than OPTIONS': [400, 'GET * HTTP/1.1', 'Host: a'],
    'another scheme': [400, 'GET ftp://a/ HTTP/1.1', 'Host: a'],
    'user information in the target': [400, 'GET http://b@a/ HTTP/1.1', 'Host: a'],
    'another host in the target than in Host': [400, 'GET http://b/ HTTP/1.1', 'Host: a'],
    'another port in the target than in Host': [400, 'GET http://a:81/ HTTP/1.1', 'Host: a:80'],
    'no Host': [400, 'GET /a HTTP/1.1', 'X: a'],
    'two Hosts': [400, 'GET /a HTTP/1.1', 'Host: a', 'Host: a'],
    'two Hosts in HTTP/1.0': [400, 'GET /a HTTP/1.0', 'Host: a', 'host: b'],
    'a Host with a blank': [400, 'GET /a HTTP/1.1', 'Host: a b'],
    'a Host with a path': [400, 'GET /a HTTP/1.1', 'Host: a/b'],
    'a Host with user information': [400, 'GET /a HTTP/1.1', 'Host: a@b'],
    'an invalid port': [400, 'GET /a HTTP/1.1', 'Host: a:999999'],
    'a blank before the colon': [400, 'GET /a HTTP/1.1', 'Host : a'],
    'a blank before the name': [400, 'GET /a HTTP/1.1', 'Host: a', ' X: a'],
    'a folded value': [400, 'GET /a HTTP/1.1', 'Host: a', 'X: a', '\tb'],
    'a name that is empty': [400, 'GET /a HTTP/1.1', 'Host: a', ': a'],
    'a line without a colon': [400, 'GET /a HTTP/1.1', 'Host: a', 'chunked'],
    'a NUL in a value': [400, 'GET /a HTTP/1.1', 'Host: a', 'X: a\0'],
    'a NUL in a name': [400, 'GET /a HTTP/1.1', 'Host: a', 'X\0: a'],
    'a bare line feed': [400, 'GET /a HTTP/1.1', 'Host: a', 'X: a\nY: b'],
    'a bare carriage return': [400, 'GET /a HTTP/1.1', 'Host: a', 'X: a\rY: b'],
    'a delete character': [400, 'GET /a HTTP/1.1', 'Host: a', 'X: \x7f'],
    'length and coding': [400, 'POST /a HTTP/1.1', 'Host: a', 'Content-Length: 1', 'Transfer-Encoding: chunked'],
    'two equal lengths': [400, 'POST /a HTTP/1.1', 'Host: a', 'Content-Length: 1', 'Content-Length: 1'],
    'a list of lengths': [400, 'POST /a HTTP/1.1', 'Host: a', 'Content-Length: 1, 1'],
    'a tab before the length': [400, 'POST /a HTTP/1.1', 'Host: a', 'Content-Length:\t1'],
    'a tab after the length': [400, 'POST /a HTTP/1.1', 'Host: a', 'Content-Length: 1\t'],
    'a tab before the coding': [400, 'POST /a HTTP/1.1', 'Host: a', 'Transfer-Encoding:\tchunked'],
    'an empty length': [400, 'POST /a HTTP/1.1', 'Host: a', 'Content-Length:'],
    'a signed length': [400, 'POST /a HTTP/1.1', 'Host: a', 'Content-Length: +1'],
    'a length of Arabic digits in Latin-1': [400, 'POST /a HTTP/1.1', 'Host: a', 'Content-Length: \xb9'],
    'a length that is not a safe integer': [400, 'POST /a HTTP/1.1', 'Host: a', 'Content-Length: 1000000000000000'],
    'a coding that is not known': [501, 'POST /a HTTP/1.1', 'Host: a', 'Transfer-Encoding: gzip'],
    'two codings': [400, 'POST /a HTTP/1.1', 'Host: a', 'Transfer-Encoding: gzip, chunked'],
    'chunked twice': [400, 'POST /a HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'],
    'a quoted coding': [400, 'POST /a HTTP/1.1', 'Host: a', 'Transfer-Encoding: "chunked"'],
    'an empty coding': [400, 'POST /a HTTP/1.1', 'Host: a', 'Transfer-Encoding:'],
    'a coding in HTTP/1.0': [400, 'POST /a HTTP/1.0', 'Host: a', 'Transfer-Encoding: chunked'],
    'an unknown expectation': [417, 'POST /a HTTP/1.1', 'Host: a', 'Expect: 200-ok'],
    'a target that is too long': [414, `GET /${'a'.repeat(maxTargetBytes)} HTTP/1.1`, 'Host: a'],
    'too many fields': [431, 'GET /a HTTP/1.1', ...Array.from({ length: maxFields + 1 }, (_, at) => `X-${at}: a`)],
  };
  for (const [name, [status, ...lines]] of Object.entries(refused))
    test(name, () => {
      const fault = parse(...lines);
      expect<number | undefined>(fault?.status).toBe(status);
      for (const secret of ['\xe9', 'BREW', '200-ok']) expect(fault?.detail).not.toContain(secret);
    });

  test('and has the path if the request line was read, for the envelope of the refusal', () => {
    expect(parse('POST /flow/sessions?x HTTP/1.1', 'Host: a', 'Host: b')?.status).toBe(400);
    expect(head.line.target).toBe('/flow/sessions?x');
    expect(parse(`POST /flow/${'a'.repeat(maxTargetBytes)} HTTP/1.1`)?.status).toBe(414);
    expect(head.line.target).toStartWith('/flow/a');
  });
});

describe('an incomplete head', () => {
  const fault = (text: string, searched = 0) => incompleteHeadFault(Buffer.from(text, 'latin1'), 0, searched)?.status;

  test('may still become valid', () => {
    for (const text of ['', 'G', 'GET /a HTTP/1.1\r', 'GET /a HTTP/1.1\r\nHost: a\r\n'])
      expect(fault(text)).toBeUndefined();
    expect(fault(`GET /a HTTP/1.1\r\nX: ${'a'.repeat(maxHeadBytes - 20)}`)).toBeUndefined();
  });

  test('is refused as soon as it cannot become valid', () => {
    expect(fault('\x16\x03\x01')).toBe(400);
    expect(fault(' GET')).toBe(400);
    expect(fault('GET /a HTTP/1.1\n')).toBe(400);
    expect(fault('\n')).toBe(400);
    expect(fault('GET /a HTTP/1.1\r\nX: a\n')).toBe(400);
    expect(fault(`GET /${'a'.repeat(maxHeadBytes)}`)).toBe(414);
    expect(fault(`GET /a HTTP/1.1\r\nX: ${'a'.repeat(maxHeadBytes)}`)).toBe(431);
  });
});
