/**
 * Positions and prepared transactions over HTTP with a real staking contract: prepared, signed, sent through the
 * gateway (contract/stakes).
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { devErc20Abi } from '@flowgate/devkit/contracts/dev-erc20-code';
import { devWalletAbi } from '@flowgate/devkit/contracts/dev-wallet-code';
import { devContracts, fundStaker } from '@flowgate/devkit/dev-contracts';
import { clientsOf, devAccount } from '@flowgate/devkit/dev-token';
import { type Address, createPublicClient, createWalletClient, defineChain, getAddress, type Hex, http } from 'viem';
import { expectStandardError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import {
  contractWallet,
  startWalletGateway,
  type WalletGateway,
} from '../../apps/gateway/test/fixtures/wallet-chain.ts';

let running: WalletGateway;
beforeAll(async () => {
  running = await startWalletGateway();
});
afterAll(() => running.stop());

const whole = 10n ** 18n;
const place = { contractId: 'dev-staking', dlt: 'ethereum', networkId: 'dev' };

type Prepared = {
  readonly chainId: number;
  readonly from: Address;
  readonly to: Address;
  readonly data: Hex;
  readonly value: string;
  readonly gas: string;
  readonly description: string;
};
type Account = ReturnType<typeof devAccount>;

const prepare = (user: string, body: object) => running.as(user, 'POST', '/stakes/transactions', { ...place, ...body });

async function prepared(user: string, body: object): Promise<readonly Prepared[]> {
  const answer = await prepare(user, body);
  if (answer.status !== 200) throw new Error(`preparing answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { transactions: readonly Prepared[] }).transactions;
}

async function problemOf(user: string, body: object): Promise<string> {
  const path = '/stakes/transactions';
  return expectStandardError(await prepare(user, body), { status: 400, error: 'Bad request', path });
}

/** viem's clients with an API key of this user. */
async function throughGateway(user: string, account: Account) {
  const { url } = running.gateway;
  const { apiKey } = await running.gateway.mint(user);
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 };
  const rpcUrls = { default: { http: [`${url}/rpc`] } };
  const chain = defineChain({ id: running.chain.chainId, name: 'dev', nativeCurrency, rpcUrls });
  const transport = http(`${url}/rpc`, { fetchOptions: { headers: { 'X-API-Key': apiKey } }, retryCount: 5 });
  return {
    wallet: createWalletClient({ account, chain, transport }),
    reader: createPublicClient({ chain, transport, pollingInterval: 20, cacheTime: 0 }),
  };
}

/** Signs and sends the transactions in order through the gateway, with the prepared gas limits. */
async function send(user: string, account: Account, transactions: readonly Prepared[]): Promise<void> {
  const { wallet, reader } = await throughGateway(user, account);
  for (const { from, to, data, value, gas, chainId } of transactions) {
    expect([from, chainId]).toEqual([account.address, running.chain.chainId]);
    const hash = await wallet.sendTransaction({ to, data, value: BigInt(value), gas: BigInt(gas) });
    const { status } = await reader.waitForTransactionReceipt({ hash });
    expect(status).toBe('success');
  }
}

async function secondsPass(seconds: number): Promise<void> {
  const { reader } = await clientsOf(running.chain.url, 9);
  await reader.request({ method: 'evm_increaseTime' as never, params: [seconds] as never });
  await reader.request({ method: 'evm_mine' as never });
}

/** While `use` runs, every block has the timestamp of the previous one. */
async function whileTimeIsStopped(use: () => Promise<void>): Promise<void> {
  const { reader } = await clientsOf(running.chain.url, 9);
  const ask = (method: string, ...params: readonly unknown[]) =>
    reader.request({ method: method as never, params: params as never });
  await ask('anvil_setBlockTimestampInterval', 0);
  try {
    await use();
  } finally {
    await ask('anvil_removeBlockTimestampInterval');
  }
}

async function balanceOf(token: Address, of: Address): Promise<bigint> {
  const { reader } = await clientsOf(running.chain.url, 9);
  return reader.readContract({ address: token, abi: devErc20Abi, functionName: 'balanceOf', args: [of] });
}

async function stakesOf(user: string): Promise<readonly Record<string, unknown>[]> {
  const { data, unreadable } = await jsonBody(await running.as(user, 'GET', '/stakes?limit=100'));
  expect(unreadable).toBeUndefined();
  return data as readonly Record<string, unknown>[];
}

test('stake, unstake, claim and exit are prepared and sent through the gateway (contract/stakes)', async () => {
  const account = devAccount(0);
  expect(await stakesOf('alice')).toEqual([]);
  await running.link('alice', account);
  expect(await stakesOf('alice')).toEqual([]);

  const first = await prepared('alice', {
    wallet: account.address.toLowerCase(),
    action: 'stake',
    amount: String(15n * (whole / 10n)),
  });
  expect(first.map(({ to, value, description }) => ({ to, value, description }))).toEqual([
    {
      to: getAddress(devContracts.stakedToken),
      value: '0',
      description: `Allow Dev staking (${devContracts.staking}) to take 1.5 DEVS from the wallet, once`,
    },
    { to: getAddress(devContracts.staking), value: '0', description: 'Stake 1.5 DEVS in Dev staking' },
  ]);
  for (const { gas } of first) {
    expect(Number(gas)).toBeGreaterThan(21_000);
    expect(Number(gas)).toBeLessThan(400_000);
  }
  await send('alice', account, first);
  await secondsPass(10);

  const [stake, ...more] = await stakesOf('alice');
  expect(more).toEqual([]);
  const { reader } = await clientsOf(running.chain.url, 9);
  expect(stake).toEqual({
    ...place,
    stakeId: expect.stringMatching(/^stk_[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
    wallet: account.address,
    staked: String(15n * (whole / 10n)),
    earned: expect.stringMatching(/^\d{7,}$/),
    stakingToken: { address: getAddress(devContracts.stakedToken), symbol: 'DEVS', decimals: 18 },
    rewardsToken: { address: getAddress(devContracts.rewardsToken), symbol: 'DEVR', decimals: 6 },
    blockNumber: Number(await reader.getBlockNumber()),
    updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  const one = `/stakes/${String(stake?.['stakeId'])}`;
  const again = await jsonBody(await running.as('alice', 'GET', one));
  expect(again).toEqual({ ...stake, earned: expect.any(String), updatedAt: expect.any(String) });
  // Another user's id is 404, like an unknown id.
  for (const [user, path] of [
    ['bob', one],
    ['alice', `/stakes/stk_${'0'.repeat(26)}`],
    ['alice', '/stakes/stk_1'],
    ['alice', '/stakes/x'],
  ] as const)
    await expectStandardError(await running.as(user, 'GET', path), { status: 404, error: 'Not found', path });

  await send(
    'alice',
    account,
    await prepared('alice', { wallet: account.address, action: 'unstake', amount: String(whole) }),
  );
  expect((await stakesOf('alice'))[0]?.['staked']).toBe(String(whole / 2n));

  const rewardsBefore = await balanceOf(devContracts.rewardsToken, account.address);
  const claim = await prepared('alice', { wallet: account.address, action: 'claim' });
  expect(claim.map(({ description }) => description)).toEqual([
    expect.stringMatching(/^Claim \d+(\.\d+)? DEVR, or what it is by then, from Dev staking$/),
  ]);
  await send('alice', account, claim);
  expect(await balanceOf(devContracts.rewardsToken, account.address)).toBeGreaterThan(rewardsBefore);

  const tokenBefore = await balanceOf(devContracts.stakedToken, account.address);
  await secondsPass(5);
  await send('alice', account, await prepared('alice', { wallet: account.address, action: 'exit' }));
  expect(await balanceOf(devContracts.stakedToken, account.address)).toBe(tokenBefore + whole / 2n);
  expect(await stakesOf('alice')).toEqual([]);
  await expectStandardError(await running.as('alice', 'GET', one), { status: 404, error: 'Not found', path: one });
});

test.each([
  ['unstake', 5, { action: 'unstake', amount: String(whole) }],
  ['exit', 6, { action: 'exit' }],
] as const)(
  'the gas of %s is enough when rewards begin after the estimate (contract/stakes#transactions)',
  async (name, index, body) => {
    const account = devAccount(index);
    const user = `early-${name}`;
    await running.link(user, account);
    const wallet = account.address;
    let early: readonly Prepared[] = [];
    await whileTimeIsStopped(async () => {
      await send(user, account, await prepared(user, { wallet, action: 'stake', amount: String(2n * whole) }));
      expect(await stakesOf(user)).toEqual([expect.objectContaining({ earned: '0' })]);
      early = await prepared(user, { wallet, ...body });
    });
    await secondsPass(60);
    await send(user, account, early);
  },
);

test('an approval is prepared only when the allowance is too small, of exactly the amount (contract/stakes#transactions)', async () => {
  const account = devAccount(1);
  await running.link('approver', account);
  const stake = (amount: bigint) =>
    prepared('approver', { wallet: account.address, action: 'stake', amount: String(amount) });
  const [approval] = await stake(100n);
  if (approval === undefined) throw new Error('no approval was prepared');
  expect(approval.data).toEndWith(100n.toString(16).padStart(64, '0'));
  await send('approver', account, [approval]);
  expect(await stake(100n)).toHaveLength(1);
  expect(await stake(99n)).toHaveLength(1);
  const larger = await stake(101n);
  expect(larger.map(({ to }) => to)).toEqual([getAddress(devContracts.stakedToken), getAddress(devContracts.staking)]);
  await send('approver', account, larger);
  expect((await stakesOf('approver'))[0]?.['staked']).toBe('101');
});

test('a contract wallet stakes like an account: it is the sender of the prepared transactions (contract/stakes#transactions)', async () => {
  const owner = devAccount(2);
  const wallet = await contractWallet(running.chain.url, owner, 'staker');
  await wallet.deploy();
  await running.link('contractor', wallet);
  await fundStaker({ rpcUrl: running.chain.url }, wallet.address, 1_000n);
  const transactions = await prepared('contractor', { wallet: wallet.address, action: 'stake', amount: '400' });
  const { wallet: client, reader } = await throughGateway('contractor', owner);
  for (const { from, to, data } of transactions) {
    expect(from).toBe(wallet.address);
    const call = { address: wallet.address, abi: devWalletAbi, functionName: 'execute', args: [to, 0n, data] } as const;
    const { status } = await reader.waitForTransactionReceipt({ hash: await client.writeContract(call) });
    expect(status).toBe('success');
  }
  expect(await stakesOf('contractor')).toEqual([expect.objectContaining({ wallet: wallet.address, staked: '400' })]);
});

test('an excessive, zero or missing amount is 400 and names the available amount (contract/stakes#transactions)', async () => {
  const account = devAccount(3);
  await running.link('careful', account);
  const wallet = account.address;
  const max = String(2n ** 256n - 1n);
  const has = String(await balanceOf(devContracts.stakedToken, wallet));
  const problems: readonly (readonly [object, string])[] = [
    [{ action: 'stake', amount: '0' }, `amount must be above zero; the wallet has ${has}`],
    [{ action: 'stake', amount: String(BigInt(has) + 1n) }, `amount is more than the wallet has: ${has}`],
    [{ action: 'stake', amount: max }, `amount is more than the wallet has: ${has}`],
    [{ action: 'unstake', amount: '0' }, 'amount must be above zero; the wallet has staked 0'],
    [{ action: 'unstake', amount: '1' }, 'amount is more than the wallet has staked: 0'],
    [{ action: 'claim' }, 'action claim needs earned rewards; the wallet has earned 0'],
    [
      { action: 'exit' },
      'action exit needs a stake; the wallet has staked 0 and earned 0, which the action claim collects',
    ],
    [{ action: 'stake' }, 'amount is required for stake'],
    [{ action: 'unstake', amount: null }, 'amount is required for unstake'],
    [{ action: 'exit', amount: '1' }, 'amount must be omitted for exit'],
    [{ action: 'claim', amount: '1' }, 'amount must be omitted for claim'],
    [{ action: 'stake', amount: 1 }, 'amount must be a string of decimal digits'],
    ...['01', '-1', '1.5', '0x1', '1e3', '', ' 1', String(2n ** 256n), '9'.repeat(200)].map(
      (amount) =>
        [{ action: 'stake', amount }, 'amount must be decimal digits without a leading zero, less than 2^256'] as const,
    ),
    [{ action: 'burn' }, 'action must be one of stake, unstake, claim, exit'],
    [{}, 'action is required'],
    [{ action: 'claim', contractId: 'other' }, 'contractId is not that of a staking contract on this network'],
    [{ action: 'claim', networkId: 'other' }, 'contractId is not that of a staking contract on this network'],
    [{ action: 'claim', wallet: devAccount(4).address }, 'wallet is not one that you have linked'],
    [{ action: 'claim', wallet: 'x' }, 'wallet must be an address'],
  ];
  for (const [body, problem] of problems)
    expect([body, await problemOf('careful', { wallet, ...body })]).toEqual([body, expect.stringContaining(problem)]);
  expect(await problemOf('stranger', { wallet, action: 'claim' })).toBe('wallet is not one that you have linked');
});

test('an API key lists and prepares for its owner; a missing credential is 401', async () => {
  const account = devAccount(4);
  await running.link('keyed', account);
  const { apiKey } = await running.gateway.mint('keyed');
  const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' };
  expect((await running.gateway.fetch('/stakes', { headers })).status).toBe(200);
  const body = JSON.stringify({ ...place, wallet: account.address, action: 'stake', amount: '5' });
  const answer = await running.gateway.fetch('/stakes/transactions', { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
  await expectStandardError(await running.gateway.fetch('/stakes'), {
    status: 401,
    error: 'Unauthorized',
    path: '/stakes',
  });
});
