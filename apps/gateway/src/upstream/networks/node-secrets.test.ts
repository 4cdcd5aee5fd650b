/** No part of a node's address and headers reaches a caller, in any spelling (contract/conventions). */

import { expect, test } from 'bun:test';
import { createRedactor } from '@flowgate/telemetry/redaction/redactor';
import { nodeSecrets } from './node-secrets.ts';

const node = {
  url: 'https://rpcuser:pa%2Fss%C3%BC!w0rd@eth.provider.example/v2/sHort1/Key%2Bwith/rpc?apikey=qU3ry%2FValue+1&dkey=abc&bareToken77#fr4gment',
  headers: {
    Authorization: 'Bearer be4rer-token.value',
    'X-Basic': 'Basic aGVhZGVyLXVzZXI6aGVhZGVyLXBhc3M=',
    Cookie: 'session=c00kie-value; tier="g0ld-tier"',
    'X-Api-Key': 'ab"c\\d/e1',
    Accept: 'application/json',
    'X-Env': 'production',
  },
};
const hide = createRedactor(nodeSecrets(node), ['code', 'message', 'data']);

/** The caller's view of an error whose message says `text`. */
const seen = (text: string) => hide(JSON.stringify({ code: -32000, message: text }));
const messageOf = (json: string) => JSON.parse(json).message;

const secrets = [
  node.url,
  '/v2/sHort1/Key%2Bwith/rpc',
  'sHort1',
  'Key%2Bwith',
  'Key+with',
  'qU3ry%2FValue+1',
  'qU3ry/Value 1',
  'dkey=abc',
  'bareToken77',
  'fr4gment',
  'rpcuser',
  'pa%2Fss%C3%BC!w0rd',
  'pa/ssü!w0rd',
  'rpcuser:pa/ssü!w0rd',
  btoa('rpcuser:pa/ss\u00c3\u00bc!w0rd'),
  'be4rer-token.value',
  'aGVhZGVyLXVzZXI6aGVhZGVyLXBhc3M=',
  'header-user:header-pass',
  'header-pass',
  'c00kie-value',
  'g0ld-tier',
  'ab"c\\d/e1',
  'https://eth.provider.example',
];

const everyCharacter = (text: string, spell: (character: string) => string) => [...text].map(spell).join('');
const percent = (text: string) =>
  everyCharacter(text, (one) => [...Buffer.from(one)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));
const unicode = (text: string) =>
  everyCharacter(text, (one) => `\\u${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`);

const spellings: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (secret) => secret,
  'in capitals': (secret) => secret.toUpperCase(),
  'in small letters': (secret) => secret.toLowerCase(),
  'as part of a URL': encodeURIComponent,
  'with each character escaped for a URL': percent,
  'escaped for a URL twice': (secret) => encodeURIComponent(percent(secret)),
  'as JSON in the text': (secret) => JSON.stringify({ error: secret }),
  'as JSON in JSON in the text': (secret) => JSON.stringify(JSON.stringify({ error: secret })),
  'with each character escaped for JSON, in the text': unicode,
  'with escaped slashes in the text': (secret) => secret.replaceAll('/', '\\/'),
  'after a line feed': (secret) => `failed:\n${secret}\n`,
  'after the line feed of a URL': (secret) => `failed%0A${secret}%0A`,
};

for (const [how, spell] of Object.entries(spellings))
  test(`a secret of a node is hidden ${how}`, () => {
    for (const secret of secrets) {
      const message = messageOf(seen(`sent: ${spell(secret)}, and so forth`));
      expect([secret, message]).toEqual([secret, expect.stringContaining('***')]);
      expect([secret, message]).toEqual([secret, expect.stringMatching(/^sent: .*, and so forth$/s)]);
      expect([secret, message.toLowerCase()]).not.toEqual([
        secret,
        expect.stringContaining(spell(secret).toLowerCase()),
      ]);
    }
  });

test('a secret is hidden in raw JSON, in all escapes, and the other bytes stay unchanged', () => {
  const raw = (inner: string) =>
    `{"code": -32000,"message" :"a\\u0062c", "data":{"x":[1.50,"${inner}"],"${inner}":1e5}}`;
  for (const secret of ['sHort1', 'be4rer-token.value', 'bareToken77']) {
    expect(hide(raw(unicode(secret)))).toBe(raw('***'));
    expect(hide(raw(`at ${unicode(secret).toLowerCase()}\\n`))).toBe(raw('at ***\\n'));
    expect(hide(raw(`at \\n${secret}\\\\`))).toBe(raw('at \\n***\\\\'));
  }
});

test('other text stays unchanged: common words of addresses, parts of other words, numbers, the names of an error', () => {
  for (const text of [
    'shorts',
    'application/json',
    'production',
    'no such method on ethereum mainnet',
    'execution reverted: 0x08c379a0',
    'xsHort1',
  ])
    expect(messageOf(seen(text))).toBe(text);
  const named = createRedactor(
    nodeSecrets({ url: 'http://node/', headers: { a: 'message', b: '-32000', c: '99999999' } }),
    ['code', 'message', 'data'],
  );
  expect(named('{"code":-32000,"message":"a message","data":[99999999]}')).toBe(
    '{"code":-32000,"message":"a ***","data":["***"]}',
  );
});

test("a path of common words is no secret, because the gateway's own path has them as well", () => {
  const plain = createRedactor(nodeSecrets({ url: 'http://127.0.0.1:8545/rpc', headers: {} }));
  expect(plain('{"path":"/rpc/fk_0123456789abcdef.***","host":"127.0.0.1"}')).toBe(
    '{"path":"/rpc/fk_0123456789abcdef.***","host":"127.0.0.1"}',
  );
  expect(plain('{"error":"http://127.0.0.1:8545/rpc refused"}')).toBe('{"error":"*** refused"}');
});

test('the URL for subscriptions is as secret as the first URL', () => {
  const both = {
    url: 'https://a.example/first-key-0123',
    wsUrl: 'wss://me:pa55word@b.example/ws/second-key-4567',
    headers: {},
  };
  const hidden = createRedactor(nodeSecrets(both), ['message'])(
    JSON.stringify({ message: `${both.wsUrl} second-key-4567 pa55word first-key-0123 wss://b.example` }),
  );
  for (const secret of ['second-key', 'pa55word', 'first-key', 'b.example']) expect(hidden).not.toContain(secret);
});
