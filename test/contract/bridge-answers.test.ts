/**
 * The routes of deposits, withdrawals and history return exactly the responses in the OpenAPI document:
 * fixtures/checked-fetch compares each response with the document, and each documented status is reached, except those
 * common to all routes. Agents' tools return the same as the routes (contract/agents#tools). Over 250 lines, because
 * one rollup serves all tests.
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createFlowgate, type Flowgate, FlowgateError } from '@flowgate/client';
import type { Deposit, Withdrawal } from '@flowgate/client/bridge-wire';
import { predeploys } from '@flowgate/devkit/rollup/deploy-l2';
import { until } from '@flowgate/testing/until';
import type { TransactionReceipt } from 'viem';
import type { OpenApiDocument, Operation } from '../../apps/gateway/src/edge/openapi/openapi-document.ts';
import { type Agent, connectAgent } from '../../apps/gateway/test/fixtures/agent-clients.ts';
import { checkedFetch } from '../../apps/gateway/test/fixtures/checked-fetch.ts';
import {
  type PreparedTransaction,
  type RollupGateway,
  rollupAccount,
  sendPrepared,
  startRollupGateway,
} from '../../apps/gateway/test/fixtures/rollup-gateway.ts';
import { rollupControl } from '../../devkit/test/rollup-clients.ts';

let running: RollupGateway;
let control: ReturnType<typeof rollupControl>;
let document: OpenApiDocument;
let client: Flowgate;
let agent: Agent;
let keyId: string;
let account: ReturnType<typeof rollupAccount>;

/** `GET /users/me/deposits 200` for each received response. */
const reached = new Set<string>();

beforeAll(async () => {
  running = await startRollupGateway();
  const { gateway, rollup } = running;
  control = rollupControl(rollup.bridge.controlUrl);
  document = (await (await gateway.fetch('/openapi.json')).json()) as OpenApiDocument;
  const minted = await gateway.mint('alice');
  keyId = minted.keyId;
  client = createFlowgate({
    ...{ url: gateway.url, apiKey: minted.apiKey, retry: { retries: 0 } },
    fetch: async (url, init) => {
      const response = await checkedFetch(url, init);
      reached.add(`${init?.method} ${templateOf(new URL(url).pathname)} ${response.status}`);
      return response;
    },
  });
  agent = await connectAgent('present', gateway.url, { 'X-API-Key': minted.apiKey });
  account = rollupAccount(rollup, 4);
});
afterAll(async () => {
  await agent?.close();
  await running?.stop();
});

function templateOf(path: string): string {
  const known = Object.keys(document.paths).toSorted(
    (one, other) => Number(one.includes('{')) - Number(other.includes('{')),
  );
  return known.find((each) => new RegExp(`^${each.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)) ?? path;
}

const bridgeId = 'main';
const input = (amount: string, more: object = {}) => ({
  ...{ bridgeId, wallet: account.address, token: 'native', amount },
  ...more,
});

async function statusOf(call: Promise<unknown>): Promise<number> {
  const outcome: unknown = await call.then(
    () => 200,
    (error: unknown) => error,
  );
  if (outcome instanceof FlowgateError) return outcome.status;
  if (typeof outcome === 'number') return outcome;
  throw outcome;
}

const send = async (transactions: readonly object[]): Promise<TransactionReceipt> => {
  const receipts = await sendPrepared(running.rollup, account, transactions as readonly PreparedTransaction[]);
  const last = receipts.at(-1);
  if (last?.status !== 'success') throw new Error('a prepared transaction was reverted');
  return last;
};

async function once<T extends { readonly status: string }>(look: () => Promise<T>, status: T['status']): Promise<T> {
  let last = await look();
  await until(`it is ${status}`, async () => {
    last = await look();
    return last.status === status;
  });
  return last;
}

/** The result of the tool equals the response of the route. */
async function sameByTool(name: string, args: Record<string, unknown>, call: () => Promise<unknown>): Promise<void> {
  // A block that arrives between the two requests makes them differ.
  await until(`${name} answers as its route does`, async () => {
    const [route, tool] = [await call(), await agent.call(name, args)];
    return !tool.isError && Bun.deepEquals(tool.structured, route);
  });
}

let deposit: Deposit;
let withdrawal: Withdrawal;
/** The withdrawals that the next test leaves ready to prove and ready to finalize. */
let toProve: string;
let toFinalize: string;

test('lists are initially empty, and invalid filters are refused', async () => {
  const { deposits, withdrawals, history } = client;
  for (const list of [deposits, withdrawals, history]) expect(await list.page()).toEqual({ data: [] });
  const wallet = 'invalid';
  for (const call of [
    () => deposits.page({ filter: { wallet } }),
    () => withdrawals.page({ filter: { wallet } }),
    () => history.page({ filter: { wallet } }),
    () => history.page({ filter: { after: 'yesterday' } }),
    () => deposits.page({ limit: 101 }),
  ])
    expect(await statusOf(call())).toBe(400);
  for (const name of ['list_deposits', 'list_withdrawals', 'list_history']) {
    expect((await agent.call(name)).structured).toEqual({ data: [] });
    expect(await agent.call(name, { wallet })).toMatchObject({ isError: true, structured: { status: 400 } });
  }
  expect((await agent.call('list_deposits', { status: 'lost' })).isError).toBe(true);
  expect(await agent.call('get_deposit', { depositId: 'dep_none' })).toMatchObject({
    ...{ isError: true, structured: { status: 404 } },
  });
});

test('preparation is refused for an unlinked wallet, an unknown transfer and a denied contract', async () => {
  for (const { prepare } of [client.deposits, client.withdrawals])
    expect(await statusOf(prepare(input('5')))).toBe(404);
  await running.link('alice', account);
  const refused = [input('0'), input('9'.repeat(30)), input('5', { bridgeId: 'other' }), input('5', { token: 'none' })];
  for (const { prepare } of [client.deposits, client.withdrawals])
    for (const each of refused) expect(await statusOf(prepare(each))).toBe(400);
  const { l1StandardBridge } = running.rollup.bridge.contracts;
  await whileDenied(`ethereum/l1/${l1StandardBridge}`, () => client.deposits.prepare(input('5')));
  await whileDenied(`ethereum/l2/${predeploys.L2StandardBridge}`, () => client.withdrawals.prepare(input('5')));
});

/** 403 while a policy denies this contract to the key. */
async function whileDenied(id: string, call: () => Promise<unknown>): Promise<void> {
  const person = createFlowgate({
    ...{ url: running.gateway.url, token: running.gateway.token('alice'), fetch: checkedFetch },
  });
  const resource = { kind: 'contract', id } as const;
  const { policyId } = await person.policies.create({ effect: 'deny', subjects: [`key:${keyId}`], resource });
  await until('the policy is in force', async () => (await statusOf(call())) === 403);
  await person.policies.remove(policyId);
  await until('it is lifted', async () => (await statusOf(call())) === 200);
}

test('a deposit is prepared, listed and returned, by either path and by the tools', async () => {
  const { deposits } = client;
  const prepared = await agent.call('prepare_deposit', input('7'));
  expect(prepared.isError).toBe(false);
  const { transactionHash } = await send(prepared.structured['transactions'] as readonly object[]);
  await until('it is listed', async () => (await deposits.page()).data.length === 1);
  const [listed] = (await deposits.page({ filter: { bridgeId, wallet: account.address } })).data;
  expect(listed).toMatchObject({ l1TransactionHash: transactionHash, kind: 'native', amount: '7' });
  const depositId = listed?.depositId ?? '';
  deposit = await once(() => deposits.get(depositId), 'completed');
  await sameByTool('get_deposit', { depositId }, () => deposits.get(depositId));
  await sameByTool('list_deposits', { status: 'completed', limit: 5 }, () =>
    deposits.page({ filter: { status: 'completed' }, limit: 5 }),
  );
  const { gateway } = running;
  for (const [user, path, status] of [
    ['alice', `/deposits/${depositId}`, 200],
    ['bob', `/deposits/${depositId}`, 404],
    ['bob', `/users/me/deposits/${depositId}`, 404],
  ] as const) {
    const response = await gateway.fetch(path, { headers: { Authorization: `Bearer ${gateway.token(user)}` } });
    reached.add(`GET ${templateOf(path)} ${response.status}`);
    expect(response.status).toBe(status);
  }
});

test('a withdrawal is prepared, proved and finalized; each step is refused while it is too early and after it is done', async () => {
  const { withdrawals } = client;
  const prepared = await agent.call('prepare_withdrawal', input('3'));
  const { transactionHash } = await send(prepared.structured['transactions'] as readonly object[]);
  for (const amount of ['4', '5']) await send((await withdrawals.prepare(input(amount))).transactions);
  await until('they are listed', async () => (await withdrawals.page()).data.length === 3);
  const { data } = await withdrawals.page();
  // Blocks of one second have equal times, so the order of the two is undefined.
  const [listed, second, third] = ['3', '4', '5'].map((each) => data.find(({ amount }) => amount === each));
  [toFinalize, toProve] = [second?.withdrawalId ?? '', third?.withdrawalId ?? ''];
  expect(listed).toMatchObject({ l2TransactionHash: transactionHash, kind: 'native', amount: '3' });
  const withdrawalId = listed?.withdrawalId ?? '';
  const reaching = (status: Withdrawal['status']) => once(() => withdrawals.get(withdrawalId), status);
  await reaching('awaiting_state_root');
  const [byProof, byEnd] = ['prepare_withdrawal_proof', 'prepare_withdrawal_finalisation'];
  for (const call of [withdrawals.prove, withdrawals.finalize]) expect(await statusOf(call(withdrawalId))).toBe(409);
  for (const name of [byProof, byEnd])
    expect(await agent.call(name, { withdrawalId })).toMatchObject({
      ...{ isError: true, structured: { status: 409, message: expect.any(String) } },
    });
  for (const call of [withdrawals.get, withdrawals.prove, withdrawals.finalize])
    expect(await statusOf(call('wdr_none'))).toBe(404);
  for (const call of [withdrawals.prove, withdrawals.finalize])
    expect(await statusOf(call(withdrawalId, { wallet: 'invalid' }))).toBe(400);
  const { body: root } = await control('/propose');
  await reaching('ready_to_prove');
  await sameByTool(byProof, { withdrawalId }, () => withdrawals.prove(withdrawalId));
  for (const each of [withdrawalId, toFinalize]) await send((await withdrawals.prove(each)).transactions);
  const proved = await reaching('in_dispute_window');
  expect(proved.blockers).toEqual(['dispute_window_open']);
  await sameByTool('get_withdrawal', { withdrawalId }, () => withdrawals.get(withdrawalId));
  await control('/advance', { seconds: 30 });
  expect((await control('/resolve', { game: root['game'] })).body).toMatchObject({ outcome: 'defender_wins' });
  await control('/advance', { seconds: 10 });
  await reaching('ready_to_finalise');
  await send((await withdrawals.finalize(withdrawalId)).transactions);
  withdrawal = await reaching('finalised');
  const { portal } = running.rollup.bridge.contracts;
  for (const call of [() => withdrawals.prove(toProve), () => withdrawals.finalize(toFinalize)])
    await whileDenied(`ethereum/l1/${portal}`, call);
  for (const call of [withdrawals.prove, withdrawals.finalize]) expect(await statusOf(call(withdrawalId))).toBe(409);
  await sameByTool('list_withdrawals', { status: 'finalised' }, () =>
    withdrawals.page({ filter: { status: 'finalised' } }),
  );
});

test('the history contains both transfers with their transactions', async () => {
  const page = await client.history.page({ filter: { wallet: account.address } });
  const reported = page.data.map(({ type, id, status, transactions }) => {
    const purposes = transactions.map(({ purpose }) => purpose).join(', ');
    return `${type} ${id} ${status}: ${purposes}`;
  });
  expect(reported.at(-1)).toBe(`deposit ${deposit.depositId} completed: deposit, arrival`);
  expect(reported.slice(0, -1).toSorted()).toEqual(
    [
      `withdrawal ${toProve} ready_to_prove: initiation`,
      `withdrawal ${toFinalize} ready_to_finalise: initiation, proof`,
      `withdrawal ${withdrawal.withdrawalId} finalised: ${['initiation', 'proof', 'finalisation'].join(', ')}`,
    ].toSorted(),
  );
  await sameByTool('list_history', { type: 'deposit' }, () => client.history.page({ filter: { type: 'deposit' } }));
});

test('while the chains are unavailable, stored data is returned, and requests that need a chain are 502', async () => {
  await running.rollup.kill();
  const { deposits, withdrawals } = client;
  for (const call of [
    () => deposits.prepare(input('5')),
    () => withdrawals.prepare(input('5')),
    () => withdrawals.prove(toProve),
    () => withdrawals.finalize(toFinalize),
  ])
    await until('the chain is away', async () => (await statusOf(call())) === 502);
  expect(await deposits.get(deposit.depositId)).toMatchObject({ status: 'completed' });
  expect(await withdrawals.get(withdrawal.withdrawalId)).toMatchObject({ status: 'finalised' });
});

test('each documented response of these routes was reached, except those of every route', () => {
  // bridge-replays.test.ts reaches those of replays, with messages that fail.
  const routes = Object.entries(document.paths).filter(
    ([path]) => /deposits|withdrawals|history/.test(path) && !path.endsWith('/replay'),
  );
  // A deprecated path has the handler of the path that replaces it.
  const statusesOf = (operation: Operation | undefined) =>
    operation === undefined || operation.deprecated === true ? [] : Object.keys(operation.responses);
  /** Credentials, limits, sizes and faults of the gateway itself are tested once for all routes. */
  const common = {
    get: statusesOf(document.paths['/users/me/id']?.['get']),
    post: statusesOf(document.paths['/users/me/wallets/challenge']?.['post']),
  };
  const documented = routes.flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      statusesOf(operation)
        .filter(
          (status) =>
            status === '200' || status === '400' || !(common[method as 'get' | 'post'] ?? []).includes(status),
        )
        .map((status) => `${method.toUpperCase()} ${path} ${status}`),
    ),
  );
  expect(documented.length).toBeGreaterThan(25);
  expect(documented.filter((place) => !reached.has(place))).toEqual([]);
});
