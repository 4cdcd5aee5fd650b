/** The contracts of the configuration over HTTP (contract/contracts#named-contracts). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { expectStandardError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

const checksummed = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
let gateway: RunningGateway;
let key: string;

beforeAll(async () => {
  const network = (networkId: string, more: object) => ({
    ...{ dlt: 'ethereum', networkId, chainId: 31337, ...more },
    nodes: [{ nodeId: `node-${networkId}`, url: 'http://127.0.0.1:9' }],
  });
  const contracts = Array.from({ length: 21 }, (_, nth) => ({
    ...{ contractId: `token-${nth}`, role: 'token', address: checksummed.toLowerCase() },
  }));
  const staking = [{ contractId: 'pool', name: 'Pool', address: checksummed }];
  const networks = [network('a', { contracts }), network('b', { staking })];
  const addressOf = (digit: string) => `0x${digit.repeat(40)}`;
  const bridges = [
    {
      ...{ bridgeId: 'main', name: 'Main bridge' },
      ...{ l1: { dlt: 'ethereum', networkId: 'a' }, l2: { dlt: 'ethereum', networkId: 'b' } },
      contracts: {
        ...{ portal: addressOf('1'), l1StandardBridge: addressOf('2') },
        ...{ l1CrossDomainMessenger: addressOf('3'), disputeGameFactory: addressOf('4') },
      },
    },
  ];
  gateway = await startGateway({ config: { networks, bridges } });
  key = (await gateway.mint()).apiKey;
});
afterAll(() => gateway.stop());

const get = (path: string) => gateway.fetch(path, { headers: { 'X-API-Key': key } });
const pool = {
  ...{ contractId: 'pool', dlt: 'ethereum', networkId: 'b', role: 'staking', name: 'Pool', address: checksummed },
};
const token = {
  ...{ contractId: 'token-3', dlt: 'ethereum', networkId: 'a', role: 'token', address: checksummed },
};

test('each configured contract is listed once, with an EIP-55 address', async () => {
  const all = await jsonBody(await get('/contracts?limit=100'));
  expect(all['data']).toBeArrayOfSize(30);
  expect(all['data']).toEqual(expect.arrayContaining([token, pool]));
  const first = await jsonBody(await get('/contracts?limit=20'));
  expect(first['data']).toBeArrayOfSize(20);
  const rest = await jsonBody(await get(`/contracts?cursor=${encodeURIComponent(String(first['nextCursor']))}`));
  expect(rest['data']).toEqual(expect.arrayContaining([expect.objectContaining({ contractId: 'token-20' }), pool]));
  for (const bad of ['limit=0', 'limit=x', 'cursor=x'])
    await expectStandardError(await get(`/contracts?${bad}`), {
      status: 400,
      error: 'Bad request',
      path: '/contracts',
    });
});

test('contracts of a bridge are listed on both of its networks and found by their ids', async () => {
  const { data } = await jsonBody(await get('/contracts'));
  const listed = (data as { role: string }[]).filter(({ role }) => role === 'bridge');
  const on = (networkId: string, suffix: string, name: string, address: string) => ({
    ...{ contractId: `main:${suffix}`, dlt: 'ethereum', networkId, role: 'bridge' },
    ...{ name: `Main bridge: ${name}`, address },
  });
  const predeploy = (digits: string) => `0x4200${'0'.repeat(34)}${digits}`;
  expect(listed).toEqual([
    on('a', 'portal', 'OptimismPortal', `0x${'1'.repeat(40)}`),
    on('a', 'l1-standard-bridge', 'L1StandardBridge', `0x${'2'.repeat(40)}`),
    on('a', 'l1-cross-domain-messenger', 'L1CrossDomainMessenger', `0x${'3'.repeat(40)}`),
    on('a', 'dispute-game-factory', 'DisputeGameFactory', `0x${'4'.repeat(40)}`),
    on('b', 'l2-standard-bridge', 'L2StandardBridge', predeploy('10')),
    on('b', 'l2-cross-domain-messenger', 'L2CrossDomainMessenger', predeploy('07')),
    on('b', 'l2-to-l1-message-passer', 'L2ToL1MessagePasser', predeploy('16')),
    on('b', 'l2-token-factory', 'OptimismMintableERC20Factory', predeploy('12')),
  ]);
  expect(await jsonBody(await get('/contracts/main:portal'))).toEqual({ ...listed[0] });
  expect(await jsonBody(await get(`/contracts/${encodeURIComponent('main:portal')}`))).toEqual({ ...listed[0] });
});

test('a contract is found by its id; another id is 404; without a credential it is 401', async () => {
  expect(await jsonBody(await get('/contracts/pool'))).toEqual(pool);
  const headers = { Authorization: `Bearer ${gateway.token()}` };
  expect(await jsonBody(await gateway.fetch('/contracts/token-3', { headers }))).toEqual(token);
  for (const path of ['/contracts/none', '/contracts/token-99'])
    await expectStandardError(await get(path), { status: 404, error: 'Not found', path });
  for (const path of ['/contracts', '/contracts/pool'])
    await expectStandardError(await gateway.fetch(path), { status: 401, error: 'Unauthorized', path });
});

test('contracts on a network that is denied to the caller are not listed, and 403 by their ids (contract/firewall-resources#rest)', async () => {
  const as = (user: string) => ({
    headers: { Authorization: `Bearer ${gateway.token(user)}`, 'Content-Type': 'application/json' },
  });
  const resource = { kind: 'network', id: 'ethereum/b' };
  const policy = { name: 'not b', effect: 'deny', subjects: ['*'], resource };
  const body = JSON.stringify(policy);
  const made = await gateway.fetch('/users/me/policies', { method: 'POST', body, ...as('dora') });
  expect(made.status).toBe(201);
  const networksOf = async (user: string) => {
    const { data } = await jsonBody(await gateway.fetch('/contracts?limit=100', as(user)));
    return [...new Set((data as { networkId: string }[]).map(({ networkId }) => networkId))];
  };
  expect(await networksOf('dora')).toEqual(['a']);
  expect(await networksOf('erik')).toEqual(['a', 'b']);
  const bridgesOf = async (user: string) => (await jsonBody(await gateway.fetch('/bridges', as(user))))['data'];
  expect([await bridgesOf('dora'), await bridgesOf('erik')]).toMatchObject([[], [{ bridgeId: 'main' }]]);
  for (const path of ['/contracts/pool', '/contracts/main:l2-standard-bridge'])
    await expectStandardError(await gateway.fetch(path, as('dora')), { status: 403, error: 'Forbidden', path });
  expect(await jsonBody(await gateway.fetch('/contracts/token-3', as('dora')))).toEqual(token);
});
