import { describe, expect, test } from 'bun:test';
import { isUtf8 } from 'node:buffer';
import { maxMembers } from '@flowgate/json/json-members';
import { jsonTexts, notUtf8 } from '@flowgate/testing/json-texts';
import fc from 'fast-check';
import { withTexts } from '../../test/fixtures/with-texts.ts';
import { version2 } from './answer-content.ts';
import { decodeBody as decodeBytes, maxIdBytes } from './message.ts';

/** `Call` and `InvalidMessage` with texts instead of byte ranges. */
type Call = { kind: 'call'; id: string | undefined; method: string; params: string | undefined };
type InvalidMessage = { kind: 'invalid'; id: string; detail: string };
type Decoded =
  | { kind: 'single'; message: Call | InvalidMessage }
  | { kind: 'batch'; messages: (Call | InvalidMessage)[] }
  | { kind: 'too-many' | 'unparsable' };

/** All messages are version 2, so their form is left out. */
function decodeBody(text: string, maxBatch: number): Decoded {
  const body = decodeBytes(Buffer.from(text), maxBatch);
  const formless = <M extends { form: unknown }>({ form, ...message }: M) => {
    expect(form).toBe(version2);
    return message;
  };
  if (body.kind === 'single') return withTexts({ ...body, message: formless(body.message) }) as Decoded;
  if (body.kind === 'batch') return withTexts({ ...body, messages: body.messages.map(formless) }) as Decoded;
  return body;
}

function single(text: string): Call | InvalidMessage {
  const body = decodeBody(text, 100);
  if (body.kind !== 'single') throw new Error(`${body.kind}: ${text.slice(0, 200)}`);
  return body.message;
}

function call(text: string): Call {
  const message = single(text);
  if (message.kind !== 'call') throw new Error(`${message.detail}: ${text.slice(0, 200)}`);
  return message;
}

function invalidId(text: string): string | undefined {
  const message = single(text);
  return message.kind === 'invalid' ? message.id : undefined;
}

describe('parse errors (contract/json-rpc#errors: -32700)', () => {
  test.each([...jsonTexts])('a body that is %s is unparsable exactly when it is not JSON', (_name, text, accepted) => {
    expect(decodeBody(text, 1_000).kind === 'unparsable').toBe(!accepted);
  });

  test.each([
    ...['', ' ', '{"jsonrpc":"2.0","id":1,"method":"a_b"', '{"jsonrpc":"2.0","id":1,"method":"a_b"}}'],
    ...['{"jsonrpc":"2.0","id":1,"method":"a_b",}', '{"jsonrpc":"2.0","id":01,"method":"a_b"}', "{'jsonrpc':'2.0'}"],
    ...['{"jsonrpc":"2.0","id":NaN,"method":"a_b"}', '{"jsonrpc":"2.0","id":1,"method":"a_b"}//', '\ufeff{}', '{}{}'],
    ...[
      '[{"jsonrpc":"2.0","id":1,"method":"a_b"}',
      '[{"jsonrpc":"2.0","id":1,"method":"a_b"},]',
      '[{}}',
      '[] x',
      '[{} {}]',
    ],
  ])('%j is unparsable', (text) => {
    expect(decodeBody(text, 100).kind).toBe('unparsable');
  });

  test('a body nested 100,000 levels deep, in params, in a batch or anywhere else, is unparsable', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    for (const text of [
      deep,
      `{"jsonrpc":"2.0","id":1,"method":"a_b","params":${deep}}`,
      `[{"jsonrpc":"2.0","id":1,"method":"a_b","params":${deep}}]`,
      `{"jsonrpc":"2.0","id":${deep},"method":"a_b"}`,
      `{"x":${deep}}`,
      '[{"a":'.repeat(100_000),
    ]) {
      expect(decodeBody(text, 100).kind).toBe('unparsable');
    }
  });

  test('params may nest to 127 levels alone and 126 in a batch: the limit of 128 counts the whole body', () => {
    const body = (depth: number) =>
      `{"jsonrpc":"2.0","id":1,"method":"a_b","params":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(decodeBody(body(127), 1).kind).toBe('single');
    expect(decodeBody(body(128), 1).kind).toBe('unparsable');
    expect(decodeBody(`[${body(126)}]`, 1).kind).toBe('batch');
    expect(decodeBody(`[${body(127)}]`, 1).kind).toBe('unparsable');
  });
});

describe('bytes', () => {
  test.each([...notUtf8])('%s is not UTF-8 text', (_name, bytes) => {
    expect(isUtf8(Uint8Array.of(0x22, ...bytes, 0x22))).toBe(false);
  });

  test('the check agrees with a strict decoder', () => {
    const strict = new TextDecoder('utf-8', { fatal: true });
    const decodes = (bytes: Uint8Array) => {
      try {
        strict.decode(bytes);
        return true;
      } catch {
        return false;
      }
    };
    const byte = fc.constantFrom(
      0x41,
      0x7f,
      0x80,
      0x8f,
      0x90,
      0x9f,
      0xa0,
      0xbf,
      0xc0,
      0xc2,
      0xe0,
      0xed,
      0xf0,
      0xf4,
      0xf5,
    );
    let refused = 0;
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 5 }), (codes) => {
        const bytes = Uint8Array.from(codes);
        if (!decodes(bytes)) refused++;
        expect(isUtf8(bytes)).toBe(decodes(bytes));
      }),
      { numRuns: 3_000 },
    );
    expect(refused).toBeGreaterThan(1_000);
    expect(refused).toBeLessThan(3_000);
  });

  test('a byte order mark is refused (RFC 8259, 8.1)', () => {
    expect(decodeBytes(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d), 1).kind).toBe('unparsable');
  });

  test('UTF-16 and UTF-32 bodies are unparsable or not UTF-8 text', () => {
    expect(decodeBytes(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"a_b"}', 'utf16le'), 1).kind).toBe('unparsable');
    expect(isUtf8(Uint8Array.of(0xff, 0xfe, 0x7b, 0x00))).toBe(false);
  });

  test('valid UTF-8 stays unchanged in ids and params', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const json = JSON.stringify(text);
        const body = `{"jsonrpc":"2.0","id":${json},"method":"a_b","params":[${json}]}`;
        expect(call(body)).toMatchObject({ id: json, params: `[${json}]` });
      }),
    );
  });
});

describe('envelope', () => {
  const ids = [
    ...[
      '0',
      '-0',
      '1',
      '-1',
      '1.0',
      '1.50',
      '1e2',
      '1E+2',
      '9007199254740993',
      '123456789012345678901234567890',
      '1e400',
    ],
    ...[
      '""',
      '"a"',
      '"1"',
      '"\\u0061"',
      '"\\ud800"',
      '"\\""',
      '" "',
      '"é"',
      '"😀"',
      '"\\/"',
      '"null"',
      'null',
      '-0.0e-0',
    ],
    ...[`"${'i'.repeat(1000)}"`, '"__proto__"', '"</script>"', '"\u2028"'],
  ];

  test.each(ids)('the id %s is returned byte for byte (contract/json-rpc#messages)', (id) => {
    expect(call(`{"jsonrpc":"2.0","id":${id},"method":"a_b"}`).id).toBe(id);
    expect(call(`{ "method" : "a_b" , "id" : \n${id}\t, "jsonrpc" : "2.0" }`).id).toBe(id);
    expect(invalidId(`{"id":${id}}`)).toBe(id);
  });

  test.each(['true', 'false', '[]', '{}', '[1]', '{"a":1}'])('the id %s is refused with id null', (id) => {
    expect(invalidId(`{"jsonrpc":"2.0","id":${id},"method":"a_b"}`)).toBe('null');
  });

  test.each([
    ['as a string', (bytes: number) => `"${'i'.repeat(bytes - 2)}"`],
    ['as a number', (bytes: number) => '7'.repeat(bytes)],
  ])(
    'an id of 16,384 bytes is returned, %s, and a longer id is refused with id null (contract/json-rpc#messages, contract/bounds#sizes: an id)',
    (_, idOf) => {
      const longest = idOf(maxIdBytes);
      expect(call(`{"jsonrpc":"2.0","id":${longest},"method":"a_b"}`).id).toBe(longest);
      expect(invalidId(`{"id":${longest}}`)).toBe(longest);
      const longer = idOf(maxIdBytes + 1);
      expect(invalidId(`{"jsonrpc":"2.0","id":${longer},"method":"a_b"}`)).toBe('null');
      expect(invalidId(`{"method":"a_b","id":${longer},"jsonrpc":"2.0"}`)).toBe('null');
      expect(invalidId(`{"id":${longer}}`)).toBe('null');
      const batch = `[{"jsonrpc":"2.0","id":1,"method":"a_b"},{"jsonrpc":"2.0","id":${longer},"method":"a_b"}]`;
      expect(decodeBody(batch, 2)).toMatchObject({
        kind: 'batch',
        messages: [{ kind: 'call' }, { kind: 'invalid', detail: 'id must be at most 16384 bytes of JSON' }],
      });
    },
  );

  test('a message without an id is a notification; a message with a null id is not (JSON-RPC 2.0, 4.1)', () => {
    expect(call('{"jsonrpc":"2.0","method":"a_b"}').id).toBeUndefined();
    expect(call('{"jsonrpc":"2.0","id":null,"method":"a_b"}').id).toBe('null');
  });

  test.each(['[]', '{}', '[1, 2]', '{"a": [ ]}', '["\\u0061",1.0,-0]', '{"__proto__":1,"a":1,"a":2}'])(
    'the params %s keep their bytes',
    (params) => {
      expect(call(`{"jsonrpc":"2.0","id":1,"method":"a_b","params": ${params} }`).params).toBe(params);
    },
  );

  test('null params are the same as missing params (contract/conventions#members)', () => {
    expect(call('{"jsonrpc":"2.0","id":1,"method":"a_b","params":null}').params).toBeUndefined();
    expect(call('{"jsonrpc":"2.0","id":1,"method":"a_b"}').params).toBeUndefined();
  });

  test.each(['1', '"a"', 'true', 'false', '-1'])('the params %s are refused', (params) => {
    expect(invalidId(`{"jsonrpc":"2.0","id":7,"method":"a_b","params":${params}}`)).toBe('7');
  });

  test.each(['null', '1', '[]', '{}', 'true', '["a_b"]', '{"a":"a_b"}'])('the method %s is refused', (method) => {
    expect(invalidId(`{"jsonrpc":"2.0","id":7,"method":${method}}`)).toBe('7');
  });

  test.each(['2.0', '"2"', '"2.00"', '"1.0"', '" 2.0"', '"2.0 "', 'null', '2', '["2.0"]', '"2.0\\u0000"'])(
    'jsonrpc %s is refused, and the id is returned from any position',
    (version) => {
      expect(invalidId(`{"jsonrpc":${version},"id":7,"method":"a_b"}`)).toBe('7');
      expect(invalidId(`{"method":"a_b","jsonrpc":${version},"params":[],"id":7}`)).toBe('7');
    },
  );

  test('escapes in names and values are resolved before anything is evaluated', () => {
    expect(call('{"jsonr\\u0070c":"2\\u002e0","\\u0069d":5,"m\\u0065thod":"a\\u005fb","p\\u0061rams":[1]}')).toEqual({
      kind: 'call',
      id: '5',
      method: 'a_b',
      params: '[1]',
    });
  });

  test.each([
    '{"jsonrpc":"2.0","id":7,"method":"eth_call","method":"txpool_status"}',
    '{"jsonrpc":"2.0","id":7,"method":"eth_call","m\\u0065thod":"txpool_status"}',
    '{"jsonrpc":"2.0","id":7,"\\u006dethod":"eth_call","\\u006Dethod":"txpool_status"}',
    '{"jsonrpc":"2.0","jsonrpc":"2.0","id":7,"method":"a_b"}',
    '{"jsonrpc":"2.0","id":7,"method":"a_b","params":[],"params":[]}',
    '{"jsonrpc":"2.0","id":7,"method":"a_b","params":null,"params":null}',
    '{"jsonrpc":"2.0","id":7,"method":"a_b","x":1,"x":1}',
    '{"jsonrpc":"2.0","id":7,"method":"a_b","x":1,"\\u0078":1}',
    '{"jsonrpc":"2.0","id":7,"method":"a_b","":1,"":1}',
    '{"jsonrpc":"2.0","id":7,"method":"a_b","__proto__":1,"__proto__":1}',
    '{"jsonrpc":"2.0","id":7,"method":"a_b","METHOD":"txpool_status"}',
    '{"jsonrpc":"2.0","id":7,"METHOD":"a_b"}',
    '{"jsonrpc":"2.0","id":7,"Method":"a_b","method":"a_b"}',
    '{"jsonrpc":"2.0","id":7,"method":"a_b","M\\u0045thod":"a_b"}',
    '{"jsonrpc":"2.0","id":7,"method":"a_b","Params":[]}',
    '{"jsonrpc":"2.0","id":7,"method":"a_b","param\u017f":[]}',
    '{"JSONRPC":"2.0","id":7,"method":"a_b","jsonrpc":"2.0"}',
    '{"j\u017fonrpc":"2.0","id":7,"method":"a_b","jsonrpc":"2.0"}',
    '{"jsonrpc":"2.0","id":7,"method":"a_b","ID":8}',
    '{"jsonrpc":"2.0","id":7,"method":"a_b","Id":8}',
    '{"jsonrpc":"2.0","id":7,"method":"a_b","\\u0049d":8}',
  ])('duplicate or look-alike members are refused, and a single id is returned: %s', (text) => {
    expect(invalidId(text)).toBe('7');
  });

  test.each([
    '{"jsonrpc":"2.0","id":7,"id":7,"method":"a_b"}',
    '{"jsonrpc":"2.0","id":7,"i\\u0064":8,"method":"a_b"}',
    '{"jsonrpc":"2.0","Id":7,"method":"a_b"}',
    '{}',
    '{"jsonrpc":"2.0"}',
    '1',
    '"a"',
    'null',
    'true',
    ' -1.5 ',
    '[]',
    ' [ ] ',
  ])('the id is null when no single id can be read: %s', (text) => {
    expect(invalidId(text)).toBe('null');
  });

  test('unknown members are ignored, regardless of their names (contract/conventions#members)', () => {
    const extras =
      '"__proto__":{"polluted":true},"constructor":1,"toString":[],"hasOwnProperty":null,"x":{"method":1},"me":1';
    expect(call(`{${extras},"jsonrpc":"2.0","id":1,"method":"a_b","methodx":2,"metho":3}`).method).toBe('a_b');
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  test(`an envelope of more than ${maxMembers} members is refused, with the id that was read so far`, () => {
    const extras = (count: number) => Array.from({ length: count }, (_, k) => `,"x${k}":${k}`).join('');
    const head = '{"jsonrpc":"2.0","\\u0069d":7,"method":"a_b"';
    expect(call(`${head}${extras(maxMembers - 3)}}`).id).toBe('7');
    expect(invalidId(`${head}${extras(maxMembers - 2)}}`)).toBe('7');
    expect(invalidId(`${head}${extras(300_000)}}`)).toBe('7');
    expect(invalidId(`{"x":0${extras(maxMembers)},"jsonrpc":"2.0","id":7,"method":"a_b"}`)).toBe('null');
  });

  test('nothing is read after the first member beyond the maximum', () => {
    const members = Array.from({ length: maxMembers + 1 }, (_, k) => `"x${k}":1`).join(',');
    expect(invalidId(`{"id":7,${members.slice(0, -1)} this is never read`)).toBe('7');
  });

  test(`in a batch, an envelope of more than ${maxMembers} members is an invalid element among the others`, () => {
    const overfull = `{"id":7,${Array.from({ length: 200 }, (_, k) => `"x${k}":[{"a":[${k}]}]`).join(' , ')} }`;
    const body = decodeBody(
      `[{"jsonrpc":"2.0","id":1,"method":"a_b"}, ${overfull} ,{"jsonrpc":"2.0","id":2,"method":"a_b"}]`,
      3,
    );
    if (body.kind !== 'batch') throw new Error(body.kind);
    expect(body.messages.map(({ kind, id }) => [kind, id])).toEqual([
      ['call', '1'],
      ['invalid', '7'],
      ['call', '2'],
    ]);
    for (const broken of ['"y":1,}', '"y"}', '"y":1]', '"y":1', `"y":${'['.repeat(127)}1${']'.repeat(127)}}`])
      expect(decodeBody(`[${overfull.slice(0, -1)},${broken}]`, 3).kind).toBe('unparsable');
  });

  test('a string of 5 MB may be at any position', () => {
    const long = `"${'ab12ef90'.repeat(655_360)}"`;
    expect(call(`{"jsonrpc":"2.0","id":1,"method":"a_b","params":[${long}]}`).params?.length).toBe(long.length + 2);
    expect(invalidId(`{"jsonrpc":"2.0","id":${long},"method":"a_b"}`)).toBe('null');
    expect(call(`{${long}:1,"jsonrpc":"2.0","id":1,"method":"a_b"}`).method).toBe('a_b');
    expect(long.slice(1)).toStartWith(call(`{"jsonrpc":"2.0","id":1,"method":${long}}`).method);
  });

  test('the version may be written with escapes, and a longer text is not decoded', () => {
    expect(call('{"jsonrpc":"\\u0032\\u002E\\u0030","id":1,"method":"a_b"}').id).toBe('1');
    expect(invalidId(`{"jsonrpc":"${'\\u0032'.repeat(4)}","id":1,"method":"a_b"}`)).toBe('1');
  });

  test('very long names are distinguished by their spelling', () => {
    const long = 'n'.repeat(200);
    expect(call(`{"${long}":1,"${long}x":2,"jsonrpc":"2.0","id":1,"method":"a_b"}`).id).toBe('1');
    expect(invalidId(`{"${long}":1,"${long}":2,"jsonrpc":"2.0","id":1,"method":"a_b"}`)).toBe('1');
  });

  test('decoding a body leaves no state for the next body', () => {
    expect(invalidId('{"jsonrpc":"2.0","id":7,"id":8,"method":"a_b","params":[1]}')).toBe('null');
    expect(call('{"jsonrpc":"2.0","method":"a_b"}')).toEqual({
      kind: 'call',
      id: undefined,
      method: 'a_b',
      params: undefined,
    });
    expect(invalidId('{}')).toBe('null');
  });
});

describe('batches', () => {
  const element = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"a_b"}`;
  const batch = (count: number) => `[${Array.from({ length: count }, (_, k) => element(k)).join(' , ')}]`;

  test('order is preserved, and an element that is not a request is invalid at its index (contract/json-rpc#messages)', () => {
    const body = decodeBody(`[${element(1)},1,null,"a",[],[${element(9)}],{},{"id":"x"},${element(2)}]`, 100);
    if (body.kind !== 'batch') throw new Error(body.kind);
    expect(body.messages.map((message) => [message.kind, message.id])).toEqual([
      ['call', '1'],
      ['invalid', 'null'],
      ['invalid', 'null'],
      ['invalid', 'null'],
      ['invalid', 'null'],
      ['invalid', 'null'],
      ['invalid', 'null'],
      ['invalid', '"x"'],
      ['call', '2'],
    ]);
  });

  test('a batch may have maxBatch elements, one more is too many (contract/json-rpc#batches: 413, contract/bounds#sizes: a batch)', () => {
    expect(decodeBody(batch(100), 100).kind).toBe('batch');
    expect(decodeBody(batch(101), 100).kind).toBe('too-many');
    expect(decodeBody('[1,2]', 1).kind).toBe('too-many');
    expect(decodeBody('[1]', 1).kind).toBe('batch');
  });

  test('nothing is read beyond the last allowed element', () => {
    expect(decodeBody('[1,2,this is never read', 2).kind).toBe('too-many');
    expect(decodeBody('[1,never counted]', 2).kind).toBe('unparsable');
  });
});

test('decoding agrees with a model built on JSON.parse when no member is repeated', () => {
  const name = fc.constantFrom<string>(
    'jsonrpc',
    'id',
    'method',
    'params',
    'extra',
    'METHOD',
    'Id',
    'idx',
    '__proto__',
  );
  const value = fc.oneof(
    fc.constantFrom<unknown>('2.0', 'eth_call', 1, -0.5, null, true, 'x'),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const members = fc.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 7 });
  const valid = fc.tuple(value, value).map(([id, params]): [string, unknown][] => [
    ['jsonrpc', '2.0'],
    ['method', 'a_b'],
    ['id', id],
    ['params', params],
  ]);
  let calls = 0;
  fc.assert(
    fc.property(fc.oneof(members, valid), fc.constantFrom('', ' ', '\n'), (pairs, space) => {
      const text = `{${pairs.map(([key, v]) => `${space}${JSON.stringify(key)}${space}:${space}${JSON.stringify(v)}`).join(`${space},`)}}`;
      const message = single(text);
      const model = modelOf(pairs);
      if (message.kind === 'call') calls++;
      expect<unknown>(message.kind === 'call' ? message : { kind: message.kind, id: message.id }).toEqual(model);
    }),
    { numRuns: 2000 },
  );
  expect(calls).toBeGreaterThan(100);
});

type Model = { kind: string; id: string | undefined; method?: unknown; params?: string | undefined };

function modelOf(pairs: readonly (readonly [string, unknown])[]): Model {
  const object = new Map(pairs);
  const id: unknown = object.get('id');
  const idIsRight = id === undefined || id === null || typeof id === 'number' || typeof id === 'string';
  const known = ['jsonrpc', 'id', 'method', 'params'];
  const lookAlike = pairs.some(([key]) => !known.includes(key) && known.includes(key.toLowerCase()));
  const params: unknown = object.get('params') ?? undefined;
  const right =
    idIsRight &&
    !lookAlike &&
    object.get('jsonrpc') === '2.0' &&
    typeof object.get('method') === 'string' &&
    (params === undefined || typeof params === 'object');
  if (!right) return { kind: 'invalid', id: object.has('id') && idIsRight ? JSON.stringify(id) : 'null' };
  return {
    kind: 'call',
    id: object.has('id') ? JSON.stringify(id) : undefined,
    method: object.get('method'),
    params: params === undefined ? undefined : JSON.stringify(params),
  };
}
