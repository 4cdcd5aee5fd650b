/** The preview of a policy: the calls that it would have refused (contract/firewall#preview). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createFlowgate, type Flowgate, type PolicyInput } from '@flowgate/client';
import { until } from '@flowgate/testing/until';
import { checkedFetch } from '../../apps/gateway/test/fixtures/checked-fetch.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ config: { usage: { writeSeconds: 0.1 } } });
});
afterAll(() => gateway.stop());

const call = (method: string) => ({ jsonrpc: '2.0', id: 1, method, params: [] });
const clientOf = (user: string) =>
  createFlowgate({ url: gateway.url, token: gateway.token(user), fetch: checkedFetch, retry: false });
const denyAll: PolicyInput = { effect: 'deny', subjects: ['*'], resource: { kind: 'network', id: '*' } };

/** A user with two keys: one made three reads, the other one transaction and one read. */
async function withCalls(user: string): Promise<{ client: Flowgate; readKey: string; sendKey: string }> {
  const [one, other] = [await gateway.mint(user), await gateway.mint(user)];
  for (let nth = 0; nth < 3; nth++) await gateway.rpc(one.apiKey, call('eth_gasPrice'));
  await gateway.rpc(other.apiKey, call('eth_sendRawTransaction'));
  await gateway.rpc(other.apiKey, call('eth_gasPrice'));
  const client = clientOf(user);
  await until('usage counts five calls', async () => (await client.policies.preview(denyAll)).considered === 5);
  return { client, readKey: one.keyId, sendKey: other.keyId };
}

test('a preview counts the calls of the last 24 hours that the policy would refuse, by method', async () => {
  const { client, readKey, sendKey } = await withCalls('previews');
  const sends: PolicyInput = { ...denyAll, methods: ['eth_send*'] };
  const preview = async (input: PolicyInput) => {
    const { refused, byMethod } = await client.policies.preview(input);
    return [refused, byMethod];
  };
  expect(await preview(denyAll)).toEqual([
    5,
    [
      { method: 'eth_gasPrice', refused: 4 },
      { method: 'eth_sendRawTransaction', refused: 1 },
    ],
  ]);
  expect(await preview(sends)).toEqual([1, [{ method: 'eth_sendRawTransaction', refused: 1 }]]);
  expect(await preview({ ...sends, subjects: [`key:${readKey}`] })).toEqual([0, []]);
  expect(await preview({ ...denyAll, subjects: [`key:${sendKey}`] })).toEqual([2, expect.any(Array)]);
  expect(await preview({ ...denyAll, resource: { kind: 'network', id: 'ethereum/other' } })).toEqual([0, []]);
  // An allow excludes every credential that it does not name.
  expect(await preview({ ...denyAll, effect: 'allow', subjects: [`key:${sendKey}`] })).toEqual([3, expect.any(Array)]);
});

test('calls that existing policies refuse are not counted; a replaced policy is ignored', async () => {
  const { client, readKey } = await withCalls('edits');
  const made = await client.policies.create({ ...denyAll, subjects: [`key:${readKey}`] });
  expect((await client.policies.preview(denyAll)).refused).toBe(2);
  expect((await client.policies.preview(denyAll, { replaces: made.policyId })).refused).toBe(5);
});

test('a preview stores nothing, validates its policy like a new one, and shows no usage of other users', async () => {
  const { client } = await withCalls('stores-nothing');
  await client.policies.preview(denyAll);
  expect((await client.policies.page()).data).toEqual([]);
  expect(await clientOf('stranger').policies.preview(denyAll)).toEqual({ considered: 0, refused: 0, byMethod: [] });
  const refusal = (input: PolicyInput, replaces?: string) =>
    client.policies.preview(input, replaces === undefined ? {} : { replaces }).then(
      () => 'nothing',
      (error: Error) => error.message,
    );
  expect(await refusal({ ...denyAll, subjects: ['invalid'] })).toContain('subjects');
  expect(await refusal(denyAll, 'pol_01KAJ0Z6V2M8T4Q9R3WX5Y7ABE')).toContain('replaces must be the id of one of your');
  expect(await client.policies.preview({ ...denyAll, resource: { kind: 'contract', id: '*' } })).toEqual({
    ...{ considered: 0, refused: 0, byMethod: [] },
  });
});
