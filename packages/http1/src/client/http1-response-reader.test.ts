import { describe, expect, test } from 'bun:test';
import { unmetered, type WorkMeter } from '@flowgate/async/turn-budget';
import fc from 'fast-check';
import { freeChunks, minAverageChunkBytes } from './chunked-decoder.ts';
import { type ReadResult, ResponseReader } from './http1-response-reader.ts';

type Outcome = { result: ReadResult; status: number; body: string; reusable: boolean };

/** Pushes the pieces until the reader has decided; `ended`: the server then closes its side. */
function read(pieces: readonly Uint8Array[], ended = false, maxBodyBytes = 1 << 20): Outcome {
  const found = readWithin(pieces, ended, maxBodyBytes, unmetered);
  let charges = 0;
  expect(readWithin(pieces, ended, maxBodyBytes, { spend: () => ++charges % 3 === 0 })).toEqual(found);
  return found;
}

/** When the reader stops, the rest of the piece is read later. */
function readWithin(pieces: readonly Uint8Array[], ended: boolean, maxBodyBytes: number, work: WorkMeter): Outcome {
  const reader = new ResponseReader(maxBodyBytes, undefined, work);
  reader.reset();
  let result: ReadResult = 'more';
  let isClean = true;
  for (const piece of pieces) {
    if (result !== 'more') return { result, status: reader.status, body: reader.body, reusable: false };
    const reused = Uint8Array.from(piece);
    result = reader.push(reused);
    while (result === 'more' && reader.usedTo < reused.length) result = reader.push(reused, reader.usedTo);
    isClean = reader.usedTo === piece.length;
    // Content is a range of the piece that completed it; no range of an earlier piece is used.
    if (result === 'more') reused.fill(0x58);
  }
  if (result === 'more' && ended) result = reader.end();
  return { result, status: reader.status, body: reader.body, reusable: reader.reusable && isClean };
}

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'utf8'));
const oneByOne = (text: string) => Array.from(bytes(text), (byte) => Uint8Array.of(byte));
const plain = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{"a":"é€"}';
const chunked =
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n5;a="b c";d\r\nhello\r\n00A\r\n wonderful\r\n0\r\nX-T: 1\r\n\r\n';

describe('whole responses, however they are cut', () => {
  for (const [name, text, body, ended] of [
    ['Content-Length', plain, '{"a":"é€"}', false],
    ['chunked with extensions, trailers and an interim response', chunked, 'hello wonderful', false],
    ['HTTP/1.0 until close', 'HTTP/1.0 200 OK\r\n\r\nuntil the end', 'until the end', true],
    ['an empty body until close', 'HTTP/1.1 200 OK\r\n\r\n', '', true],
    ['no reason phrase and no blank', 'HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok', 'ok', false],
  ] as const) {
    test(`${name}: the same at every cut and one byte at a time (RFC 9112)`, () => {
      const all = bytes(text);
      for (let cut = 0; cut <= all.length; cut++) {
        const outcome = read(
          [all.subarray(0, cut), all.subarray(cut)].filter((piece) => piece.length > 0),
          ended,
        );
        expect(outcome).toMatchObject({ result: 'done', status: 200, body });
      }
      expect(read(oneByOne(text), ended)).toMatchObject({ result: 'done', status: 200, body, reusable: !ended });
    });

    test(`${name}: not done before its last byte`, () => {
      const all = bytes(text);
      for (let cut = 0; cut < all.length; cut++) expect(read([all.subarray(0, cut)]).result).toBe('more');
    });
  }

  test('204 and 304 have no body, for any header fields (RFC 9110 6.4.1)', () => {
    expect(read([bytes('HTTP/1.1 204 No Content\r\n\r\n')])).toMatchObject({
      result: 'done',
      body: '',
      reusable: true,
    });
    expect(read([bytes('HTTP/1.1 304 N\r\nContent-Length: 9\r\n\r\n')])).toMatchObject({ result: 'done', body: '' });
  });

  test('content does not change while the next response is read, for any split of both', () => {
    const [first, second] = ['a', 'b'].map((letter) =>
      bytes(`HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n${letter.repeat(8)}`),
    );
    for (const framing of [first, second]) expect(framing?.length).toBe(first?.length);
    for (let cut = 1; cut < (first?.length ?? 0); cut++) {
      const reader = new ResponseReader(1 << 20);
      const contents = [first, second, second].map((response) => {
        reader.reset();
        reader.push(Uint8Array.from(response?.subarray(0, cut) ?? []));
        expect(reader.push(Uint8Array.from(response?.subarray(cut) ?? []))).toBe('done');
        return reader.content;
      });
      expect(contents.map((content) => content.text())).toEqual(['aaaaaaaa', 'bbbbbbbb', 'bbbbbbbb']);
    }
  });

  test('the bytes of a whole answer are a copy: the next response does not change them', () => {
    const reader = new ResponseReader(100);
    const readWhole = (text: string) => {
      reader.reset();
      reader.readWhole(100);
      reader.push(bytes(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n${text}\r\n0\r\n\r\n`));
      return reader.whole?.bytes ?? new Uint8Array();
    };
    const first = readWhole('first');
    expect(Buffer.from(readWhole('later')).toString()).toBe('later');
    expect(Buffer.from(first).toString()).toBe('first');
  });

  test('a body of 5 MB in pieces of 1,000 bytes', () => {
    const body = 'x€'.repeat(1_250_000);
    const all = bytes(`HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    const pieces = Array.from({ length: Math.ceil(all.length / 1000) }, (_, i) =>
      all.subarray(i * 1000, i * 1000 + 1000),
    );
    expect(read(pieces, false, 5_000_000).body === body).toBeTrue();
  });
});

test('a body has a bounded number of chunks: one for every 16 bytes, and 131,072 in any case (contract/bounds#pieces: an answer: chunks)', () => {
  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
  const body = (count: number, content: string) =>
    bytes(`${head}${`${content.length.toString(16)}\r\n${content}\r\n`.repeat(count)}0\r\n\r\n`);
  const max = 10_000_000;
  expect(read([body(freeChunks, 'x')], false, max)).toMatchObject({ result: 'done', body: 'x'.repeat(freeChunks) });
  expect(read([body(2 * freeChunks, 'x')], false, max)).toMatchObject({ result: 'malformed' });
  const small = 'x'.repeat(minAverageChunkBytes);
  expect(read([body(3 * freeChunks, small)], false, max)).toMatchObject({
    result: 'done',
    body: small.repeat(3 * freeChunks),
  });
});

describe('a connection is reusable only after a clean response', () => {
  const reusable = (text: string) => read([bytes(text)]).reusable;
  test('Connection: close, HTTP/1.0 and bytes after the end forbid it (RFC 9112 9.3)', () => {
    expect(reusable(plain)).toBeTrue();
    expect(reusable(plain.replace('\r\n\r\n', '\r\nConnection: x, Close\r\n\r\n'))).toBeFalse();
    expect(reusable(plain.replace('HTTP/1.1', 'HTTP/1.0'))).toBeFalse();
    expect(reusable(`${plain}H`)).toBeFalse();
    expect(reusable(`${chunked}H`)).toBeFalse();
    expect(reusable('HTTP/1.1 204 N\r\nContent-Length: 2\r\n\r\nok')).toBeFalse();
  });

  test('content that 204 or 304 announces forbids it: the content may still arrive and is not part of the next response', () => {
    for (const status of ['204 No Content', '304 Not Modified'])
      for (const [field, reusable] of [
        ['Content-Length: 0', true],
        ['Content-Length: 9', false],
        ['Transfer-Encoding: chunked', false],
      ] as const)
        expect(read([bytes(`HTTP/1.1 ${status}\r\n${field}\r\n\r\n`)])).toMatchObject({ result: 'done', reusable });
  });

  test('a reset reader has no state of the previous response', () => {
    const reader = new ResponseReader(100);
    for (const text of [chunked, plain, chunked]) {
      let result: ReadResult = 'more';
      for (const piece of oneByOne(text)) result = reader.push(piece);
      expect(result).toBe('done');
      expect(reader.body).toBe(text === plain ? '{"a":"é€"}' : 'hello wonderful');
      reader.reset();
    }
  });
});

describe('malformed responses are refused, whole or in pieces', () => {
  const ok = 'HTTP/1.1 200 OK\r\n';
  const te = `${ok}Transfer-Encoding: chunked\r\n\r\n`;
  for (const [name, text] of [
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['HTTP/2', 'HTTP/2 200 OK\r\n\r\n'],
    ['HTTP/1.2', 'HTTP/1.2 200 OK\r\n\r\n'],
    ['small letters in the version', 'http/1.1 200 OK\r\n\r\n'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
    ['a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n'],
    ['a status over 599', 'HTTP/1.1 600 OK\r\n\r\n'],
    ['a status under 100', 'HTTP/1.1 099 OK\r\n\r\n'],
    ['two blanks before the status', 'HTTP/1.1  200 OK\r\n\r\n'],
    ['switching protocols', 'HTTP/1.1 101 Switching\r\n\r\n'],
    ['an interim response that ends the connection', `HTTP/1.1 100 C\r\nConnection: close\r\n\r\n${plain}`],
    ['a folded field', `${ok}A: b\r\n c\r\nContent-Length: 0\r\n\r\n`],
    ['a NUL in a value', `${ok}A: b\0\r\nContent-Length: 0\r\n\r\n`],
    ['a NUL in the reason', 'HTTP/1.1 200 O\0K\r\nContent-Length: 0\r\n\r\n'],
    ['a bare LF', `${ok}A: b\nContent-Length: 0\r\n\r\n`],
    ['a bare CR', `${ok}A: b\rc\r\nContent-Length: 0\r\n\r\n`],
    ['a blank before the colon', `${ok}Content-Length : 0\r\n\r\n`],
    ['an empty field name', `${ok}: b\r\nContent-Length: 0\r\n\r\n`],
    ['a line without colon', `${ok}hello\r\nContent-Length: 0\r\n\r\n`],
    ['two equal Content-Lengths', `${ok}Content-Length: 1\r\nContent-Length: 1\r\n\r\na`],
    ['two different Content-Lengths', `${ok}Content-Length: 1\r\nContent-Length: 2\r\n\r\na`],
    ['a list of Content-Lengths', `${ok}Content-Length: 1, 1\r\n\r\na`],
    ['a signed Content-Length', `${ok}Content-Length: +1\r\n\r\na`],
    ['a hexadecimal Content-Length', `${ok}Content-Length: 0x1\r\n\r\na`],
    ['an empty Content-Length', `${ok}Content-Length:\r\n\r\na`],
    ['Content-Length with Transfer-Encoding', `${ok}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['another transfer coding', `${ok}Transfer-Encoding: gzip, chunked\r\n\r\n`],
    ['chunked twice', `${ok}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n`],
    ['chunked in HTTP/1.0', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ['a compressed body', `${ok}Content-Encoding: gzip\r\nContent-Length: 0\r\n\r\n`],
    ['a chunk size without digits', `${te}\r\n`],
    ['a chunk size that is no number', `${te}g\r\n`],
    ['a signed chunk size', `${te}-1\r\n`],
    ['a chunk size with 17 digits', `${te}00000000000000001\r\na`],
    ['a blank after the chunk size', `${te}1 \r\na`],
    ['a bare LF after the chunk size', `${te}1\na`],
    ['a chunk longer than its size', `${te}1\r\nab\r\n`],
    ['a NUL in a chunk extension', `${te}1;\0\r\n`],
    ['a chunk extension without a name', `${te}1;\r\na\r\n0\r\n\r\n`],
    ['a chunk extension with a comma in its name', `${te}1;a,=b\r\na\r\n0\r\n\r\n`],
    ['a chunk extension without its value', `${te}1;a=\r\na\r\n0\r\n\r\n`],
    ['a chunk extension that continues after its quotes', `${te}1;a="b"c\r\na\r\n0\r\n\r\n`],
    ['a coding behind the content', `${te}0\r\nTransfer-Encoding: chunked\r\n\r\n`],
    ['a length behind the content', `${te}0\r\ncontent-LENGTH: 1\r\n\r\n`],
    ['a folded trailer', `${te}0\r\nA: b\r\n c\r\n\r\n`],
    ['a trailer without colon', `${te}0\r\nabc\r\n\r\n`],
    ['endless chunk extensions', `${te}1;${'a'.repeat(70_000)}`],
    ['endless trailers', `${te}0\r\n${'A: b\r\n'.repeat(40_000)}`],
    ['an endless head', `${ok}A: ${'b'.repeat(66_000)}`],
    ['a head over 64 KiB', `${ok}A: ${'b'.repeat(65_600)}\r\nContent-Length: 0\r\n\r\n`],
    ['endless interim responses', 'HTTP/1.1 103 Early\r\nA: b\r\n\r\n'.repeat(3_000)],
  ] as const) {
    test(name, () => {
      expect(read([bytes(text)]).result).toBe('malformed');
      expect(read(oneByOne(text)).result).toBe('malformed');
    });
  }

  test('a body that is not UTF-8', () => {
    for (const wrong of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80]]) {
      const head = bytes(`${ok}Content-Length: ${wrong.length}\r\n\r\n`);
      expect(read([head, Uint8Array.from(wrong)]).result).toBe('malformed');
      expect(read([Uint8Array.from([...bytes(`${ok}\r\n`), ...wrong])], true).result).toBe('malformed');
    }
  });

  test('a byte order mark is part of the body: no byte of a body is dropped', () => {
    expect(read([bytes(`${ok}Content-Length: 4\r\n\r\n\ufeffa`)]).body).toBe('\ufeffa');
  });
});

describe('white space around a value is blanks and tabs, nothing else (RFC 9110 5.6.3)', () => {
  const fields = {
    'Content-Length': (around: string) => `HTTP/1.1 200 OK\r\nContent-Length:${around}2${around}\r\n\r\nok`,
    'Transfer-Encoding': (around: string) =>
      `HTTP/1.1 200 OK\r\nTransfer-Encoding:${around}chunked${around}\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
    'Content-Encoding': (around: string) =>
      `HTTP/1.1 200 OK\r\nContent-Encoding:${around}identity${around}\r\nContent-Length: 2\r\n\r\nok`,
  };
  for (const [name, respond] of Object.entries(fields))
    test(name, () => {
      const accepted: number[] = [];
      for (let code = 0; code < 256; code++) {
        const around = String.fromCharCode(code);
        // A digit next to the length, or a letter next to a name, changes the value and is not white space.
        const outcome = read([new Uint8Array(Buffer.from(respond(around), 'latin1'))]);
        if (outcome.result === 'done' && outcome.body === 'ok') accepted.push(code);
      }
      // A zero on both sides makes 020, another length.
      expect(accepted).toEqual([9, 32]);
      for (const around of ['', '\t \t'])
        expect(read([bytes(respond(around))])).toMatchObject({ result: 'done', body: 'ok', reusable: true });
      // In UTF-8: no-break space, ideographic space, byte order mark, line separator.
      for (const around of ['\u00a0', '\u3000', '\ufeff', '\u2028'])
        expect(read([bytes(respond(around))]).result).toBe('malformed');
    });

  test('`Connection: close` with a no-break space is no close, with blanks it is', () => {
    const reusable = (value: string) =>
      read([new Uint8Array(Buffer.from(plain.replace('\r\n\r\n', `\r\nConnection: ${value}\r\n\r\n`), 'utf8'))])
        .reusable;
    expect(reusable('x,\t close \t')).toBeFalse();
    expect(reusable('close\u00a0')).toBeTrue();
  });
});

test('more than the limit is too large in every framing, exactly the limit is not (contract/bounds#sizes: a node answer)', () => {
  const framings = [
    (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    (body: string) => `HTTP/1.1 200 OK\r\n\r\n${body}`,
    (body: string) =>
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n${body.slice(0, 5)}\r\n${(body.length - 5).toString(16)}\r\n${body.slice(5)}\r\n0\r\n\r\n`,
  ];
  for (const frame of framings) {
    for (const cut of [bytes, oneByOne]) {
      const pieces = (body: string) => [cut(frame(body))].flat();
      expect(read(pieces('0123456789'), true, 10)).toMatchObject({ result: 'done', body: '0123456789' });
      expect(read(pieces('0123456789a'), true, 10).result).toBe('too-large');
    }
  }
  const huge = 'HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n';
  expect(read([bytes(huge)]).result).toBe('too-large');
});

const tokenChar = fc.constantFrom(...'abcXYZ019!#$%-_~');
const field = fc.tuple(
  fc.string({ unit: tokenChar, minLength: 1, maxLength: 20 }).map((name) => `x-${name}`),
  fc.string({ unit: fc.constantFrom(...'abc :;,"\t~'), maxLength: 20 }),
);
const responseModel = fc.record({
  interim: fc.array(fc.constantFrom('HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n'), {
    maxLength: 2,
  }),
  status: fc.integer({ min: 200, max: 599 }).filter((status) => status !== 204 && status !== 304),
  fields: fc.array(field, { maxLength: 6 }),
  parts: fc.array(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }).map((text) => Buffer.from(text).toString()),
    { maxLength: 6 },
  ),
  framing: fc.constantFrom('length', 'chunked', 'until-close'),
  extension: fc.constantFrom('', ';a', ';a=b;c="d e"'),
  trailer: fc.constantFrom('', 'X-Sum: 1\r\n', 'X-A: b\r\nX-C:\r\n'),
});

test('any response in any fragments reads as it was written (RFC 9112)', () => {
  fc.assert(
    fc.property(responseModel, fc.array(fc.nat(), { maxLength: 12 }), (model, cutSeeds) => {
      const body = model.parts.join('');
      const length = Buffer.byteLength(body);
      const chunks = model.parts.map(
        (part) => `${Buffer.byteLength(part).toString(16)}${model.extension}\r\n${part}\r\n`,
      );
      const framing = {
        length: `Content-Length: ${length}\r\n`,
        chunked: 'Transfer-Encoding: chunked\r\n',
        'until-close': '',
      };
      const content =
        model.framing === 'chunked' ? `${chunks.join('')}0${model.extension}\r\n${model.trailer}\r\n` : body;
      const fields = model.fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      const head = `HTTP/1.1 ${model.status} Some Reason\r\n${fields}${framing[model.framing]}\r\n`;
      const all = bytes(model.interim.join('') + head + content);
      const cuts = [0, ...cutSeeds.map((seed) => seed % all.length).sort((a, b) => a - b), all.length];
      const pieces = cuts.slice(1).map((cut, index) => all.subarray(cuts[index], cut));
      const outcome = read(
        pieces.filter((piece) => piece.length > 0),
        model.framing === 'until-close',
      );
      expect(outcome).toEqual({
        result: 'done',
        status: model.status,
        body,
        reusable: model.framing !== 'until-close',
      });
    }),
    { numRuns: 1_000 },
  );
});

test('consecutive responses are read one by one, in any fragments (RFC 9112 9.3.2)', () => {
  const parts = fc.array(fc.tuple(fc.boolean(), fc.string({ unit: 'binary', maxLength: 30 })), {
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(parts, fc.array(fc.nat(), { maxLength: 20 }), (models, cutSeeds) => {
      const bodies = models.map(([, body]) => Buffer.from(body).toString());
      const texts = models.map(([isChunked], nth) => {
        const body = bodies[nth] ?? '';
        const size = Buffer.byteLength(body);
        if (!isChunked) return `HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n${body}`;
        const chunk = size === 0 ? '' : `${size.toString(16)}\r\n${body}\r\n`;
        return `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`;
      });
      const all = bytes(texts.join(''));
      const cuts = [0, ...cutSeeds.map((seed) => seed % all.length).sort((a, b) => a - b), all.length];
      const reader = new ResponseReader(1 << 20);
      const seen: string[] = [];
      for (const [nth, cut] of cuts.slice(1).entries()) {
        const piece = all.slice(cuts[nth], cut);
        for (let at = 0; at < piece.length; at = reader.usedTo) {
          const result = reader.push(piece, at);
          if (result === 'more') break;
          expect(result).toBe('done');
          seen.push(reader.body);
          reader.reset();
        }
        piece.fill(0x58);
      }
      expect(seen).toEqual(bodies);
    }),
    { numRuns: 1_000 },
  );
});

test('any bytes end in a result and never in an exception', () => {
  const noise = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.string({ maxLength: 100 }).map((text) => bytes(`HTTP/1.1 200 OK\r\n${text}\r\n\r\n${text}`)),
  );
  fc.assert(
    fc.property(noise, (piece) => {
      expect(['more', 'done', 'malformed', 'too-large']).toContain(read([piece], true, 50).result);
    }),
    { numRuns: 1_000 },
  );
});
