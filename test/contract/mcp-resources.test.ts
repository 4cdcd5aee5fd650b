/**
 * Agents' tools for contracts, wallets, stakes and policies, with a real chain: each returns the same as its route
 * (contract/agents#tools).
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { fundStaker } from '@flowgate/devkit/dev-contracts';
import { devAccount } from '@flowgate/devkit/dev-token';
import { type Agent, connectAgent } from '../../apps/gateway/test/fixtures/agent-clients.ts';
import { startWalletGateway, type WalletGateway } from '../../apps/gateway/test/fixtures/wallet-chain.ts';

let running: WalletGateway;
beforeAll(async () => {
  running = await startWalletGateway();
});
afterAll(() => running.stop());

const account = devAccount(3);
const staking = { contractId: 'dev-staking', dlt: 'ethereum', networkId: 'dev', wallet: account.address };

async function asAgent<T>(user: string, use: (agent: Agent) => Promise<T>): Promise<T> {
  const { apiKey } = await running.gateway.mint(user);
  const agent = await connectAgent('present', running.gateway.url, { 'X-API-Key': apiKey });
  try {
    return await use(agent);
  } finally {
    await agent.close();
  }
}

test('lists equal those of the routes', async () => {
  await asAgent('lister', async (agent) => {
    const contracts = await agent.call('list_contracts');
    expect(contracts.structured).toMatchObject({ data: [{ contractId: 'dev-staking', role: 'staking' }] });
    const nodes = await agent.call('list_nodes', { dlt: 'ethereum', networkId: 'dev' });
    expect(nodes.structured).toMatchObject({ data: [{ nodeId: 'dev-1', source: 'operator' }] });
    for (const name of ['list_deployed_contracts', 'list_wallets', 'list_stakes', 'list_policies'])
      expect([name, await agent.call(name)]).toMatchObject([name, { isError: false, structured: { data: [] } }]);
    expect((await agent.call('list_deployed_contracts', { status: 'failed' })).isError).toBe(false);
    expect((await agent.call('list_deployed_contracts', { status: 'lost' })).isError).toBe(true);
  });
});

test('an agent registers a node, with the same refusals as the route', async () => {
  await asAgent('registrar', async (agent) => {
    const node = { dlt: 'ethereum', networkId: 'dev', url: 'https://node.example/v2/0123456789abcdef' };
    const refused = await agent.call('register_node', node);
    expect(refused).toMatchObject({
      isError: true,
      structured: { status: 400, message: expect.stringMatching('url') },
    });
  });
});

test('an agent prepares a stake for a linked wallet, and gets the reason for a refusal', async () => {
  await fundStaker({ rpcUrl: running.chain.url }, account.address, 10n ** 18n);
  await running.link('staker', account);
  const prepared = await asAgent('staker', (agent) =>
    agent.call('prepare_stake', { ...staking, action: 'stake', amount: '1000' }),
  );
  expect(prepared.isError).toBe(false);
  const { transactions } = prepared.structured as { transactions: readonly { from: string; description: string }[] };
  expect(transactions.map(({ from }) => from)).toEqual([account.address, account.address]);
  const refused = await asAgent('stranger', (agent) =>
    agent.call('prepare_stake', { ...staking, action: 'stake', amount: '1000' }),
  );
  expect(refused).toMatchObject({
    isError: true,
    structured: { status: 400, message: expect.stringMatching('wallet') },
  });
});

test('a policy refuses a call of an agent, and explain names the policy', async () => {
  const { apiKey, keyId } = await running.gateway.mint('careful');
  const made = await running.as('careful', 'POST', '/users/me/policies', {
    effect: 'deny',
    subjects: [`key:${keyId}`],
    resource: { kind: 'network', id: 'ethereum/dev' },
    methods: ['eth_getBalance'],
  });
  expect(made.status).toBe(201);
  const { policyId } = (await made.json()) as { policyId: string };
  const agent = await connectAgent('present', running.gateway.url, { 'X-API-Key': apiKey });
  const call = { method: 'eth_getBalance', params: [account.address, 'latest'] };
  expect(await agent.call('rpc_call', call)).toMatchObject({ isError: true, structured: { status: 403 } });
  expect((await agent.call('rpc_call', { method: 'eth_blockNumber' })).isError).toBe(false);
  const question = { resource: { kind: 'network', id: 'ethereum/dev' }, method: 'eth_getBalance' };
  expect((await agent.call('explain_policy', question)).structured).toEqual({
    allowed: false,
    decidedBy: { policyId, scope: 'own', effect: 'deny' },
    considered: 1,
  });
  await agent.close();
});
