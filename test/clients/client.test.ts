/**
 * The client with the real gateway: its requests, and its results for responses and refusals
 * (contract/errors#envelopes).
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { checkedFetch } from '../../apps/gateway/test/fixtures/checked-fetch.ts';
import { answering, wellBehaved } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import { unknownKey } from '../../apps/gateway/test/fixtures/unknown-key.ts';
import { createFlowgate } from '../../client/src/create-flowgate.ts';
import type { NetworkRecord } from '../../client/src/wire.ts';
import { refusalOf } from '../../client/test/refusal-of.ts';

let gateway: RunningGateway;
let apiKey: string;

beforeAll(async () => {
  gateway = await startGateway({ config: { limits: { userPerMinute: 200, maxBatch: 5 } } });
  apiKey = (await gateway.mint('alice')).apiKey;
});
afterAll(() => gateway.stop());

const asUser = (sub: string) => createFlowgate({ url: gateway.url, fetch: checkedFetch, token: gateway.token(sub) });
const withKey = (key = apiKey) => createFlowgate({ url: gateway.url, fetch: checkedFetch, apiKey: key });

describe('identity and networks', () => {
  test('me is the token’s subject, or the owner of the key (contract/tokens)', async () => {
    expect(await asUser('carol').me()).toEqual({ id: 'carol' });
    expect(await withKey().me()).toEqual({ id: 'alice' });
  });

  test('a token function is called for every request, and its rejection is the call’s (contract/credentials#what-each-may-do)', async () => {
    const tokens = [gateway.token('dave'), gateway.token('erin')];
    const token = async () => {
      const next = tokens.shift();
      if (next === undefined) throw new Error('signed out');
      return next;
    };
    const client = createFlowgate({ url: `${gateway.url}/`, fetch: checkedFetch, token });
    expect(await client.me()).toEqual({ id: 'dave' });
    expect(await client.me()).toEqual({ id: 'erin' });
    await expect(client.me()).rejects.toThrow('signed out');
  });

  test('networks are listed as configured (contract/networks#catalog)', async () => {
    const name = { dlt: 'ethereum', networkId: 'dev' };
    const client = withKey();
    await until('the node was checked', async () => (await client.networks.get(name)).status === 'up');
    const dev: NetworkRecord = {
      ...{ ...name, name: 'Local development chain', family: 'evm', chainId: 31337, default: true, status: 'up' },
      ...{ blockHeight: 16, nodes: { healthy: 1, total: 1 } },
    };
    expect(await Array.fromAsync(client.networks.list())).toEqual([dev]);
    expect(await asUser('carol').networks.page()).toEqual({ data: [dev] });
    expect(await Array.fromAsync(client.networks.of('ethereum').list())).toEqual([dev]);
    expect(await refusalOf(client.networks.of('none').page())).toMatchObject({ status: 404 });
    expect(await refusalOf(client.networks.get({ ...name, networkId: 'x' }))).toMatchObject({ status: 404 });
  });

  test('ledgers, providers and contracts are listed, too (contract/networks#providers, contract/contracts#named-contracts)', async () => {
    const client = withKey();
    expect(await client.ledgers.page()).toEqual({ data: [{ dlt: 'ethereum', networks: ['dev'] }] });
    const providers = await Array.fromAsync(client.providers.list({ limit: 3 }));
    expect(providers).toHaveLength(8);
    expect(providers[0]).toEqual({ providerId: 'alchemy', name: 'Alchemy', domains: ['alchemy.com'] });
    expect(await client.contracts.page()).toEqual({ data: [] });
    expect(await refusalOf(client.contracts.get('none'))).toMatchObject({ status: 404 });
  });
});

describe('wallets', () => {
  test('a wallet is linked by its signature, listed, found and unlinked (contract/wallets)', async () => {
    const { wallets } = asUser('owner');
    const signer = privateKeyToAccount(generatePrivateKey());
    const { message } = await wallets.challenge({ address: signer.address });
    const signature = await signer.signMessage({ message });
    const linked = await wallets.link({ message, signature, label: 'Treasury' });
    expect(linked).toMatchObject({ address: signer.address, kind: 'account', label: 'Treasury', chainId: 31337 });
    expect(await Array.fromAsync(wallets.list())).toEqual([linked]);
    expect(await wallets.get(signer.address)).toEqual(linked);
    expect(await refusalOf(wallets.link({ message, signature }))).toMatchObject({ status: 400 });
    await wallets.unlink(signer.address);
    expect(await refusalOf(wallets.get(signer.address))).toMatchObject({ status: 404 });
  });
});

describe('deployed contracts', () => {
  test('contracts deployed through the gateway are listed, with filters and pages (contract/contracts#deployed)', async () => {
    const user = asUser('deployer');
    const { apiKey } = await user.apiKeys.mint({ label: 'deploys' });
    const signer = privateKeyToAccount(generatePrivateKey());
    const transaction = { type: 'eip1559', chainId: 31337, gas: 100_000n, maxFeePerGas: 1n, data: '0x00' } as const;
    gateway.node.behave(answering('"0x1"'));
    for (const nonce of [0, 1, 2])
      await gateway.rpc(apiKey, {
        ...{ jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction' },
        params: [await signer.signTransaction({ ...transaction, nonce })],
      });
    gateway.node.behave(wellBehaved);
    const found = await Array.fromAsync(user.deployedContracts.list({ limit: 2, filter: { status: 'pending' } }));
    expect(found.map(({ deployer, networkId }) => [deployer, networkId])).toEqual(
      Array(3).fill([signer.address, 'dev']),
    );
    expect(await Array.fromAsync(user.deployedContracts.list({ filter: { dlt: 'nowhere' } }))).toEqual([]);
    expect((await user.deployedContracts.page({ limit: 1 })).data).toEqual(found.slice(0, 1));
  });
});

describe('API keys', () => {
  test('a new key is accepted, is listed without its secret, and fails once revoked (contract/keys)', async () => {
    const user = asUser('minter');
    const expiresAt = '2999-01-01T00:00:00.000Z';
    const minted = await user.apiKeys.mint({ label: 'Laptop', expiresAt });
    expect(minted).toMatchObject({ label: 'Laptop', scopes: ['rpc'], expiresAt });
    expect(await withKey(minted.apiKey).rpc('eth_blockNumber')).toBe('0x10');
    await user.apiKeys.revoke(minted.keyId);
    await user.apiKeys.revoke(minted.keyId);
    const { apiKey: raw, ...record } = minted;
    expect(await user.apiKeys.page()).toEqual({
      data: [{ ...record, lastUsedAt: expect.any(String), revokedAt: expect.any(String) }],
    });
    expect(await refusalOf(withKey(raw).rpc('eth_blockNumber'))).toMatchObject({ status: 403, code: -32001 });
  });

  test('list iterates over every page in order, and page returns one (contract/conventions)', async () => {
    const user = asUser('collector');
    for (const label of ['one', 'two', 'three']) await user.apiKeys.mint({ label });
    const labels = [];
    for await (const { label } of user.apiKeys.list({ limit: 1 })) labels.push(label);
    expect(labels.toSorted()).toEqual(['one', 'three', 'two']);
    const first = await user.apiKeys.page({ limit: 2 });
    expect(first.data.map(({ label }) => label)).toEqual(labels.slice(0, 2));
    const second = await user.apiKeys.page({ limit: 2, cursor: first.nextCursor });
    expect(second).toEqual({ data: [expect.objectContaining({ label: labels[2] })] });
  });

  test('a refusal of a management route is a StandardError with the gateway’s own message (contract/errors#envelopes)', async () => {
    const refusal = await refusalOf(asUser('carol').apiKeys.mint({ label: '' }));
    expect(refusal).toMatchObject({ status: 400, kind: 'standard', code: undefined, retryAfter: undefined });
    expect(refusal.message).toContain('label');
    expect(refusal.failure).toEqual({
      kind: 'standard',
      body: {
        timestamp: expect.any(Number),
        status: 400,
        error: 'Bad request',
        message: refusal.message,
        path: '/users/me/api-keys',
      },
    });
    expect(refusal.requestId).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
    expect(refusal.rateLimit).toEqual({ limit: 200, remaining: expect.any(Number), resetSeconds: expect.any(Number) });
    expect(await refusalOf(withKey().apiKeys.mint({ label: 'never' }))).toMatchObject({
      status: 403,
      kind: 'standard',
    });
    expect(await refusalOf(asUser('carol').apiKeys.revoke('unknown'))).toMatchObject({ status: 404 });
  });

  test('an identifier never changes the path', async () => {
    for (const keyId of ['', '.', '..']) await expect(asUser('carol').apiKeys.revoke(keyId)).rejects.toThrow(TypeError);
    expect((await refusalOf(asUser('carol').apiKeys.revoke('../id?x=1#y'))).failure).toMatchObject({
      body: { status: 404, path: '/users/me/api-keys/..%2Fid%3Fx%3D1%23y' },
    });
  });
});

describe('JSON-RPC', () => {
  test('a call reaches the default network, a named network or a node with unchanged params (contract/json-rpc#paths)', async () => {
    const client = withKey();
    const params = ['0x00', { fullTransactions: true }];
    const echoed = { method: 'eth_getProof', params };
    expect(await client.rpc('eth_getProof', params)).toEqual(echoed);
    expect(await client.rpc('eth_getProof', params, { network: { dlt: 'ethereum', networkId: 'dev' } })).toEqual(
      echoed,
    );
    expect(await client.rpc('eth_getProof', params, { node: { dlt: 'ethereum', nodeId: 'dev-1' } })).toEqual(echoed);
    const nowhere = client.rpc('eth_chainId', [], { network: { dlt: 'ethereum', networkId: 'none' } });
    expect(await refusalOf(nowhere)).toMatchObject({ status: 404, kind: 'standard' });
  });

  test('refusals of a call are distinguished by status and code (contract/credentials#missing-and-invalid)', async () => {
    expect(await refusalOf(withKey(unknownKey()).rpc('eth_chainId'))).toMatchObject({
      status: 403,
      kind: 'json-rpc',
      code: -32001,
      message: 'Invalid credentials.',
      rateLimit: undefined,
    });
    const blocked = await refusalOf(withKey().rpc('txpool_status'));
    expect(blocked).toMatchObject({ status: 403, code: -32601, rateLimit: { limit: 200 } });
    expect(blocked.failure).toMatchObject({ body: { data: { reason: 'method_blocked', method: 'txpool_status' } } });
    expect(await refusalOf(asUser('carol').rpc('eth_chainId'))).toMatchObject({ status: 401, code: -32000 });
  });

  test('a node’s own error is returned with status 200, and a null result is a result (contract/json-rpc)', async () => {
    gateway.node.behave(answering('{"code":3,"message":"execution reverted","data":"0x08"}', 'error'));
    const reverted = await refusalOf(withKey().rpc('eth_call', [{}]));
    gateway.node.behave(answering('null'));
    const missing = await withKey().rpc('eth_getTransactionReceipt', ['0x00']);
    gateway.node.behave(wellBehaved);
    expect(reverted).toMatchObject({ status: 200, kind: 'json-rpc', code: 3, message: 'execution reverted' });
    expect(reverted.failure).toMatchObject({ body: { data: '0x08' } });
    expect(missing).toBeNull();
  });

  test('a response has its request id, limit and, with trace, the node that answered (contract/json-rpc#trace)', async () => {
    const reported: unknown[] = [];
    const ofClient: unknown[] = [];
    const client = createFlowgate({ url: gateway.url, fetch: checkedFetch, apiKey, onAnswer: (a) => ofClient.push(a) });
    await client.rpc('eth_blockNumber', [], { trace: true, onAnswer: (answer) => reported.push(answer) });
    expect(reported).toEqual([
      {
        ...{ method: 'POST', path: '/rpc', status: 200, requestId: expect.any(String), retryAfter: undefined },
        rateLimit: { limit: 200, remaining: expect.any(Number), resetSeconds: expect.any(Number) },
        servedBy: [expect.any(String)],
        attempts: expect.any(Number),
        isOfUserNode: false,
      },
    ]);
    const refusal = await refusalOf(client.apiKeys.page());
    expect(ofClient).toMatchObject([
      reported[0],
      { path: '/users/me/api-keys', status: 403, requestId: refusal.requestId },
    ]);
    expect(refusal).toMatchObject({ servedBy: undefined, attempts: undefined });
  });

  test('a batch returns each call’s outcome in order, and throws only when the whole batch fails (contract/json-rpc#batches)', async () => {
    const outcomes = await withKey().rpcBatch([
      { method: 'eth_blockNumber' },
      { method: 'admin_peers' },
      { method: 'eth_getCode', params: ['0x01', 'latest'] },
    ]);
    expect(outcomes).toEqual([
      { ok: true, result: '0x10' },
      { ok: false, error: expect.objectContaining({ status: 200, code: -32601 }) },
      { ok: true, result: { method: 'eth_getCode', params: ['0x01', 'latest'] } },
    ]);
    expect(await withKey().rpcBatch([])).toEqual([]);
    const long = Array.from({ length: 6 }, () => ({ method: 'eth_chainId' }));
    expect(await refusalOf(withKey().rpcBatch(long))).toMatchObject({ status: 413, kind: 'standard' });
    expect(await refusalOf(withKey(unknownKey()).rpcBatch(long.slice(1)))).toMatchObject({ status: 403, code: -32001 });
  });

  test('an error for exceeding the limit has the time to wait (contract/limits)', async () => {
    const { apiKey: spent } = await gateway.mint('spender');
    const batch = Array.from({ length: 5 }, () => ({ method: 'eth_chainId' }));
    for (let sent = 0; sent < 39; sent++) await withKey(spent).rpcBatch(batch);
    const refusal = await refusalOf(withKey(spent).rpcBatch(batch));
    expect(refusal).toMatchObject({ status: 429, kind: 'standard', rateLimit: { limit: 200, remaining: 4 } });
    expect(refusal.retryAfter).toBeGreaterThanOrEqual(1);
    expect(refusal.retryAfter).toBeLessThanOrEqual(60);
  });
});
