/**
 * Deposits over HTTP, with a rollup and the real contracts: each state equals the result of viem's op-stack actions for
 * the same transactions (contract/deposits). Over 250 lines, because one rollup serves all tests.
 */

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { until } from '@flowgate/testing/until';
import {
  type Address,
  createPublicClient,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  http,
  parseAbi,
  type TransactionReceipt,
} from 'viem';
import { getL2TransactionHashes } from 'viem/op-stack';
import { expectStandardError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import {
  type RollupGateway,
  rollupAccount,
  sendPrepared,
  startRollupGateway,
} from '../../apps/gateway/test/fixtures/rollup-gateway.ts';

type Shown = Record<string, unknown> & { readonly depositId: string; readonly status: string };

let running: RollupGateway;
beforeAll(async () => {
  running = await startRollupGateway({ bridge: { stalledAfterMinutes: 0.02 } });
  for (const [user, nth] of [['alice', 0] as const, ['carol', 2] as const])
    await running.link(user, rollupAccount(running.rollup, nth));
});
// Also after a test that failed while it was paused.
beforeEach(() => control('/resume'));
afterAll(() => running?.stop());

const bridgeAbi = parseAbi([
  'function bridgeETHTo(address to, uint32 minGas, bytes data) payable',
  'function bridgeERC20To(address localToken, address remoteToken, address to, uint256 amount, uint32 minGas, bytes data)',
]);
const messengerAbi = parseAbi(['function sendMessage(address target, bytes message, uint32 minGas) payable']);
const portalAbi = parseAbi([
  'function depositTransaction(address to, uint256 value, uint64 gas, bool isCreation, bytes data) payable',
]);
const other = getAddress(`0x${'b0'.repeat(20)}`);
/** The address where the test puts code that reverts. */
const refusing = getAddress(`0x${'e1'.repeat(20)}`);
const messenger: Address = '0x4200000000000000000000000000000000000007';
const path = '/users/me/deposits';

const chain = (side: 'l1' | 'l2') =>
  createPublicClient({ transport: http(running.rollup.bridge[side].url), pollingInterval: 20, cacheTime: 0 });
const contracts = () => running.rollup.bridge.contracts;

async function ask(side: 'l1' | 'l2', method: string, params: readonly unknown[]): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(running.rollup.bridge[side].url, { method: 'POST', headers, body });
  expect(await answer.json()).not.toHaveProperty('error');
}

async function control(route: string, body: object = {}): Promise<void> {
  const url = `${running.rollup.bridge.controlUrl}${route}`;
  expect((await fetch(url, { method: 'POST', body: JSON.stringify(body) })).status).toBe(200);
}

type Call = { readonly to: Address; readonly data: Hex; readonly value?: bigint };

/** Each `person` sends on one chain only, because a deposit increments its sender's nonce on L2. */
async function send(side: 'l1' | 'l2', { to, data, value = 0n }: Call, person = side === 'l1' ? 0 : 1) {
  const account = rollupAccount(running.rollup, person);
  const { chainId } = running.rollup.bridge[side];
  const call = { chainId, from: account.address, to, data, value: String(value), gas: '3000000', description: '' };
  const [receipt] = await sendPrepared(running.rollup, account, [call]);
  if (receipt?.status !== 'success') throw new Error('reverted');
  return receipt;
}

const etherTo = (to: Address, value = 5n): Call => ({
  to: contracts().l1StandardBridge,
  data: encodeFunctionData({ abi: bridgeAbi, functionName: 'bridgeETHTo', args: [to, 200_000, '0x'] }),
  value,
});
const portalTo = (to: Address, data: Hex = '0x'): Call => ({
  to: contracts().portal,
  data: encodeFunctionData({
    abi: portalAbi,
    functionName: 'depositTransaction',
    args: [to, 7n, 100_000n, false, data],
  }),
  value: 7n,
});

async function find(hash: Hex, user = 'alice'): Promise<Shown | undefined> {
  const { data } = await jsonBody(await running.as(user, 'GET', `${path}?limit=100`));
  const found = (data as Shown[]).filter(({ l1TransactionHash }) => l1TransactionHash === hash);
  expect(found.length).toBeLessThan(2);
  return found[0];
}

/** Waits for the status. Until then statuses only advance, unless a chain was reorganized. */
async function shown(
  receipt: TransactionReceipt,
  status: string,
  user = 'alice',
  { isReorganized = false } = {},
): Promise<Shown> {
  const order = ['pending', 'confirmed', 'relaying', 'completed'];
  let last = -1;
  let found: Shown | undefined;
  await until(`the deposit is ${status}`, async () => {
    found = await find(receipt.transactionHash, user);
    if (found === undefined) return false;
    if (!isReorganized && order.includes(found.status)) {
      expect(order.indexOf(found.status)).toBeGreaterThanOrEqual(last);
      last = order.indexOf(found.status);
    }
    return found.status === status;
  });
  if (found === undefined) throw new Error('not shown');
  const [l2Hash] = getL2TransactionHashes(receipt);
  const log = receipt.logs.find(({ address }) => address.toLowerCase() === contracts().portal.toLowerCase());
  expect(found).toMatchObject({
    bridgeId: 'main',
    l2TransactionHash: l2Hash,
    l1BlockNumber: Number(receipt.blockNumber),
    l1LogIndex: log?.logIndex,
    requiredConfirmations: 3,
  });
  const { timestamp } = await chain('l1').getBlock({ blockNumber: receipt.blockNumber });
  expect(found['createdAt']).toBe(new Date(Number(timestamp) * 1_000).toISOString());
  expect(found).not.toHaveProperty('staleSince');
  return found;
}

const onL2 = async (hash: unknown) => (await chain('l2').getTransactionReceipt({ hash: hash as Hex })).status;

test('ether by bridge and by portal, tokens and messages arrive; sender and recipient see the deposit (contract/deposits#fields)', async () => {
  const { l1Token, l2Token, l1StandardBridge, l1CrossDomainMessenger } = contracts();
  const [alice, carol] = [0, 2].map((nth) => rollupAccount(running.rollup, nth).address);
  if (alice === undefined || carol === undefined) throw new Error('no accounts');
  const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [l1StandardBridge, 7n] });
  await send('l1', { to: l1Token, data: approve });
  const args = [l1Token, l2Token, other, 7n, 200_000, '0x'] as const;
  const calls: readonly [Call, object][] = [
    [etherTo(carol), { kind: 'native', amount: '5', from: alice, to: carol }],
    [portalTo(other), { kind: 'native', amount: '7', from: alice, to: other }],
    [
      { to: l1StandardBridge, data: encodeFunctionData({ abi: bridgeAbi, functionName: 'bridgeERC20To', args }) },
      { kind: 'token', amount: '7', from: alice, to: other },
    ],
    [
      {
        to: l1CrossDomainMessenger,
        data: encodeFunctionData({ abi: messengerAbi, functionName: 'sendMessage', args: [other, '0x12', 100_000] }),
      },
      { kind: 'message', amount: '0', from: alice, to: other },
    ],
  ];
  const receipts = [];
  for (const [call] of calls) receipts.push(await send('l1', call));
  for (const [at, receipt] of receipts.entries()) {
    const found = await shown(receipt, 'completed');
    expect(found).toMatchObject(calls[at]?.[1] ?? {});
    expect(await onL2(found['l2TransactionHash'])).toBe('success');
    const source = { dlt: 'ethereum', networkId: 'l1' };
    expect(found).toMatchObject({ source, destination: { ...source, networkId: 'l2' }, stalled: false });
  }
  const [ether, , tokens] = receipts;
  if (ether === undefined || tokens === undefined) throw new Error('no receipts');
  const found = await shown(ether, 'completed', 'carol');
  expect(found['token']).toEqual({ native: true, symbol: 'ETH', decimals: 18 });
  await until('the token is described', async () => {
    const token = (await find(tokens.transactionHash))?.['token'];
    return JSON.stringify(token)?.includes('decimals') ?? false;
  });
  expect((await shown(tokens, 'completed'))['token']).toEqual({
    ...{ native: false, l1: getAddress(l1Token), l2: getAddress(l2Token), symbol: 'FBT', decimals: 18 },
  });
  expect(await find(tokens.transactionHash, 'carol')).toBeUndefined();

  // One record by either path, with a token and with an API key. Other users get 404.
  const { apiKey } = await running.gateway.mint('carol');
  for (const at of [`${path}/${found.depositId}`, `/deposits/${found.depositId}`]) {
    const keyed = await running.gateway.fetch(at, { headers: { 'X-API-Key': apiKey } });
    for (const answer of [keyed, await running.as('carol', 'GET', at), await running.as('alice', 'GET', at)])
      expect(await jsonBody(answer)).toMatchObject({ depositId: found.depositId, amount: '5', status: 'completed' });
    await expectStandardError(await running.as('bob', 'GET', at), { status: 404, error: 'Not found', path: at });
  }
  const count = async (query: string) => {
    const { data } = await jsonBody(await running.as('alice', 'GET', `${path}${query}`));
    return (data as unknown[]).length;
  };
  expect(await count('')).toBe(4);
  expect(await count('?status=completed&bridgeId=main')).toBe(4);
  expect([await count('?status=failed'), await count('?bridgeId=other'), await count(`?wallet=${other}`)]).toEqual([
    0, 0, 0,
  ]);
  expect(await count(`?wallet=${alice.toLowerCase()}&limit=3`)).toBe(3);
  for (const query of ['?wallet=0x12', '?status=done', '?bridgeId=a%20b', '?status=failed&status=failed'])
    await expectStandardError(await running.as('alice', 'GET', `${path}${query}`), {
      ...{ status: 400, error: 'Bad request', path },
    });
});

test('a deposit that fails on L2 is failed; a message that is relayed again completes it (contract/deposits#statuses)', async () => {
  await ask('l2', 'anvil_setCode', [refusing, '0x60006000fd']);
  const reverting = await send('l1', portalTo(refusing, '0x01'));
  const message = await send('l1', {
    to: contracts().l1CrossDomainMessenger,
    data: encodeFunctionData({ abi: messengerAbi, functionName: 'sendMessage', args: [refusing, '0x01', 100_000] }),
  });
  const reverted = await shown(reverting, 'failed');
  expect(reverted['failureReason']).toBe('l2_reverted');
  expect(await onL2(reverted['l2TransactionHash'])).toBe('reverted');
  const failed = await shown(message, 'failed');
  expect(failed['failureReason']).toBe('relay_failed');
  expect(await onL2(failed['l2TransactionHash'])).toBe('success');

  await ask('l2', 'anvil_setCode', [refusing, '0x00']);
  const { input } = await chain('l2').getTransaction({ hash: failed['l2TransactionHash'] as Hex });
  await send('l2', { to: messenger, data: input });
  const completed = await shown(message, 'completed');
  expect(completed.depositId).toBe(failed.depositId);
  expect(completed).not.toHaveProperty('failureReason');
});

test('while the sequencer has stopped, a deposit advances until it is due, and is then stalled (contract/deposits#stalled)', async () => {
  await control('/pause');
  const receipt = await send('l1', etherTo(other));
  expect(await shown(receipt, 'pending')).toMatchObject({ confirmations: 1 });
  await ask('l1', 'anvil_mine', ['0x2']);
  await shown(receipt, 'confirmed');
  await ask('l1', 'anvil_mine', ['0x3']);
  const due = await shown(receipt, 'relaying');
  expect(due['confirmations']).toBeGreaterThanOrEqual(6);
  let stalled: Shown | undefined;
  await until('it is stalled, and says why', async () => {
    stalled = await find(receipt.transactionHash);
    return stalled?.['stalled'] === true && stalled['stalledReason'] !== undefined;
  });
  expect(stalled?.['stalledReason']).toMatch(
    new RegExp(
      `^L1 block ${receipt.blockNumber} includes the transaction and is confirmed\\. L2 has not derived the deposit yet: its L1 origin is block \\d+, \\d+ blocks? behind\\.$`,
    ),
  );
  await control('/resume');
  const done = await shown(receipt, 'completed');
  expect(done['stalled']).toBe(false);
  expect(done).not.toHaveProperty('stalledReason');
});

test('a deposit that L1 mines again is the same record; one whose nonce another transaction used is failed (contract/deposits#statuses)', async () => {
  const mined = await send('l1', etherTo(other, 9n));
  const before = await shown(mined, 'completed');
  await control('/reorg', { chain: 'l1', from: Number(mined.blockNumber), keep: true });
  const again = await chain('l1').getTransactionReceipt({ hash: mined.transactionHash });
  expect(getL2TransactionHashes(again)).not.toEqual(getL2TransactionHashes(mined));
  await until(
    async () => (await find(mined.transactionHash))?.['l2TransactionHash'] === getL2TransactionHashes(again)[0],
  );
  const after = await shown(again, 'completed', 'alice', { isReorganized: true });
  expect(after.depositId).toBe(before.depositId);
  expect(await onL2(after['l2TransactionHash'])).toBe('success');

  const lost = await send('l1', etherTo(other, 11n));
  await shown(lost, 'completed');
  await control('/reorg', { chain: 'l1', from: Number(lost.blockNumber), keep: false });
  // L2 rolls back with L1. If the gateway notices only L2, the deposit is pending while its L1 block still exists.
  await until('it is pending again, without a block', async () => {
    const found = await find(lost.transactionHash);
    return found?.status === 'pending' && found['confirmations'] === 0;
  });
  expect(await find(lost.transactionHash)).toMatchObject({ l1BlockNumber: Number(lost.blockNumber) });
  const instead = await send('l1', etherTo(other, 13n));
  await until('it has failed', async () => (await find(lost.transactionHash))?.status === 'failed');
  expect((await find(lost.transactionHash))?.['failureReason']).toBe('reorganised');
  await shown(instead, 'completed');

  const onRollup = await send('l1', portalTo(other));
  const first = await shown(onRollup, 'completed');
  await control('/reorg', { chain: 'l2', blocks: 2, keep: false });
  // Derived again with the same hash in another block.
  const derived = await shown(onRollup, 'completed', 'alice', { isReorganized: true });
  expect(await onL2(derived['l2TransactionHash'])).toBe('success');
  expect(derived.depositId).toBe(first.depositId);
});
