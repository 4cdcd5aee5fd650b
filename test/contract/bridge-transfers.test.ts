/**
 * Prepared deposits and withdrawals over HTTP with a rollup and the real contracts: the prepared transactions are
 * signed, sent unchanged, and arrive (contract/transfers#deposits-and-withdrawals). Over 250 lines, because one rollup
 * serves all tests.
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { devErc20Abi } from '@flowgate/devkit/contracts/dev-erc20-code';
import { until } from '@flowgate/testing/until';
import { type Address, createPublicClient, encodeFunctionData, getAddress, http, maxUint256, parseEther } from 'viem';
import { getL2TransactionHashes, getWithdrawals } from 'viem/op-stack';
import type { ShownToken } from '../../apps/gateway/src/bridge/tokens/token-wire.ts';
import { expectStandardError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import {
  type PreparedTransaction,
  type RollupGateway,
  rollupAccount,
  sendPrepared,
  startRollupGateway,
} from '../../apps/gateway/test/fixtures/rollup-gateway.ts';

let running: RollupGateway;
beforeAll(async () => {
  running = await startRollupGateway({
    bridge: ({ bridge: { contracts } }) => ({
      // A wrong pair: neither token mints for the other.
      tokens: [{ l1: contracts.portal, l2: wrappedEther }],
    }),
  });
  for (const [user, nth] of people) await running.link(user, rollupAccount(running.rollup, nth));
  const { l1Token } = running.rollup.bridge.contracts;
  await until('the indexer has found the pair of tokens', async () => {
    const { status } = await ask('alice', 'l1', { token: l1Token, amount: '1' });
    expect([200, 400]).toContain(status);
    return status === 200;
  });
});
afterAll(() => running?.stop());

/** A deposit increments its sender's nonce on L2, so each account sends on one chain only. */
const people = [
  ['alice', 0],
  ['bob', 1],
  ['carol', 2],
] as const;
const accountOf = (user: string) => rollupAccount(running.rollup, people.find(([name]) => name === user)?.[1] ?? 9);
const stranger = getAddress(`0x${'5e'.repeat(20)}`);
const wrappedEther: Address = '0x4200000000000000000000000000000000000006';
const paths = { l1: '/deposits/transactions', l2: '/withdrawals/transactions' } as const;
type Side = keyof typeof paths;

const ask = (user: string, side: Side, body: object) =>
  running.as(user, 'POST', paths[side], { bridgeId: 'main', wallet: accountOf(user).address, ...body });

async function prepared(user: string, side: Side, body: object): Promise<readonly PreparedTransaction[]> {
  const answer = await ask(user, side, body);
  if (answer.status !== 200) throw new Error(`preparing answered ${answer.status}: ${await answer.text()}`);
  const { transactions } = (await answer.json()) as { transactions: readonly PreparedTransaction[] };
  for (const { from, chainId } of transactions)
    expect([from, chainId]).toEqual([accountOf(user).address, running.rollup.bridge[side].chainId]);
  return transactions;
}

async function problemOf(user: string, side: Side, body: object, status = 400, error = 'Bad request'): Promise<string> {
  return expectStandardError(await ask(user, side, body), { status, error, path: paths[side] });
}

const chainOf = (side: Side) =>
  createPublicClient({ transport: http(running.rollup.bridge[side].url), pollingInterval: 20, cacheTime: 0 });

async function tokensOf(side: Side, of: Address): Promise<bigint> {
  const { l1Token, l2Token } = running.rollup.bridge.contracts;
  const address = side === 'l1' ? l1Token : l2Token;
  return chainOf(side).readContract({ address, abi: devErc20Abi, functionName: 'balanceOf', args: [of] });
}

/** Sends the transactions and waits until each of their deposits is on L2. */
async function deposit(user: string, transactions: readonly PreparedTransaction[]): Promise<void> {
  const receipts = await sendPrepared(running.rollup, accountOf(user), transactions);
  for (const { status, logs } of receipts) {
    expect(status).toBe('success');
    for (const hash of getL2TransactionHashes({ logs })) {
      const arrived = await chainOf('l2').waitForTransactionReceipt({ hash });
      expect(arrived.status).toBe('success');
    }
  }
}

test('configured bridges are listed with their networks and the tokens from the configuration (contract/bridge#bridges)', async () => {
  const { portal } = running.rollup.bridge.contracts;
  const list = await running.as('alice', 'GET', '/bridges?limit=1');
  expect(list.status).toBe(200);
  expect(await jsonBody(list)).toEqual({
    data: [
      {
        ...{ bridgeId: 'main', name: 'Test bridge', confirmations: 3 },
        l1: { dlt: 'ethereum', networkId: 'l1', chainId: 900 },
        l2: { dlt: 'ethereum', networkId: 'l2', chainId: 901 },
        // The pair that the indexer found is not among them.
        tokens: [
          { native: true, symbol: 'ETH', decimals: 18 },
          { native: false, l1: portal, l2: wrappedEther },
        ],
      },
    ],
  });
  const path = '/bridges';
  await expectStandardError(await running.as('alice', 'GET', `${path}?limit=0`), {
    ...{ status: 400, error: 'Bad request', path },
  });
  await expectStandardError(await running.gateway.fetch(path), { status: 401, error: 'Unauthorized', path });
});

test('prepared transactions deposit ether and tokens to the wallet and to others; approvals are only prepared when needed (contract/transfers#deposits-and-withdrawals)', async () => {
  const { address } = accountOf('alice');
  const { contracts } = running.rollup.bridge;
  const [ether, ...none] = await prepared('alice', 'l1', {
    token: 'native',
    amount: String(parseEther('0.25')),
    to: stranger,
  });
  expect(none).toEqual([]);
  expect(ether).toMatchObject({
    to: contracts.l1StandardBridge,
    value: String(parseEther('0.25')),
    description: `Deposit 0.25 ETH by Test bridge to ${stranger} on L2 (ethereum/l2)`,
  });
  if (ether !== undefined) await deposit('alice', [ether]);
  expect(await chainOf('l2').getBalance({ address: stranger })).toBe(parseEther('0.25'));

  const toWallet = await prepared('alice', 'l1', { token: 'native', amount: '1', wallet: address.toLowerCase() });
  expect(toWallet.map(({ description }) => description)).toEqual([
    'Deposit 0.000000000000000001 ETH by Test bridge on L2 (ethereum/l2)',
  ]);

  const tokens = await prepared('alice', 'l1', {
    token: contracts.l1Token,
    amount: String(parseEther('2')),
    to: stranger,
  });
  expect(tokens.map(({ to, value, description }) => [to, value, description])).toEqual([
    [contracts.l1Token, '0', `Allow Test bridge (${contracts.l1StandardBridge}) to take 2 FBT from the wallet, once`],
    [contracts.l1StandardBridge, '0', `Deposit 2 FBT by Test bridge to ${stranger} on L2 (ethereum/l2)`],
  ]);
  await deposit('alice', tokens);
  expect(await tokensOf('l2', stranger)).toBe(parseEther('2'));
  // The address on the other chain names the same token.
  const again = await prepared('alice', 'l1', { token: contracts.l2Token.toLowerCase(), amount: '7' });
  expect(again.map(({ to }) => to)).toEqual([contracts.l1Token, contracts.l1StandardBridge]);
  await deposit('alice', again);
  expect(await tokensOf('l2', address)).toBe(7n);
});

test('prepared transactions withdraw ether and tokens; tokens that the bridge mints need no approval (contract/transfers#deposits-and-withdrawals)', async () => {
  const { address } = accountOf('bob');
  const { contracts } = running.rollup.bridge;
  const ether = await prepared('bob', 'l2', { token: 'native', amount: '1000', to: stranger });
  expect(ether.map(({ to, value, description }) => [to, value, description])).toEqual([
    [
      '0x4200000000000000000000000000000000000010',
      '1000',
      `Withdraw 0.000000000000001 ETH by Test bridge to ${stranger} on L1 (ethereum/l1); there it has to be proven and finalized`,
    ],
  ]);
  const [sent] = await sendPrepared(running.rollup, accountOf('bob'), ether);
  expect(sent?.status).toBe('success');
  expect(getWithdrawals(sent ?? { logs: [] })).toHaveLength(1);

  const deposits = await prepared('alice', 'l1', { token: contracts.l1Token, amount: '50', to: address });
  await deposit('alice', deposits);
  const tokens = await prepared('bob', 'l2', { token: contracts.l2Token, amount: '50' });
  expect(tokens.map(({ to, value }) => [to, value])).toEqual([['0x4200000000000000000000000000000000000010', '0']]);
  const [burnt] = await sendPrepared(running.rollup, accountOf('bob'), tokens);
  expect(burnt?.status).toBe('success');
  expect(getWithdrawals(burnt ?? { logs: [] })).toHaveLength(1);
  expect(await tokensOf('l2', address)).toBe(0n);
});

test('symbols and decimals of tokens in records are returned once the indexer has read them (contract/bridge#tokens)', async () => {
  const { l1Token, l2Token } = running.rollup.bridge.contracts;
  const tokens = async () => {
    const { data } = await jsonBody(await running.as('alice', 'GET', '/users/me/deposits?limit=100'));
    return (data as readonly { readonly token: ShownToken }[]).map(({ token }) => token);
  };
  await until('every token is described', async () => {
    const reported = await tokens();
    return reported.some(({ native }) => !native) && reported.every(({ symbol }) => symbol !== undefined);
  });
  for (const token of await tokens())
    expect(token).toEqual(
      token.native
        ? { native: true, symbol: 'ETH', decimals: 18 }
        : { native: false, l1: l1Token, l2: l2Token, symbol: 'FBT', decimals: 18 },
    );
});

test('two deposits in one block have enough gas, although each increases the cost of the other (contract/transfers#deposits-and-withdrawals)', async () => {
  const both = await Promise.all([
    prepared('alice', 'l1', { token: 'native', amount: '11' }),
    prepared('carol', 'l1', { token: 'native', amount: '12' }),
  ]);
  await Promise.all([deposit('alice', both[0]), deposit('carol', both[1])]);
});

test('an excessive, zero or missing amount is 400 and names the available amount (contract/transfers#deposits-and-withdrawals)', async () => {
  const { l1Token, l2Token } = running.rollup.bridge.contracts;
  const { address } = accountOf('carol');
  const balance = await chainOf('l1').getBalance({ address });
  expect(await problemOf('carol', 'l1', { token: 'native', amount: String(balance + 1n) })).toBe(
    `amount is more than the wallet has: ${balance}`,
  );
  expect(await problemOf('carol', 'l1', { token: 'native', amount: String(balance) })).toMatch(
    new RegExp(`^amount leaves too little for fees\\. At most \\d+ can be sent now; the wallet has ${balance}$`),
  );
  expect(await problemOf('carol', 'l1', { token: 'native', amount: '0' })).toBe(
    `amount must be above zero; the wallet has ${balance}`,
  );
  const tokens = await tokensOf('l1', address);
  expect(await problemOf('carol', 'l1', { token: l1Token, amount: String(maxUint256) })).toBe(
    `amount is more than the wallet has: ${tokens}`,
  );
  expect(await problemOf('carol', 'l2', { token: l2Token, amount: '1' })).toBe('amount is more than the wallet has: 0');
  for (const amount of [String(maxUint256 + 1n), '-1', '1.5', '01', '', 5])
    expect(await problemOf('carol', 'l2', { token: 'native', amount })).toStartWith('amount must be');
});

test('an invalid bridge, token, wallet or recipient is named (contract/transfers#deposits-and-withdrawals)', async () => {
  const { contracts, accounts } = running.rollup.bridge;
  const ether = { token: 'native', amount: '1' };
  expect(await problemOf('alice', 'l1', { ...ether, bridgeId: 'other' })).toBe(
    'bridgeId is not that of a bridge of this gateway',
  );
  for (const token of [stranger, contracts.pool])
    expect(await problemOf('alice', 'l1', { token, amount: '1' })).toBe(
      'token is not one that this bridge is known to carry',
    );
  expect(await problemOf('alice', 'l1', { token: 'ETH', amount: '1' })).toStartWith(
    'token must be native, or an address',
  );
  const notFound = { ...ether, wallet: accounts[1]?.address };
  expect(await problemOf('alice', 'l1', notFound, 404, 'Not found')).toBe('You have not linked this wallet.');
  for (const [side, to] of [
    ['l1', '0x4200000000000000000000000000000000000010'],
    ['l1', '0x4200000000000000000000000000000000000016'],
    ['l2', contracts.l1StandardBridge],
    ['l2', contracts.portal],
  ] as const)
    expect(await problemOf('alice', side, { ...ether, to })).toBe(
      'to is a contract of the bridge or the token: what is sent there is lost',
    );
  expect(await problemOf('alice', 'l1', { token: contracts.l1Token, amount: '1', to: contracts.l2Token })).toStartWith(
    'to is a contract of the bridge or the token',
  );
  expect(await problemOf('alice', 'l1', { ...ether, to: `0x${'0'.repeat(40)}` })).toStartWith('to is the zero address');
  expect(await problemOf('alice', 'l1', { amount: '1' })).toBe('token is required');
});

test('a configured pair that the chains do not confirm accepts no deposits: 502 (contract/transfers#deposits-and-withdrawals)', async () => {
  const { chainId } = running.rollup.bridge.l2;
  const wrap = { chainId, from: accountOf('bob').address, to: wrappedEther, data: '0x' } as const;
  const [wrapped] = await sendPrepared(running.rollup, accountOf('bob'), [
    { ...wrap, value: '10', gas: '100000', description: '' },
  ]);
  expect(wrapped?.status).toBe('success');
  const { portal } = running.rollup.bridge.contracts;
  const body = { token: wrappedEther, amount: '10' };
  expect(await problemOf('bob', 'l2', body, 502, 'Bad gateway')).toBe(
    `The token ${portal} on the other side is not that of ${wrappedEther}.`,
  );
});

test('an API key prepares for its owner; a missing credential is 401; a policy that denies is 403 (contract/firewall-resources#rest)', async () => {
  const { apiKey } = await running.gateway.mint('carol');
  const body = JSON.stringify({ bridgeId: 'main', wallet: accountOf('carol').address, token: 'native', amount: '1' });
  const post = (headers: Record<string, string>) =>
    running.gateway.fetch(paths.l1, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', ...headers },
    });
  expect((await post({ 'X-API-Key': apiKey })).status).toBe(200);
  expect((await post({})).status).toBe(401);
  const { l1StandardBridge, l2Token } = running.rollup.bridge.contracts;
  const deny = async (address: string, networkId: string) => {
    const resource = { kind: 'contract', id: `ethereum/${networkId}/${address.toLowerCase()}` };
    const policy = { name: 'no bridging', effect: 'deny', subjects: ['*'], resource };
    return jsonBody(await running.as('carol', 'POST', '/users/me/policies', policy));
  };
  const { policyId } = await deny(l1StandardBridge, 'l1');
  for (const token of ['native', running.rollup.bridge.contracts.l1Token])
    await problemOf('carol', 'l1', { token, amount: '1' }, 403, 'Forbidden');
  expect((await ask('carol', 'l2', { token: 'native', amount: '1' })).status).toBe(200);
  await deny(l2Token, 'l2');
  await problemOf('carol', 'l2', { token: l2Token, amount: '1' }, 403, 'Forbidden');
  await running.as('carol', 'DELETE', `/users/me/policies/${String(policyId)}`);
  expect((await ask('carol', 'l1', { token: 'native', amount: '1' })).status).toBe(200);
});

test('an insufficient allowance is replaced by an approval of the amount; a sufficient one is used (contract/transfers#deposits-and-withdrawals)', async () => {
  const { l1Token, l1StandardBridge } = running.rollup.bridge.contracts;
  const approve = async (amount: bigint) => {
    const data = encodeFunctionData({ abi: devErc20Abi, functionName: 'approve', args: [l1StandardBridge, amount] });
    const terms = { chainId: running.rollup.bridge.l1.chainId, from: accountOf('carol').address, to: l1Token, data };
    await sendPrepared(running.rollup, accountOf('carol'), [{ ...terms, value: '0', gas: '100000', description: '' }]);
  };
  const count = async () => (await prepared('carol', 'l1', { token: l1Token, amount: '100' })).length;
  await approve(99n);
  expect(await count()).toBe(2);
  await approve(100n);
  expect(await count()).toBe(1);
  await deposit('carol', await prepared('carol', 'l1', { token: l1Token, amount: '100' }));
});
