/**
 * Contracts deployed through the gateway on a real chain, by every path and with every transaction type
 * (contract/contracts#deployed).
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { systemClock } from '@flowgate/base/clock';
import { until } from '@flowgate/testing/until';
import { getContractAddress, type Hex, keccak256 } from 'viem';
import { connectAgent } from '../../apps/gateway/test/fixtures/agent-clients.ts';
import { expectStandardError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import {
  type AnvilChain,
  chainAccount as account,
  deploys,
  poorAccount,
  reverts,
  startAnvil,
} from '../../apps/gateway/test/fixtures/anvil-chain.ts';
import { answering, type FakeNode, startFakeNode, wellBehaved } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { openSqliteConnection } from '../../apps/gateway/test/fixtures/sqlite-connection.ts';

const path = '/users/me/deployed-contracts';
type Contract = Record<string, unknown>;

let chain: AnvilChain;
let stub: FakeNode;
let gateway: RunningGateway;
let apiKey: string;
let nonce = 0;

beforeAll(async () => {
  chain = await startAnvil();
  stub = startFakeNode();
  const network = (networkId: string, url: string) => ({
    ...{ dlt: 'ethereum', networkId, chainId: 31337, confirmations: 1, default: networkId === 'dev' },
    nodes: [{ nodeId: `${networkId}-1`, url }],
  });
  gateway = await startGateway({
    config: { networks: [network('dev', chain.url), network('stub', stub.url)], limits: { userPerMinute: 100_000 } },
  });
  apiKey = (await gateway.mint('alice')).apiKey;
});
afterAll(() => Promise.all([gateway?.stop(), chain?.kill(), stub?.stop()]));

const headersOf = (key = apiKey) => ({ headers: { 'X-API-Key': key } });
const contracts = async (query = '', key = apiKey): Promise<readonly Contract[]> => {
  const { data } = await jsonBody(await gateway.fetch(`${path}${query}`, headersOf(key)));
  return data as Contract[];
};
const contractOf = async (raw: Hex, key = apiKey) =>
  (await contracts('?limit=100', key)).find(({ transactionHash }) => transactionHash === keccak256(raw));

const forms = {
  'legacy, before EIP-155': { type: 'legacy', chainId: undefined, gasPrice: 10n ** 10n },
  legacy: { type: 'legacy', gasPrice: 10n ** 10n },
  'EIP-2930': { type: 'eip2930', gasPrice: 10n ** 10n, accessList: [{ address: account.address, storageKeys: [] }] },
  'EIP-1559': { type: 'eip1559', maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n },
} as const;
type Fields = { readonly data?: Hex; readonly nonce?: number; readonly to?: Hex; readonly chainId?: number };

function signed(form: keyof typeof forms = 'EIP-1559', fields: Fields = {}, by = account): Promise<Hex> {
  const own = { chainId: 31337, nonce: fields.nonce ?? nonce++, gas: 200_000n, data: deploys };
  return by.signTransaction({ ...own, ...forms[form], ...fields } as Parameters<typeof account.signTransaction>[0]);
}

/** Through a node that the caller registered. */
async function through(raw: Hex): Promise<void> {
  const headers = {
    Authorization: `Bearer ${gateway.token('alice', { roles: ['admin'] })}`,
    'Content-Type': 'application/json',
  };
  // Another port, because each address is registered once.
  const front = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) =>
      fetch(chain.url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: await request.text(),
      }),
  });
  const input = { dlt: 'ethereum', networkId: 'dev', url: `http://127.0.0.1:${front.port}/`, kind: 'private' };
  const made = await gateway.fetch('/nodes', { method: 'POST', headers, body: JSON.stringify(input) });
  const { nodeId } = await jsonBody(made);
  const { result } = await jsonBody(await gateway.rpc(apiKey, message(raw), `/dlts/ethereum/nodes/${nodeId}/rpc`));
  expect(result).toBe(keccak256(raw));
  await gateway.fetch(`/nodes/${nodeId}`, { method: 'DELETE', headers });
  await front.stop(true);
}

const message = (raw: Hex, method = 'eth_sendRawTransaction', id: unknown = 1) => ({
  ...{ jsonrpc: '2.0', id, method },
  params: [raw],
});

const isIn = (raw: Hex, status: string) =>
  until(`it is ${status}`, async () => (await contractOf(raw))?.['status'] === status, 30_000, 100);

test('every transaction type that can create a contract is listed when it is sent, and as deployed when it is mined', async () => {
  const sent: { readonly raw: Hex; readonly at: bigint }[] = [];
  for (const form of Object.keys(forms) as (keyof typeof forms)[]) {
    const at = BigInt(nonce);
    const raw = await signed(form);
    const { result } = await jsonBody(await gateway.rpc(apiKey, message(raw)));
    expect([form, result]).toEqual([form, keccak256(raw)]);
    sent.push({ raw, at });
  }
  for (const { raw, at } of sent) {
    await isIn(raw, 'deployed');
    const { createdAt, blockNumber, ...contract } = (await contractOf(raw)) ?? {};
    expect(contract).toEqual({
      address: getContractAddress({ from: account.address, nonce: at }),
      dlt: 'ethereum',
      networkId: 'dev',
      transactionHash: keccak256(raw),
      deployer: account.address,
      status: 'deployed',
    });
    const isNew = Math.abs(systemClock.now() - Date.parse(String(createdAt))) < 60_000;
    expect([typeof blockNumber, isNew]).toEqual(['number', true]);
    expect(await chain.call('eth_getCode', contract['address'], 'latest')).toBe('0x00');
  }
});

test('deployments are recorded on every path, including registered nodes, batches, notifications, agents, and methods that return the receipt', async () => {
  const raws: Hex[] = [];
  const next = async () => {
    const raw = await signed();
    raws.push(raw);
    return raw;
  };
  for (const at of ['/rpc', '/dlts/ethereum/networks/dev/rpc', '/dlts/ethereum/nodes/dev-1/rpc'])
    expect((await gateway.rpc(apiKey, message(await next()), at)).status).toBe(200);
  const inPath = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
  await gateway.fetch(`/rpc/${apiKey}`, { ...inPath, body: JSON.stringify(message(await next())) });
  const { id: _, ...notification } = message(await next());
  expect((await gateway.rpc(apiKey, notification)).status).toBe(204);
  const call = await signed('EIP-1559', { to: account.address, data: '0x' });
  const batch = [
    message(await next()),
    message(call),
    { ...message('0x', 'eth_chainId'), params: [] },
    message(await next()),
  ];
  expect(await (await gateway.rpc(apiKey, batch)).json()).toHaveLength(4);
  await gateway.rpc(apiKey, message(await next(), 'eth_sendRawTransactionSync'));
  await through(await next());
  const agent = await connectAgent('present', gateway.url, { 'X-API-Key': apiKey });
  const tool = await agent.call('rpc_call', { method: 'eth_sendRawTransaction', params: [await next()] });
  await agent.close();
  expect(tool.structured).toEqual({ result: keccak256(raws.at(-1) ?? '0x') });
  const listed = (await contracts('?limit=100')).map(({ transactionHash }) => transactionHash);
  expect(raws.filter((raw) => !listed.includes(keccak256(raw)))).toEqual([]);
  expect(listed).not.toContain(keccak256(call));
  for (const raw of raws) await isIn(raw, 'deployed');
});

test('an execution that reverts has failed', async () => {
  const raw = await signed('EIP-1559', { data: reverts });
  await gateway.rpc(apiKey, message(raw));
  await isIn(raw, 'failed');
  expect(await contractOf(raw)).toMatchObject({ failureReason: 'reverted', blockNumber: expect.any(Number) });
});

test('a refused transaction leaves no record after its answer; other elements of the batch retain theirs', async () => {
  const before = await contracts('?limit=100');
  const poor = await signed('EIP-1559', { nonce: 0 }, poorAccount);
  const { error } = await jsonBody(await gateway.rpc(apiKey, message(poor)));
  expect(error).toMatchObject({ message: expect.stringMatching(/insufficient/i) });
  const used = await signed('EIP-1559', { nonce: 0, data: '0x00' });
  expect(await jsonBody(await gateway.rpc(apiKey, message(used)))).toHaveProperty('error');
  expect(await contracts('?limit=100')).toEqual(before);
  const good = await signed();
  await gateway.rpc(apiKey, [message(poor), message(good), message(used)]);
  const hashes = (await contracts('?limit=100')).map(({ transactionHash }) => transactionHash);
  expect(hashes).toEqual([keccak256(good), ...before.map(({ transactionHash }) => transactionHash)]);
});

test('the same transaction sent twice is one record for each user who sends it; users see only their own', async () => {
  const raw = await signed();
  const bob = (await gateway.mint('bob')).apiKey;
  const at = '/dlts/ethereum/networks/stub/rpc';
  stub.behave(answering(JSON.stringify(keccak256(raw))));
  await Promise.all(Array.from({ length: 5 }, () => gateway.rpc(apiKey, message(raw), at)));
  expect(await contracts(`?networkId=stub`)).toHaveLength(1);
  expect(await contracts('', bob)).toEqual([]);
  stub.behave(answering('{"code":-32000,"message":"already known"}', 'error'));
  await gateway.rpc(bob, message(raw), at);
  await gateway.rpc(apiKey, message(raw), at);
  stub.behave(answering('{"code":-32000,"message":"nonce too low"}', 'error'));
  await gateway.rpc(bob, message(raw), at);
  for (const key of [apiKey, bob]) expect(await contracts('?networkId=stub', key)).toHaveLength(1);
  nonce -= 1;
  stub.behave(wellBehaved);
});

test('when a node does not answer, the record stays, because the node may have the transaction', async () => {
  const raw = await signed('EIP-1559', { nonce: 9_999 });
  const at = '/dlts/ethereum/networks/stub/rpc';
  stub.behave(() => new Response('', { status: 502 }));
  expect((await gateway.rpc(apiKey, message(raw), at)).status).toBe(502);
  expect(await contractOf(raw)).toMatchObject({ status: 'pending', networkId: 'stub' });
  stub.behave(wellBehaved);
});

test('the list is newest first, with filters and pages, for tokens and keys', async () => {
  const all = await contracts('?limit=100');
  const times = all.map(({ createdAt }) => String(createdAt));
  expect(times).toEqual(times.toSorted().reverse());
  const paged: Contract[] = [];
  for (let query = '?limit=3'; ; ) {
    const { data, nextCursor } = await jsonBody(await gateway.fetch(path + query, headersOf()));
    paged.push(...(data as Contract[]));
    if (nextCursor === undefined) break;
    query = `?limit=3&cursor=${nextCursor}`;
  }
  expect(paged).toEqual([...all]);
  const narrowed = (query: string, holds: (contract: Contract) => boolean) =>
    contracts(`?limit=100&${query}`).then((found) => expect(found).toEqual(all.filter(holds)));
  await narrowed('status=failed', ({ status }) => status === 'failed');
  await narrowed('dlt=ethereum&networkId=stub', ({ networkId }) => networkId === 'stub');
  await narrowed(
    'networkId=dev&status=deployed',
    ({ networkId, status }) => networkId === 'dev' && status === 'deployed',
  );
  await narrowed('dlt=nowhere', () => false);
  const byToken = await gateway.fetch(path, { headers: { Authorization: `Bearer ${gateway.token('alice')}` } });
  expect((await jsonBody(byToken))['data']).toEqual(all.slice(0, 20));
});

test('an invalid query is 400 and names the parameter; without credentials it is 401', async () => {
  for (const [query, name] of [
    ['status=done', 'status'],
    ['status=failed&status=failed', 'status'],
    ['dlt=', 'dlt'],
    ['dlt=a&dlt=b', 'dlt'],
    ['networkId=a%20b', 'networkId'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['cursor=x', 'cursor'],
  ] as const) {
    const refused = await gateway.fetch(`${path}?${query}`, headersOf());
    expect(await expectStandardError(refused, { status: 400, error: 'Bad request', path })).toContain(name);
  }
  await expectStandardError(await gateway.fetch(path), { status: 401, error: 'Unauthorized', path });
  await expectStandardError(await gateway.fetch(path, { method: 'POST', ...headersOf() }), {
    ...{ status: 405, error: 'Method not allowed', path },
  });
});

test('when the database cannot write, the record is missing, which is logged, and the call succeeds', async () => {
  const other = openSqliteConnection(gateway.databaseFile);
  other.run('BEGIN IMMEDIATE');
  const lost = await signed();
  const { result } = await jsonBody(await gateway.rpc(apiKey, message(lost)));
  other.run('ROLLBACK');
  other.close();
  expect(result).toBe(keccak256(lost));
  await until('it is logged', () => gateway.output().includes('deployment.unrecorded'));
  // Sent again when the database is available: the transaction is recorded although the node already has it.
  stub.behave(answering('{"code":-32000,"message":"already known"}', 'error'));
  await until('it is recorded', async () => {
    await gateway.rpc(apiKey, message(lost), '/dlts/ethereum/networks/stub/rpc');
    return (await contractOf(lost)) !== undefined;
  });
  stub.behave(wellBehaved);
});
