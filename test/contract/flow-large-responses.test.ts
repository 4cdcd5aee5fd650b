/** Large inputs of apps and callers do not delay other callers (contract/flow-apps). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { expectProblem, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { countStep, type FlowAppFixture, publishFlowApp } from '../../apps/gateway/test/fixtures/flow-app.ts';
import { flowClient } from '../../apps/gateway/test/fixtures/flow-client.ts';
import { type FlowGateway, startFlowGateway } from '../../apps/gateway/test/fixtures/flow-gateway.ts';
import type { RunningGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

let gateway: RunningGateway;
let app: FlowAppFixture;
let stop: FlowGateway['stop'];

beforeAll(async () => {
  ({ gateway, app, stop } = await startFlowGateway({
    limits: { userPerMinute: 1_000_000, sessionPerMinute: 100_000 },
    flow: { renderTimeoutSeconds: 60 },
  }));
  for (const appId of ['evil/one', 'evil/two', 'acme/honest']) await publishFlowApp(gateway, app, { appId });
});
afterAll(() => stop());

const start = (appId: string) => flowClient(gateway).post('/flow/sessions', { appId });
/** The largest step and events with the text that the filter processes most slowly. */
const longest = { text: 'a. '.repeat(60_000) };
const hostileAnswer = JSON.stringify({
  step: { ...countStep(0), options: longest },
  events: [{ type: 'noted', data: longest }],
});
const json = { 'Content-Type': 'application/json' };

test('JSON-RPC calls and other apps are answered while malicious responses are processed', async () => {
  const { apiKey } = await gateway.mint();
  const call = async () => {
    const answered = await gateway.rpc(apiKey, { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
    expect(answered.status).toBe(200);
    await answered.bytes();
  };
  app.script(({ session }) =>
    session.appId.startsWith('evil/') ? new Response(hostileAnswer, { headers: json }) : { step: countStep(0) },
  );
  let left = 10;
  const hostile = Array.from({ length: left }, async (_, at) => {
    const response = await start(at % 2 === 0 ? 'evil/one' : 'evil/two');
    left -= 1;
    return response.status;
  });
  let calls = 0;
  let sessions = 0;
  for (; left > 0; calls++) {
    await call();
    if (calls % 10 === 0) sessions += (await start('acme/honest')).status === 201 ? 1 : 0;
  }
  expect((await Promise.all(hostile)).filter((status) => status !== 201 && status !== 502)).toEqual([]);
  // In the event loop, the ten would let only one or two other calls in after each of them.
  expect([calls > 60, sessions > 6]).toEqual([true, true]);
});

test('a response with too many values is invalid, and a large one is stored unchanged (contract/flow-apps)', async () => {
  app.script(() => ({ step: countStep(0), state: { list: Array.from({ length: 25_001 }, () => 1) } }));
  await expectProblem(await start('acme/honest'), {
    status: 502,
    type: 'bad-gateway',
    title: 'Bad gateway',
    retryable: false,
  });
  const options = { list: Array.from({ length: 5_000 }, (_, at) => `Entry ${at}: größer als 8 KiB`) };
  app.script(() => ({ step: { ...countStep(0), options } }));
  const started = await start('acme/honest');
  expect(started.status).toBe(201);
  expect(await jsonBody(started)).toMatchObject({ currentStep: { ...countStep(0), options } });
});

test('a step of more than 256 KiB is an invalid response: 502 without retry, and the detail names the reason (contract/flow-apps)', async () => {
  app.script(() => ({ step: { ...countStep(0), options: { text: 'x'.repeat(262_144) } } }));
  const detail = await expectProblem(await start('acme/honest'), {
    status: 502,
    type: 'bad-gateway',
    title: 'Bad gateway',
    retryable: false,
  });
  expect(detail).toMatch(/\/step must be at most 262144 bytes of JSON, and is 262\d{3}\.$/);
});

test('bodies of Flow routes have at most 1 MiB, also when JSON-RPC accepts more (contract/bounds#sizes: a body of a Flow route)', async () => {
  const tooLarge = await flowClient(gateway).post('/flow/sessions', { appId: 'x'.repeat(1_048_576) });
  expect(tooLarge.status).toBe(413);
  const large = await flowClient(gateway).post('/flow/sessions', { appId: 'x'.repeat(1_048_000) });
  expect(large.status).toBe(400);
});
