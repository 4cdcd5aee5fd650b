/**
 * A node that repeats its URL and headers in its errors, in single answers, batches and invalid answers: no client
 * receives these secrets (contract/conventions).
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { startFakeNode } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

const node = startFakeNode();
const address = new URL(node.url);
const url = `http://us3r%2Fname:pa%2Fssw0rd@${address.host}/v2/sH0rtKey/rpc?apikey=qu3ry%2Fvalue`;
const headers = { Authorization: 'Bearer be4rer-value', 'X-Provider': 'pr0vider/h3ader' };
const basic = btoa('us3r/name:pa/ssw0rd');
const secrets = [
  'us3r/name',
  'us3r%2fname',
  'pa/ssw0rd',
  'pa%2fssw0rd',
  'sh0rtkey',
  'qu3ry/value',
  'qu3ry%2fvalue',
  'be4rer-value',
  'pr0vider/h3ader',
  basic.toLowerCase(),
  address.host,
];

let gateway: RunningGateway;
let key: string;

beforeAll(async () => {
  gateway = await startGateway({
    config: {
      limits: { userPerMinute: 100_000 },
      networks: [{ dlt: 'a', networkId: 'x', chainId: 31337, default: true, nodes: [{ nodeId: 'n', url, headers }] }],
    },
  });
  key = (await gateway.mint()).apiKey;
});
afterAll(async () => {
  await gateway.stop();
  await node.stop();
});

const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'eth_call', params: [id] });

/** All URLs and headers of the node, in every spelling, as the JSON text of an error. */
function confession(request: Request): string {
  const reported = [
    request.url,
    ...[...request.headers].flat(),
    url,
    ...Object.values(headers),
    basic,
    'us3r/name',
    'pa/ssw0rd',
    'qu3ry/value',
  ];
  const spelled = reported.flatMap((text) => [
    text,
    text.toUpperCase(),
    encodeURIComponent(text),
    JSON.stringify(text),
  ]);
  const escaped = reported.map((text) =>
    [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  );
  const slashed = reported.map((text) => text.replaceAll('/', '\\/'));
  return `{"code":-32000,"message":${JSON.stringify(spelled.join('\n'))},"data":{"asked":["${escaped.join('","')}","${slashed.join('","')}"],"numbers":[1.50,"0x08c379a0"]}}`;
}

function expectNothingReported(text: string): void {
  const compensated = decodeURIComponent(text.replaceAll(/%(?![0-9a-f]{2})/gi, '%25'));
  for (const shown of [text, compensated, text.replaceAll('\\', '')])
    expect(secrets.filter((secret) => shown.toLowerCase().includes(secret))).toEqual([]);
}

test('an error to one call contains no secret; its code, its numbers and other text are unchanged', async () => {
  node.behave(
    (body, request) => new Response(`{"jsonrpc":"2.0","id":${JSON.parse(body).id},"error":${confession(request)}}`),
  );
  const text = await (await gateway.rpc(key, call(1))).text();
  expectNothingReported(text);
  expectNothingReported(JSON.stringify(JSON.parse(text)));
  expect(JSON.parse(text)).toMatchObject({ id: 1, error: { code: -32000, message: expect.stringContaining('***') } });
  expect(text).toEndWith('"numbers":[1.50,"0x08c379a0"]}}}');
});

test('the errors of a batch contain none, whether per element or one for all', async () => {
  node.behave(
    (body, request) =>
      new Response(
        `[${JSON.parse(body).map(({ id }: { id: number }) => `{"jsonrpc":"2.0","id":${id},"error":${confession(request)}}`)}]`,
      ),
  );
  const each = await (await gateway.rpc(key, [call(1), call(2)])).text();
  node.behave((_, request) => new Response(`{"jsonrpc":"2.0","id":null,"error":${confession(request)}}`));
  const all = await (await gateway.rpc(key, [call(1), call(2)])).text();
  for (const text of [each, all]) {
    expectNothingReported(text);
    expectNothingReported(JSON.stringify(JSON.parse(text)));
    expect(JSON.parse(text)).toMatchObject([
      { id: 1, error: { code: -32000 } },
      { id: 2, error: { code: -32000 } },
    ]);
  }
});

test('neither a 502 after an invalid answer nor the log contains one', async () => {
  for (const status of [200, 403, 500])
    for (const wrap of [(text: string) => `<html>${text}</html>`, (text: string) => `{"message":${text}}`]) {
      node.behave((_, request) => new Response(wrap(confession(request)), { status, headers: { 'X-Echo': url } }));
      const answer = await gateway.rpc(key, call(1));
      expect(answer.status).toBe(502);
      expectNothingReported(await answer.text());
    }
  await gateway.fetch('/readyz');
  expectNothingReported(gateway.output());
});

test('a result is passed on unchanged, with any content (docs/decisions/0040)', async () => {
  node.behave((body) => new Response(`{"jsonrpc":"2.0","id":${JSON.parse(body).id},"result":"be4rer-value"}`));
  expect(await (await gateway.rpc(key, call(1))).text()).toBe('{"jsonrpc":"2.0","id":1,"result":"be4rer-value"}');
});
