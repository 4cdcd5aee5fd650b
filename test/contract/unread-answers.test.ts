/**
 * Callers that do not read their responses: on every surface, the memory of the gateway stays below a bound
 * (contract/bounds#waiting).
 */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { frame, opcodes, upgradeRequest } from '@flowgate/testing/raw-web-socket';
import { until } from '@flowgate/testing/until';
import { answering } from '../../apps/gateway/test/fixtures/fake-node.ts';
import {
  countStep,
  type FlowAppFixture,
  publishFlowApp,
  reachesLoopback,
  startFlowApp,
} from '../../apps/gateway/test/fixtures/flow-app.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { residentMiB, type UnreadCallers, unreadCallers } from '../../apps/gateway/test/fixtures/unread-callers.ts';

/** Requests of each surface, within the default limit of one user. */
const requests = 100;
/** Twice the 256 MiB of answers and the 128 MiB of waiting bytes that the default limits permit. */
const boundMiB = 768;

let gateway: RunningGateway;
let app: FlowAppFixture;
let unread: UnreadCallers;
beforeEach(() => {
  unread = unreadCallers(gateway.port);
});
afterEach(() => unread.close());
beforeAll(async () => {
  app = startFlowApp(() => ({ step: { ...countStep(0), options: { text: 'x'.repeat(170_000) } } }));
  gateway = await startGateway({ config: reachesLoopback });
  await publishFlowApp(gateway, app);
  gateway.node.behave(answering(`"${'x'.repeat(16_000_000)}"`));
});
afterAll(async () => {
  await gateway.stop();
  await app.stop();
});

const long = 'x'.repeat(5_000_000);
const mebibyte = 'x'.repeat(1_000_000);
const call = (method: string, id = '1') => `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":[]}`;

/** One body for all requests, so that the callers need little memory. */
const posts: Readonly<Record<string, readonly [path: string, body: string]>> = {
  'a method of 5 MB that is blocked': ['/rpc', call(long)],
  'a method of 5 MB in escapes': ['/rpc', call('\\u0001'.repeat(830_000))],
  'an id of 5 MB in an invalid request': ['/rpc', `{"jsonrpc":"2.0","id":"${long}","method":7}`],
  'an id of 5 MB in a transaction': ['/rpc', call('eth_sendRawTransaction', `"${long}"`)],
  'a large result': ['/rpc', call('eth_getLogs')],
  'a step with large options': ['/flow/sessions', '{"appId":"acme/counter"}'],
  'a long name of a tool': ['/mcp', `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${mebibyte}"}}`],
  'a long id of a message to /mcp': ['/mcp', `{"jsonrpc":"2.0","id":"${mebibyte}","method":"tools/list"}`],
  'the list of tools': ['/mcp', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'],
  'a body with a long member over REST': ['/users/me/wallets', `{"${long}":1}`],
};

function post(path: string, body: string, apiKey: string): Buffer {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: gateway',
    `X-API-Key: ${apiKey}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${body.length}`,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

const answered = () => gateway.output().split('"event":"request"').length - 1;

/**
 * Sends the request on `count` connections, which stay open, and waits until all requests are answered. The gateway's
 * buffers remain, and garbage of the runtime is collected.
 */
async function expectBoundedMemory(count: number, bytes: Buffer): Promise<void> {
  const known = answered();
  for (let nth = 0; nth < count; nth++) unread.send(bytes);
  await until('all was answered', () => answered() - known >= count);
  let memory = Number.POSITIVE_INFINITY;
  await until(
    `its memory is below ${boundMiB} MiB`,
    async () => {
      memory = await residentMiB(gateway.process.pid);
      return memory < boundMiB;
    },
    20_000,
    500,
  );
  expect(memory).toBeLessThan(boundMiB);
}

describe('while a user reads none of 100 responses, memory stays below a bound', () => {
  for (const [what, [path, body]] of Object.entries(posts))
    test(`${what}: POST ${path}`, async () => {
      const { apiKey } = await gateway.mint(`unread-${what.replaceAll(' ', '-')}`);
      const bytes = post(path, body, apiKey);
      await expectBoundedMemory(requests, bytes);
    });

  for (const [what, message] of Object.entries({
    'refusals over WebSocket': call(mebibyte),
    'long ids over WebSocket': call('eth_chainId', `"${mebibyte}"`),
    'large results over WebSocket': call('eth_getLogs'),
  }))
    test(what, async () => {
      const { apiKey } = await gateway.mint(`unread-${what.replaceAll(' ', '-')}`);
      const head = Buffer.from(upgradeRequest(`/rpc/${apiKey}`));
      const messages = frame(opcodes.text, message);
      const bytes = Buffer.concat([head, ...Array.from({ length: 4 }, () => messages)]);
      await expectBoundedMemory(15, bytes);
    });
});

describe('while callers without a credential read nothing, memory stays below a bound', () => {
  const heads: Readonly<Record<string, string>> = {
    'an unknown path of 16 KB': `GET /${'\\"'.repeat(8_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    'an unknown key': `POST /rpc/fk_${'0'.repeat(16)}.${'0'.repeat(43)} HTTP/1.1\r\nHost: a\r\nContent-Length: 15000\r\n\r\n{"jsonrpc":"2.0","id":"${'x'.repeat(14_900)}","method":"a_b"}${' '.repeat(61)}`,
    'the description of all routes': 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n',
    'the same, compressed': 'GET /openapi.json HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n',
  };
  for (const [what, head] of Object.entries(heads))
    test(what, async () => {
      await expectBoundedMemory(80, Buffer.from(head));
    });
});
