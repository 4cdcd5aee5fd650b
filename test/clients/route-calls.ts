/**
 * For each route of the OpenAPI document the function of the client that calls it, with every parameter of the route.
 */

import type { Flowgate } from '../../client/src/create-flowgate.ts';

const network = { dlt: 'ethereum', networkId: 'dev' };
const listed = { limit: 2, cursor: 'next' };
const day = '2026-11-22T00:00:00.000Z';
const usageAsked = { from: day, to: day, bucket: 'day', keyId: 'one', network: 'ethereum/dev' } as const;
const policy = {
  effect: 'deny',
  subjects: ['*'],
  resource: { kind: 'network', id: 'ethereum/dev' },
} as const;
const question = { resource: policy.resource, method: 'eth_call' } as const;
const transfers = { bridgeId: 'main', wallet: '0x1', transactionHash: '0x1', after: day, before: day };
const transfer = { bridgeId: 'main', wallet: '0x1', token: 'native', amount: '1' } as const;

export const routeCalls: Readonly<Record<string, (client: Flowgate) => unknown>> = {
  'POST /rpc': ({ rpc }) => rpc('eth_chainId'),
  'POST /dlts/{dlt}/networks/{networkId}/rpc': ({ rpc }) => rpc('eth_chainId', [], { network }),
  'POST /dlts/{dlt}/nodes/{nodeId}/rpc': ({ rpc }) =>
    rpc('eth_chainId', [], { node: { dlt: 'ethereum', nodeId: 'n' } }),
  'GET /healthz': ({ gateway }) => gateway.health(),
  'GET /readyz': ({ gateway }) => gateway.readiness(),
  'GET /.well-known/oauth-protected-resource': ({ gateway }) => gateway.protectedResource(),
  'GET /openapi.json': ({ gateway }) => gateway.openApi(),
  'GET /users/me/id': ({ me }) => me(),
  'GET /users/me': ({ whoAmI }) => whoAmI(),
  'GET /users/me/usage': ({ usage }) => usage({ ...usageAsked, by: 'method' }),
  'GET /admin/usage': ({ admin }) => admin.usage({ ...usageAsked, by: 'user', userId: 'u' }),
  'POST /users/me/api-keys': ({ apiKeys }) => apiKeys.mint({ label: 'one' }),
  'GET /users/me/api-keys': ({ apiKeys }) => apiKeys.page(listed),
  'DELETE /users/me/api-keys/{keyId}': ({ apiKeys }) => apiKeys.revoke('one'),
  'GET /dlts': ({ ledgers }) => ledgers.page(listed),
  'GET /networks': ({ networks }) => networks.page(listed),
  'GET /dlts/{dlt}/networks': ({ networks }) => networks.of('ethereum').page(listed),
  'GET /dlts/{dlt}/networks/{networkId}': ({ networks }) => networks.get(network),
  'GET /providers': ({ providers }) => providers.page(listed),
  'GET /contracts': ({ contracts }) => contracts.page(listed),
  'GET /contracts/{contractId}': ({ contracts }) => contracts.get('one'),
  'GET /bridges': ({ bridges }) => bridges.page(listed),
  'POST /nodes': ({ nodes }) => nodes.register({ ...network, url: 'https://node.example/key' }),
  'GET /nodes': ({ nodes }) => nodes.page({ ...listed, filter: network }),
  'GET /nodes/{nodeId}': ({ nodes }) => nodes.get('one'),
  'PATCH /nodes/{nodeId}': ({ nodes }) => nodes.change('one', { label: 'two' }),
  'DELETE /nodes/{nodeId}': ({ nodes }) => nodes.remove('one'),
  'GET /admin/nodes': ({ nodes }) => nodes.everybodys.page({ ...listed, filter: network }),
  'PATCH /admin/nodes/{nodeId}': ({ nodes }) => nodes.everybodys.change('one', { cordoned: true }),
  'GET /admin/audit': ({ admin }) =>
    admin.audit.page({
      ...listed,
      filter: { actor: 'a', action: 'key.created', target: 't', after: day, before: day },
    }),
  'GET /admin/maintenance': ({ admin }) => admin.maintenance.get(),
  'PUT /admin/maintenance': ({ admin }) => admin.maintenance.set({ active: false }),
  'GET /admin/indexers': ({ admin }) => admin.indexers(),
  'GET /admin/users': ({ admin }) => admin.users.page({ ...listed, filter: { search: 'u' } }),
  'GET /maintenance': ({ upcomingMaintenance }) => upcomingMaintenance(),
  'GET /admin/users/{userId}/limits': ({ admin }) => admin.user('u').limits.get(),
  'PUT /admin/users/{userId}/limits': ({ admin }) => admin.user('u').limits.set({ nodes: 1 }),
  'DELETE /admin/users/{userId}/limits': ({ admin }) => admin.user('u').limits.remove(),
  'GET /admin/users/{userId}/api-keys': ({ admin }) => admin.user('u').apiKeys.page(listed),
  'DELETE /admin/users/{userId}/api-keys/{keyId}': ({ admin }) => admin.user('u').apiKeys.revoke('one'),
  'GET /users/me/deployed-contracts': ({ deployedContracts }) =>
    deployedContracts.page({ ...listed, filter: { ...network, status: 'pending' } }),
  'POST /users/me/policies': ({ policies }) => policies.create(policy),
  'GET /users/me/policies': ({ policies }) => policies.page(listed),
  'GET /users/me/policies/{policyId}': ({ policies }) => policies.get('one'),
  'PATCH /users/me/policies/{policyId}': ({ policies }) => policies.update('one', { name: null }),
  'DELETE /users/me/policies/{policyId}': ({ policies }) => policies.remove('one'),
  'POST /users/me/policies/explain': ({ policies }) => policies.explain(question),
  'POST /users/me/policies/preview': ({ policies }) => policies.preview(policy, { replaces: 'one' }),
  'POST /admin/policies': ({ globalPolicies }) => globalPolicies.create(policy),
  'GET /admin/policies': ({ globalPolicies }) => globalPolicies.page(listed),
  'GET /admin/policies/{policyId}': ({ globalPolicies }) => globalPolicies.get('one'),
  'PATCH /admin/policies/{policyId}': ({ globalPolicies }) => globalPolicies.update('one', { name: null }),
  'DELETE /admin/policies/{policyId}': ({ globalPolicies }) => globalPolicies.remove('one'),
  'POST /admin/policies/explain': ({ globalPolicies }) => globalPolicies.explain({ ...question, userId: 'u' }),
  'POST /users/me/wallets/challenge': ({ wallets }) => wallets.challenge({ address: '0x1' }),
  'POST /users/me/wallets': ({ wallets }) => wallets.link({ message: 'm', signature: '0x1' }),
  'GET /users/me/wallets': ({ wallets }) => wallets.page(listed),
  'GET /users/me/wallets/{address}': ({ wallets }) => wallets.get('0x1'),
  'DELETE /users/me/wallets/{address}': ({ wallets }) => wallets.unlink('0x1'),
  'GET /stakes': ({ stakes }) => stakes.page(listed),
  'GET /stakes/{stakeId}': ({ stakes }) => stakes.get('one'),
  'POST /stakes/transactions': ({ stakes }) =>
    stakes.prepare({ contractId: 'c', ...network, wallet: '0x1', action: 'stake', amount: '1' }),
  'GET /users/me/history': ({ history }) =>
    history.page({ ...listed, filter: { type: 'deposit', wallet: '0x1', after: day, before: day } }),
  'GET /users/me/deposits': ({ deposits }) =>
    deposits.page({ ...listed, filter: { ...transfers, status: 'completed' } }),
  'GET /users/me/deposits/{depositId}': ({ deposits }) => deposits.get('one'),
  'POST /users/me/deposits/{depositId}/replay': ({ deposits }) => deposits.replay('one'),
  'POST /deposits/transactions': ({ deposits }) => deposits.prepare(transfer),
  'GET /users/me/withdrawals': ({ withdrawals }) =>
    withdrawals.page({ ...listed, filter: { ...transfers, status: 'finalised' } }),
  'GET /users/me/withdrawals/{withdrawalId}': ({ withdrawals }) => withdrawals.get('one'),
  'POST /withdrawals/transactions': ({ withdrawals }) => withdrawals.prepare(transfer),
  'POST /users/me/withdrawals/{withdrawalId}/prove': ({ withdrawals }) => withdrawals.prove('one'),
  'POST /users/me/withdrawals/{withdrawalId}/finalize': ({ withdrawals }) => withdrawals.finalize('one'),
  'POST /users/me/withdrawals/{withdrawalId}/replay': ({ withdrawals }) => withdrawals.replay('one'),
  'POST /flow/registry/apps': ({ flow }) => flow.apps.register({ appId: 'acme/pay', name: 'Pay' }),
  'GET /flow/registry/apps': ({ flow }) => flow.apps.page(listed),
  'GET /flow/registry/apps/{appId}': ({ flow }) => flow.apps.get('acme/pay'),
  'POST /flow/registry/apps/{appId}/versions': ({ flow }) =>
    flow.versions.publish('acme/pay', { version: '1.0.0', baseUrl: 'https://app.example', steps: [{ stepId: 'a' }] }),
  'GET /flow/registry/apps/{appId}/versions': ({ flow }) => flow.versions.page('acme/pay', listed),
  'GET /flow/registry/apps/{appId}/versions/{version}': ({ flow }) => flow.versions.get('acme/pay', '1.0.0'),
  'POST /flow/registry/apps/{appId}/versions/{version}/retire': ({ flow }) => flow.versions.retire('acme/pay', '1.0.0'),
  'POST /flow/sessions': ({ flow }) => flow.sessions.start({ appId: 'acme/pay' }),
  'GET /flow/sessions': ({ flow }) =>
    flow.sessions.page({ ...listed, filter: { appId: 'acme/pay', status: 'active' } }),
  'GET /flow/sessions/{sessionId}': ({ flow }) => flow.sessions.get('ses_1'),
  'DELETE /flow/sessions/{sessionId}': ({ flow }) => flow.sessions.cancel('ses_1'),
  'POST /flow/sessions/{sessionId}/steps/{stepId}': ({ flow }) =>
    flow.sessions.submit('ses_1', 'start', { actionId: 'next', stateVersion: 1 }),
  'GET /flow/sessions/{sessionId}/events': ({ flow }) => flow.sessions.events('ses_1', { after: 1, limit: 2 }),
  'GET /flow/queries/{appId}/{queryId}': ({ flow }) => flow.query('acme/pay', 'last'),
  'POST /flow/apps/{appId}/subscriptions': ({ flow }) =>
    flow.subscriptions.create('acme/pay', { eventType: 'paid', targetUrl: 'https://hooks.example' }),
  'GET /flow/apps/{appId}/subscriptions': ({ flow }) => flow.subscriptions.page('acme/pay', listed),
  'DELETE /flow/apps/{appId}/subscriptions/{subscriptionId}': ({ flow }) =>
    flow.subscriptions.remove('acme/pay', 'sub_1'),
};

/** Why the client has no function for the route. */
export const routesWithoutFunction: Readonly<Record<string, string>> = {
  'POST /rpc/{apiKey}': 'a URL with a key is itself a credential; the header is preferred',
  'POST /dlts/{dlt}/networks/{networkId}/rpc/{apiKey}': 'as above',
  'POST /dlts/{dlt}/nodes/{nodeId}/rpc/{apiKey}': 'as above',
  'GET /deposits/{depositId}': 'the same as /users/me/deposits/{depositId}',
  'POST /flow/queries/{appId}/{queryId}': 'the same as GET',
  'POST /users/me/withdrawals/{withdrawalId}/finalise': 'deprecated: the same as …/finalize',
  'POST /mcp': 'agents bring a client of the Model Context Protocol',
  'GET /': 'a page',
  'GET /reference': 'a page',
  'GET /favicon.ico': 'a picture',
  'GET /console': 'a page',
  'GET /console/{path}': 'a page, and its files',
  'GET /console/config.json': 'for the page',
};
