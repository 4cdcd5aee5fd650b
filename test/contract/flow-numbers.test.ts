/**
 * A number arrives exactly as sent, or is refused with the advice to use a string: from callers, apps and agents, on
 * every route (contract/flow-apps#numbers).
 */

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import fc from 'fast-check';
import { jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { answering, wellBehaved } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { countStep } from '../../apps/gateway/test/fixtures/flow-app.ts';
import { flowClient } from '../../apps/gateway/test/fixtures/flow-client.ts';
import { type FlowGateway, startFlowGateway } from '../../apps/gateway/test/fixtures/flow-gateway.ts';
import type { RunningGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

let gateway: RunningGateway;
let stop: FlowGateway['stop'];
/** The last request body that the app received, as text. */
let received = '';
/** The response of the app, as text. */
let answer = '';

const step = { ...countStep(1), fields: [{ fieldId: 'data', type: 'json', label: 'Data' }] };

beforeAll(async () => {
  ({ gateway, stop } = await startFlowGateway({}, (request) => {
    received = JSON.stringify(request);
    return new Response(answer, { headers: { 'Content-Type': 'application/json' } });
  }));
});
afterAll(() => stop());
beforeEach(() => {
  received = '';
  answer = JSON.stringify({ step });
  gateway.node.behave(wellBehaved);
});

const changed = ['1000000000000000001', '-9007199254740993', '0.1000000000000000055', '12345678901234567.8', '1e400'];
const exact = ['9007199254740992', '1.10', '-0', '1e3', '1e23', '0.1'];

const send = (path: string, body: string, more: Readonly<Record<string, string>> = {}) =>
  gateway.fetch(path, { method: 'POST', headers: { ...flowClient(gateway).headers, ...more }, body });
const start = (context: string) =>
  send('/flow/sessions', `{"appId":"acme/counter","launchContext":{"deep":[{"amount":${context}}]}}`);

test('a number that would change is refused in launchContext and fieldValues, and the app is not called', async () => {
  const session = await flowClient(gateway).start();
  const submit = (value: string) =>
    send(
      `/flow/sessions/${session.sessionId}/steps/count`,
      `{"actionId":"finish","stateVersion":1,"fieldValues":{"data":{"wei":[${value}]}}}`,
      { 'Idempotency-Key': 'k' },
    );
  received = '';
  for (const [ask, place] of [
    [start, 'launchContext.deep[0].amount'],
    [submit, 'fieldValues.data.wei[0]'],
  ] as const)
    for (const number of changed) {
      const response = await ask(number);
      const { detail } = await jsonBody(response);
      expect([number, response.status, detail]).toEqual([
        number,
        400,
        `The body holds a number at ${place} that a 64-bit float would change: send it as a string.`,
      ]);
    }
  expect(received).toBe('');
  for (const number of exact) {
    expect([number, (await start(number)).status]).toEqual([number, 201]);
    expect(JSON.parse(received)).toMatchObject({ launchContext: { deep: [{ amount: Number(number) + 0 }] } });
  }
  expect((await submit('[1e3, "1000000000000000001"]')).status).toBe(200);
  expect(received).toContain('"wei":[[1000,"1000000000000000001"]]');
});

test('an app response with a number that would change is refused without retry, and nothing is committed', async () => {
  const parts: readonly ((number: string) => readonly [string, string])[] = [
    (number) => [`"step":${JSON.stringify(step).slice(0, -1)},"transaction":{"value":${number}}}`, 'step'],
    (number) => [`"step":${JSON.stringify(step)},"state":{"list":[[${number}]]}`, 'state'],
    (number) => [`"step":${JSON.stringify(step)},"appData":{"set":{"total":${number}}}`, 'appData'],
    (number) => [`"step":${JSON.stringify(step)},"events":[{"type":"counted","data":{"to":${number}}}]`, 'events[0]'],
  ];
  for (const part of parts)
    for (const number of changed) {
      const [members, place] = part(number);
      answer = `{${members}}`;
      const response = await start('1');
      const body = await jsonBody(response);
      expect([number, response.status, body['retryable'], body['detail']]).toEqual([
        number,
        502,
        false,
        `the answer of the app's /renderStep holds a number at ${place} that a 64-bit float would change: send it as a string`,
      ]);
    }
  answer = `{${parts[0]?.('1000000000000000100')[0]}}`;
  expect(await (await start('1')).text()).toContain('"transaction":{"value":1000000000000000100}');
});

test('every decimal either reaches the app with its exact value or is refused', async () => {
  const decimal = fc
    .tuple(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.integer({ min: 0, max: 24 }))
    .map(([whole, places]) => {
      const digits = String(whole < 0n ? -whole : whole).padStart(places + 1, '0');
      const sign = whole < 0n ? '-' : '';
      return places === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
    });
  await fc.assert(
    fc.asyncProperty(decimal, async (number) => {
      const response = await start(number);
      if (response.status === 400) return;
      expect(response.status).toBe(201);
      const arrived = /"amount":([^}]*)/.exec(received)?.[1] ?? '';
      // Padded to one number of decimal places, equal decimals are equal texts.
      expect(padded(arrived)).toBe(padded(number));
    }),
    { numRuns: 60 },
  );
});

function padded(number: string): string {
  const [mantissa = '', power = '0'] = number.split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const exponent = Number(power) - fraction.length + 60;
  const value = BigInt(whole + fraction) * 10n ** BigInt(exponent);
  return String(value);
}

test('agents: a number that would change is refused in the arguments of a tool and in the response of a node', async () => {
  const { apiKey } = await gateway.mint('agent');
  const call = (args: string) =>
    gateway.fetch('/mcp', {
      method: 'POST',
      headers: {
        'X-API-Key': apiKey,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rpc_call","arguments":${args}}}`,
    });
  const refused = await call('{"method":"eth_call","params":[{"value":1000000000000000001}]}');
  expect([refused.status, (await jsonBody(refused))['message']]).toEqual([
    400,
    'The body holds a number at params.arguments.params[0].value that a 64-bit float would change: send it as a string.',
  ]);
  expect(gateway.node.received).toEqual([]);
  gateway.node.behave(answering('{"supply":1000000000000000001}'));
  const result = JSON.stringify(await jsonBody(await call('{"method":"eth_call","params":[]}')));
  expect(result).toContain('"isError":true');
  expect(result).toContain('cannot represent a number in this answer exactly');
  expect(result).not.toContain('100000000000000000');
});
