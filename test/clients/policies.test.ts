/** Policies through the client, with the real gateway (contract/firewall). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { checkedFetch } from '../../apps/gateway/test/fixtures/checked-fetch.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { createFlowgate } from '../../client/src/create-flowgate.ts';
import { refusalOf } from '../../client/test/refusal-of.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const asUser = (sub: string, roles: readonly string[] = []) =>
  createFlowgate({
    url: gateway.url,
    fetch: checkedFetch,
    token: gateway.token(sub, { roles }),
  });
const network = { kind: 'network', id: 'ethereum/dev' } as const;

test('a policy is created, found, listed, changed, explained and deleted; a denied call is refused', async () => {
  const { policies } = asUser('alice');
  const { apiKey, keyId } = await gateway.mint('alice');
  const made = await policies.create({
    effect: 'deny',
    subjects: [`key:${keyId}`],
    resource: network,
    methods: ['eth_call'],
  });
  expect(made).toMatchObject({ scope: 'own', effect: 'deny', resource: network, methods: ['eth_call'] });
  expect(await policies.get(made.policyId)).toEqual(made);
  expect(await Array.fromAsync(policies.list())).toEqual([made]);
  const withKey = createFlowgate({ url: gateway.url, fetch: checkedFetch, apiKey });
  expect(await refusalOf(withKey.rpc('eth_call', []))).toMatchObject({ status: 403 });
  expect(await policies.explain({ resource: network, method: 'eth_call', keyId })).toEqual({
    allowed: false,
    decidedBy: { policyId: made.policyId, scope: 'own', effect: 'deny' },
    considered: 1,
  });
  const changed = await policies.update(made.policyId, { methods: null, subjects: ['user:nouser'] });
  expect(changed.methods).toBeUndefined();
  expect(await withKey.rpc('eth_blockNumber')).toBe('0x10');
  await policies.remove(made.policyId);
  expect(await refusalOf(policies.get(made.policyId))).toMatchObject({ status: 404 });
  expect(
    await refusalOf(withKey.policies.create({ effect: 'allow', subjects: ['*'], resource: network })),
  ).toMatchObject({ status: 403 });
});

test("the operator's policies need the role, and explain works for any user", async () => {
  expect(await refusalOf(asUser('alice').globalPolicies.page())).toMatchObject({ status: 403 });
  const { globalPolicies } = asUser('root', ['admin']);
  const made = await globalPolicies.create({
    effect: 'deny',
    subjects: ['user:mallory'],
    resource: { kind: 'network', id: '*' },
  });
  expect(made.scope).toBe('global');
  expect(await globalPolicies.explain({ resource: network, userId: 'mallory' })).toMatchObject({
    allowed: false,
    considered: 1,
  });
  await globalPolicies.remove(made.policyId);
});
