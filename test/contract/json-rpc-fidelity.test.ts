/**
 * Ids, params and results pass unchanged, byte for byte, in an envelope that the gateway builds
 * (contract/json-rpc#messages).
 */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { expectRpcError } from '../../apps/gateway/test/fixtures/answers.ts';
import { answering, idsOf, wellBehaved } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

let gateway: RunningGateway;
let key: string;

beforeAll(async () => {
  gateway = await startGateway({ config: { limits: { userPerMinute: 100_000 } } });
  key = (await gateway.mint()).apiKey;
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.node.behave(wellBehaved));

async function raw(body: string): Promise<[number, string]> {
  const answer = await gateway.rpc(key, body);
  return [answer.status, await answer.text()];
}

const ids = [
  '1',
  '0',
  '-1',
  '-0',
  '1.0',
  '1.50',
  '0.1e1',
  '1E5',
  '1e+5',
  '1e-7',
  '1e400',
  '9007199254740993',
  '-9007199254740993',
  '123456789012345678901234567890123456789',
  'null',
  '""',
  '"1"',
  '"a b"',
  '"\\u0041"',
  '"\\/"',
  '"é😀"',
  '"\\ud83d\\ude00"',
  '"\\ud800"',
  '"\\"\\\\\\n"',
  '"},\\"result\\":1"',
  `"${'x'.repeat(10_000)}"`,
];

describe('an id is returned byte for byte (contract/json-rpc#messages)', () => {
  for (const id of ids)
    test(id.slice(0, 50), async () => {
      expect(await raw(`{"jsonrpc":"2.0","id":${id},"method":"eth_blockNumber"}`)).toEqual([
        200,
        `{"jsonrpc":"2.0","id":${id},"result":"0x10"}`,
      ]);
    });

  test('in a batch, even when two ids are equal', async () => {
    const elements = [...ids, '7', '7'].map((id) => `{"jsonrpc":"2.0","id":${id},"method":"eth_blockNumber"}`);
    const answers = [...ids, '7', '7'].map((id) => `{"jsonrpc":"2.0","id":${id},"result":"0x10"}`);
    expect(await raw(`[${elements.join(',')}]`)).toEqual([200, `[${answers.join(',')}]`]);
  });

  test('in an error of the gateway', async () => {
    for (const id of ids) {
      const [status, text] = await raw(`{"jsonrpc":"2.0","id":${id},"method":"admin_peers"}`);
      expect([status, text]).toEqual([403, expect.stringContaining(`"id":${id},"error"`)]);
    }
  });

  test("in a node's own error", async () => {
    const error = '{"code":-32015, "message":"execution reverted","data":"0x08c379a0"}';
    gateway.node.behave(answering(error, 'error'));
    for (const id of ids)
      expect(await raw(`{"jsonrpc":"2.0","id":${id},"method":"eth_call"}`)).toEqual([
        200,
        `{"jsonrpc":"2.0","id":${id},"error":${error}}`,
      ]);
  });

  test('for any order and spacing of the members', async () => {
    const bodies = [
      '{"id":\t1.0 ,"method":"eth_blockNumber","jsonrpc":"2.0"}',
      ' \r\n{ "params" : [ ] , "method" : "eth_blockNumber" , "jsonrpc" : "2.0" , "id" : 1.0 } \n',
      '{"\\u0069d":1.0,"\\u006dethod":"eth\\u005fblockNumber","j\\u0073onrpc":"\\u0032.0","extra":{"id":5}}',
    ];
    for (const body of bodies) expect(await raw(body)).toEqual([200, '{"jsonrpc":"2.0","id":1.0,"result":"0x10"}']);
  });
});

const texts = [
  '1.0',
  '1e2',
  '9007199254740993',
  '0.1000',
  'null',
  'true',
  'false',
  '""',
  '"\\u0041\\/"',
  '[]',
  '{}',
  '{ "b" : 1 , "a" : 2 }',
  '{"b":1,"a":2,"b":3}',
  '{"__proto__":{"x":1},"2":0,"1":0}',
  '[ 1 ,\t2 , { "deep" : [ [ ] ] } ]',
  '"é😀\u2028"',
  `{"input":"0x${'ab'.repeat(200_000)}"}`,
];

describe('a result is never serialized again (contract/json-rpc#messages)', () => {
  for (const result of texts)
    test(result.slice(0, 40), async () => {
      gateway.node.behave(answering(result));
      expect(await raw('{"jsonrpc":"2.0","id":5,"method":"eth_call"}')).toEqual([
        200,
        `{"jsonrpc":"2.0","id":5,"result":${result}}`,
      ]);
    });

  test('in a batch, for any order of the node', async () => {
    gateway.node.behave((body) => {
      const sent = idsOf(body);
      const answers = texts.map((text, at) => `{"result":${text},"id":${sent[at]},"jsonrpc":"2.0"}`);
      return new Response(`[ ${answers.reverse().join(' ,\n')} ]`);
    });
    const calls = texts.map((_, at) => `{"jsonrpc":"2.0","id":"${at}","method":"eth_call"}`);
    const expected = texts.map((text, at) => `{"jsonrpc":"2.0","id":"${at}","result":${text}}`);
    expect(await raw(`[${calls.join(',')}]`)).toEqual([200, `[${expected.join(',')}]`]);
  });

  test('for any order and spacing of the members around it', async () => {
    const manners = ['{"result":R,"id":I,"jsonrpc":"2.0"}', ' {\n"id" : I , "jsonrpc" : "2.0" , "result" : R }\n'];
    manners.push('{"jsonrpc":"2.0","id":I,"error":null,"result":R}', '{"id":I,"result":R,"more":1}');
    for (const around of manners) {
      gateway.node.behave(
        (body) => new Response(around.replace('R', '{ "x":1.0 }').replace('I', String(idsOf(body)[0]))),
      );
      expect(await raw('{"jsonrpc":"2.0","id":5,"method":"eth_call"}')).toEqual([
        200,
        '{"jsonrpc":"2.0","id":5,"result":{ "x":1.0 }}',
      ]);
    }
  });

  test('when the node sends it in chunks that split characters', async () => {
    const result = `"${'é'.repeat(1000)}"`;
    gateway.node.behave((body) => {
      const bytes = Buffer.from(`{"jsonrpc":"2.0","id":${idsOf(body)[0]},"result":${result}}`);
      async function* parts() {
        for (let at = 0; at < bytes.length; at += 99) yield bytes.subarray(at, at + 99);
      }
      return new Response(parts());
    });
    expect((await raw('{"jsonrpc":"2.0","id":1,"method":"eth_call"}'))[1]).toBe(
      `{"jsonrpc":"2.0","id":1,"result":${result}}`,
    );
  });
});

describe('the node receives an envelope that the gateway built, with the bytes of params in it (contract/json-rpc#messages)', () => {
  const envelopes = () => gateway.node.received.map((body) => body.replace(/"id":\d+/, '"id":ID'));
  const containers = texts.filter((text) => /^[[{]/.test(text));
  for (const params of containers)
    test(params.slice(0, 40), async () => {
      gateway.node.received.length = 0;
      await raw(`{"id":"mine","params":${params},"method":"eth_call","jsonrpc":"2.0","extra":"smuggled"}`);
      expect(envelopes()).toEqual([`{"jsonrpc":"2.0","id":ID,"method":"eth_call","params":${params}}`]);
    });

  test('no params when they are absent or null', async () => {
    gateway.node.received.length = 0;
    await raw('{"jsonrpc":"2.0","id":1,"method":"eth_call"}');
    await raw('{"jsonrpc":"2.0","id":1,"method":"eth_call","params":null}');
    expect(envelopes()).toEqual(new Array(2).fill('{"jsonrpc":"2.0","id":ID,"method":"eth_call"}'));
  });

  test("none of the caller's headers, credentials or query", async () => {
    let headers = new Headers();
    gateway.node.behave((body, request) => {
      headers = new Headers(request.headers.toJSON());
      return wellBehaved(body);
    });
    await gateway.fetch('/rpc?a=b', {
      method: 'POST',
      headers: { 'X-API-Key': key, Authorization: 'Bearer x', Cookie: 'a=b', 'X-Custom': 'c', 'Accept-Language': 'de' },
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_call"}',
    });
    const names = [...headers.keys()];
    for (const name of ['x-api-key', 'authorization', 'cookie', 'x-custom', 'accept-language'])
      expect(names).not.toContain(name);
    expect(headers.get('content-type')).toBe('application/json');
  });
});

describe('notifications (JSON-RPC 2.0, 4.1; contract/json-rpc#batches)', () => {
  test('a single one is 204 without a body, and reaches the node', async () => {
    gateway.node.received.length = 0;
    const answer = await gateway.rpc(key, '{"jsonrpc":"2.0","method":"eth_chainId","params":[1.0]}');
    expect([answer.status, await answer.text(), answer.headers.get('content-type')]).toEqual([204, '', null]);
    expect(gateway.node.received).toHaveLength(1);
    expect(gateway.node.received[0]).toContain('"method":"eth_chainId","params":[1.0]');
  });

  test('an id of null is not a notification', async () => {
    expect((await raw('{"jsonrpc":"2.0","id":null,"method":"eth_blockNumber"}'))[0]).toBe(200);
  });

  test('an invalid one is answered with a null id (JSON-RPC 2.0, 5)', async () => {
    await expectRpcError(await gateway.rpc(key, '{"jsonrpc":"2.0","params":[]}'), {
      status: 400,
      code: -32600,
      message: 'Invalid request.',
      id: null,
    });
  });
});

describe('invalid requests (contract/json-rpc#messages)', () => {
  const unparsable = [
    '',
    ' ',
    '{',
    '[',
    'x',
    '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"',
    '{a:1}',
    "{'a':1}",
    '[1,]',
  ];
  unparsable.push(
    '{"jsonrpc":"2.0","id":01,"method":"eth_chainId"}',
    '{}{}',
    '\u0000',
    '{"a":"\t"}',
    '[{]}',
    '\ufeff{}',
  );
  unparsable.push(
    '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}//',
    '{"jsonrpc":"2.0","id":1,"method":"eth_chainId",}',
  );
  for (const body of unparsable)
    test(`${JSON.stringify(body)} is a parse error: 400 / -32700, id null`, async () => {
      await expectRpcError(await gateway.rpc(key, body), {
        status: 400,
        code: -32700,
        message: 'Parse error.',
        id: null,
      });
    });

  const invalid: readonly (readonly [body: string, id: string | number | null])[] = [
    ['1', null],
    ['null', null],
    ['"eth_chainId"', null],
    ['{}', null],
    ['[]', null],
    [' [ ] ', null],
    ['{"id":3,"method":"eth_chainId"}', 3],
    ['{"jsonrpc":2.0,"id":3,"method":"eth_chainId"}', 3],
    ['{"jsonrpc":"1.0","id":3,"method":"eth_chainId"}', 3],
    ['{"jsonrpc":"2.0","id":3}', 3],
    ['{"jsonrpc":"2.0","id":"x","method":1}', 'x'],
    ['{"jsonrpc":"2.0","id":3,"method":null}', 3],
    ['{"jsonrpc":"2.0","id":3,"method":["eth_chainId"]}', 3],
    ['{"jsonrpc":"2.0","id":3,"method":{"toString":"eth_chainId"}}', 3],
    ['{"jsonrpc":"2.0","id":3,"method":"eth_chainId","params":"x"}', 3],
    ['{"jsonrpc":"2.0","id":3,"method":"eth_chainId","params":1}', 3],
    ['{"jsonrpc":"2.0","id":3,"method":"eth_chainId","params":true}', 3],
    ['{"jsonrpc":"2.0","id":[1],"method":"eth_chainId"}', null],
    ['{"jsonrpc":"2.0","id":{},"method":"eth_chainId"}', null],
    ['{"jsonrpc":"2.0","id":true,"method":"eth_chainId"}', null],
    ['{"jsonrpc":"2.0","id":3,"method":"eth_chainId","method":"eth_chainId"}', 3],
    ['{"jsonrpc":"2.0","id":3,"method":"eth_chainId","m\\u0065thod":"admin_peers"}', 3],
    ['{"jsonrpc":"2.0","id":3,"method":"eth_chainId","METHOD":"admin_peers"}', 3],
    ['{"jsonrpc":"2.0","id":3,"Method":"eth_chainId"}', 3],
    ['{"jsonrpc":"2.0","id":3,"method":"eth_chainId","params":[],"params":[1]}', 3],
    ['{"jsonrpc":"2.0","id":3,"method":"eth_chainId","Params":[1]}', 3],
    ['{"jsonrpc":"2.0","jsonrpc":"2.0","id":3,"method":"eth_chainId"}', 3],
    ['{"jsonrpc":"2.0","id":3,"id":4,"method":"eth_chainId"}', null],
  ];
  for (const [body, id] of invalid)
    test(`${body} is an invalid request: 400 / -32600, id ${id}`, async () => {
      gateway.node.received.length = 0;
      await expectRpcError(await gateway.rpc(key, body), {
        status: 400,
        code: -32600,
        message: 'Invalid request.',
        id,
      });
      expect(gateway.node.received).toEqual([]);
    });
});
