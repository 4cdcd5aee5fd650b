/** Positions while contracts, tokens and nodes fail or return false data (contract/stakes). */

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { encodeAbiParameters, getAddress, stringToHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expectStandardError, jsonBody } from '../../apps/gateway/test/fixtures/answers.ts';
import { retryUnavailable } from '../../apps/gateway/test/fixtures/retry-unavailable.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';
import {
  reverted,
  type ScriptedAnswer,
  type ScriptedChain,
  startScriptedChain,
  word,
} from '../../apps/gateway/test/fixtures/scripted-chain.ts';

const at = (digit: string) => `0x${digit.repeat(40)}`;
const [one, two, three, staked, rewards] = [at('1'), at('2'), at('3'), at('a'), at('b')];
const magic = `0x1626ba7e${'0'.repeat(56)}`;

let gateway: RunningGateway;
let near: ScriptedChain;
let far: ScriptedChain;
beforeAll(async () => {
  near = startScriptedChain(31337);
  far = startScriptedChain(7);
  const network = (networkId: string, chainId: number, url: string, staking: object[]) => ({
    ...{ dlt: 'ethereum', networkId, chainId, default: networkId === 'dev', staking },
    nodes: [{ nodeId: networkId, url }],
  });
  gateway = await startGateway({
    config: {
      limits: { userPerMinute: 1_000_000 },
      storage: { databaseTimeoutMs: 1_000 },
      outbound: { nodeTimeoutSeconds: 2 },
      networks: [
        network('dev', 31337, near.node.url, [
          { contractId: 'one', name: 'Pool one', address: one },
          { contractId: 'two', address: two },
        ]),
        network('far', 7, far.node.url, [{ contractId: 'three', address: three }]),
      ],
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([near.node.stop(), far.node.stop()]);
});

const functions = { balanceOf: 'balanceOf(address)', earned: 'earned(address)' } as const;
let tokens = 0;

/** Each test has new tokens, because their symbols and decimals are cached. */
function freshToken(): string {
  tokens += 1;
  return `0x${tokens.toString(16).padStart(40, 'c')}`;
}

/** A contract in which every wallet has staked 100 and earned 7. */
function goodPool(chain: ScriptedChain, pool: string, token = staked): void {
  chain.say(pool, functions.balanceOf, word(100));
  chain.say(pool, functions.earned, word(7));
  chain.say(pool, 'stakingToken()', word(BigInt(token)));
  chain.say(pool, 'rewardsToken()', word(BigInt(rewards)));
  chain.say(token, 'symbol()', encodeAbiParameters([{ type: 'string' }], ['STK']));
  chain.say(token, 'decimals()', word(6));
  chain.say(token, functions.balanceOf, word(1_000));
  chain.say(token, 'allowance(address,address)', word(0));
  chain.say(rewards, 'symbol()', encodeAbiParameters([{ type: 'string' }], ['RWD']));
  chain.say(rewards, 'decimals()', word(18));
}

beforeEach(() => {
  for (const chain of [near, far]) chain.reset();
  goodPool(near, one);
  goodPool(near, two);
  goodPool(far, three);
});

let users = 0;
/** A user with linked wallets. */
async function userWith(wallets: number): Promise<string> {
  users += 1;
  const user = `user-${users}`;
  for (let linked = 0; linked < wallets; linked++) {
    const account = privateKeyToAccount(generatePrivateKey());
    const { message } = await jsonBody(
      await send(user, 'POST', '/users/me/wallets/challenge', { address: account.address }),
    );
    const signature = await account.signMessage({ message: String(message) });
    expect((await send(user, 'POST', '/users/me/wallets', { message, signature })).status).toBe(201);
  }
  return user;
}

function send(user: string, method: string, path: string, body?: unknown): Promise<Response> {
  return retryUnavailable(() =>
    gateway.fetch(path, {
      method,
      headers: { Authorization: `Bearer ${gateway.token(user)}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
}

type Stake = {
  readonly stakeId: string;
  readonly contractId: string;
  readonly stakingToken: { readonly symbol: string; readonly decimals: number };
};
type StakePage = {
  readonly data: readonly Stake[];
  readonly unreadable?: readonly Record<string, unknown>[];
  readonly nextCursor?: string;
};

async function stakes(user: string, query = ''): Promise<StakePage> {
  const answer = await send(user, 'GET', `/stakes${query}`);
  if (answer.status !== 200) throw new Error(`the list answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as StakePage;
}

const expect502 = async (user: string, path: string, message: string) =>
  expect(
    await expectStandardError(await send(user, 'GET', path), { status: 502, error: 'Bad gateway', path }),
  ).toContain(message);

test('a contract that fails or returns invalid data does not affect others: the list names it, and its position is 502 (contract/stakes#positions)', async () => {
  const user = await userWith(2);
  const all = await stakes(user);
  expect(all.data).toHaveLength(6);
  const { data: wallets } = (await (await send(user, 'GET', '/users/me/wallets')).json()) as {
    data: { address: string }[];
  };
  const rubbish: readonly (readonly [string, ScriptedAnswer | undefined])[] = [
    [functions.earned, reverted],
    [functions.balanceOf, { code: -32000, message: 'invalid opcode: opcode 0xfe not defined' }],
    [functions.earned, { code: -32000, message: 'execution aborted (timeout = 5s)' }],
    [functions.earned, { code: -32603, message: 'EVM error InvalidFEOpcode' }],
    [functions.earned, undefined],
    [functions.earned, '0x01'],
    [functions.balanceOf, `${word(1)}00`],
    [functions.earned, 'rubbish'],
    [functions.earned, `0x${'ab'.repeat(100_000)}`],
    ['stakingToken()', word(0)],
    ['stakingToken()', word(2n ** 160n)],
    ['rewardsToken()', reverted],
  ];
  for (const [signature, answer] of rubbish) {
    goodPool(near, two);
    near.say(two, signature, answer);
    const page = await stakes(user);
    expect(page.data.map(({ contractId }) => contractId).sort()).toEqual(['one', 'one', 'three', 'three']);
    expect(page.unreadable).toEqual([
      {
        ...{ contractId: 'two', dlt: 'ethereum', networkId: 'dev' },
        wallets: expect.arrayContaining(wallets.map(({ address }) => address)),
      },
    ]);
    const position = all.data.find(({ contractId }) => contractId === 'two');
    await expect502(user, `/stakes/${position?.stakeId}`, 'The staking contract two fails');
    const body = { contractId: 'two', dlt: 'ethereum', networkId: 'dev', wallet: wallets[0]?.address, action: 'claim' };
    await expectStandardError(await send(user, 'POST', '/stakes/transactions', body), {
      ...{ status: 502, error: 'Bad gateway', path: '/stakes/transactions' },
    });
  }
});

test('an unavailable network is 502, not an empty list (contract/stakes#positions)', async () => {
  const user = await userWith(1);
  const near502 = 'No node of the network ethereum/far gave a usable answer';
  const { data } = await stakes(user);
  const own = data.find(({ contractId }) => contractId === 'three');
  const outages = [
    () => new Response(null, { status: 503 }),
    () => new Response('<html>'),
    () => new Promise<Response>(() => {}),
    (body: string) => Response.json({ jsonrpc: '2.0', id: JSON.parse(body).id, result: 'rubbish' }),
    (body: string) =>
      Response.json({ jsonrpc: '2.0', id: JSON.parse(body).id, error: { code: -32005, message: 'limit exceeded' } }),
  ];
  for (const outage of outages) {
    far.node.behave(outage);
    await expect502(user, '/stakes', near502);
    await expect502(user, `/stakes/${own?.stakeId}`, near502);
  }
  far.reset();
  goodPool(far, three);
  far.say(three, functions.earned, { code: -32000, message: 'header not found' });
  await expect502(user, '/stakes', near502);
  far.say(three, functions.earned, word(1));
  expect((await stakes(user)).data).toHaveLength(3);
});

test('all positions of a network are read at one block, by number (contract/stakes#positions)', async () => {
  const user = await userWith(3);
  near.answer('eth_blockNumber', '0x1234');
  const { data } = await stakes(user);
  expect(new Set(near.blocks())).toEqual(new Set(['0x1234']));
  expect(data.filter(({ contractId }) => contractId !== 'three')).toEqual(
    Array.from({ length: 6 }, () => expect.objectContaining({ blockNumber: 0x1234 })),
  );
});

test('only positions with a stake or a reward are listed', async () => {
  const user = await userWith(1);
  near.say(one, functions.balanceOf, word(0));
  near.say(two, functions.earned, word(0));
  far.say(three, functions.balanceOf, word(0));
  far.say(three, functions.earned, word(0));
  expect((await stakes(user)).data.map(({ contractId }) => contractId).sort()).toEqual(['one', 'two']);
  near.say(one, functions.earned, word(2n ** 256n - 1n));
  const { data } = await stakes(user);
  expect(data.find(({ contractId }) => contractId === 'one')).toMatchObject({
    staked: '0',
    earned: String(2n ** 256n - 1n),
  });
});

test('pages list each position once, in one order, regardless of empty positions between them (contract/conventions#lists)', async () => {
  const user = await userWith(5);
  const all = await stakes(user, '?limit=100');
  expect(all.data).toHaveLength(15);
  expect(all.nextCursor).toBeUndefined();
  for (const limit of [1, 4, 14, 15]) {
    const seen: Stake[] = [];
    let query = `?limit=${limit}`;
    for (;;) {
      const page = await stakes(user, query);
      expect(page.data.length).toBeLessThanOrEqual(limit);
      seen.push(...page.data);
      if (page.nextCursor === undefined) break;
      query = `?limit=${limit}&cursor=${encodeURIComponent(page.nextCursor)}`;
    }
    expect(seen.map(({ stakeId }) => stakeId)).toEqual(all.data.map(({ stakeId }) => stakeId));
  }
  expect(new Set(all.data.map(({ stakeId }) => stakeId)).size).toBe(15);
  for (const bad of ['limit=0', 'limit=101', 'cursor=x'])
    await expectStandardError(await send(user, 'GET', `/stakes?${bad}`), {
      status: 400,
      error: 'Bad request',
      path: '/stakes',
    });
  // Each page names the wallets of its own range for the unreadable contract, and none twice.
  near.say(two, functions.earned, reverted);
  const first = await stakes(user, '?limit=3');
  const rest = await stakes(user, `?limit=100&cursor=${encodeURIComponent(first.nextCursor ?? '')}`);
  const named = [first, rest].flatMap(({ unreadable = [] }) =>
    unreadable.flatMap(({ wallets }) => wallets as string[]),
  );
  expect([named.length, new Set(named).size]).toEqual([5, 5]);
});

test('symbols and decimals are returned as far as possible, for any result of a token (contract/stakes#tokens)', async () => {
  const user = await userWith(1);
  const text = (value: string) => encodeAbiParameters([{ type: 'string' }], [value]);
  const symbols: readonly (readonly [ScriptedAnswer | undefined, string])[] = [
    [text('USD₮'), 'USD₮'],
    [stringToHex('MKR', { size: 32 }), 'MKR'],
    [text(''), ''],
    [undefined, ''],
    [reverted, ''],
    ['0x01', ''],
    [word(2n ** 255n), ''],
    [`${word(32)}${word(2n ** 40n).slice(2)}${'ab'.repeat(32)}`, ''],
    [text('x'.repeat(5_000)), ''],
    [text('y'.repeat(1_000)), 'y'.repeat(32)],
    [text('A\u202eB\u0000C\n\u200bD\u0301\ud83d\ude00'), 'ABCD\u{1f600}'],
    [`${word(32)}${word(2).slice(2)}${'fffe'.padEnd(64, '0')}`, ''],
    [`0x${'ab'.repeat(100_000)}`, ''],
  ];
  for (const [answer, shown] of symbols) {
    const token = freshToken();
    goodPool(near, one, token);
    near.say(token, 'symbol()', answer);
    const { data } = await stakes(user);
    const { stakingToken } = data.find(({ contractId }) => contractId === 'one') ?? {};
    expect([answer, stakingToken]).toEqual([
      answer,
      { address: getAddress(token), symbol: shown, decimals: 6 } as never,
    ]);
  }
  const places: readonly (readonly [ScriptedAnswer | undefined, number])[] = [
    [word(18), 18],
    [word(0), 0],
    [word(255), 255],
    [word(256), 0],
    [undefined, 0],
    [reverted, 0],
    ['0x12', 0],
  ];
  for (const [answer, shown] of places) {
    const token = freshToken();
    goodPool(near, one, token);
    near.say(token, 'decimals()', answer);
    const { data } = await stakes(user);
    expect([answer, data.find(({ contractId }) => contractId === 'one')?.stakingToken.decimals]).toEqual([
      answer,
      shown,
    ]);
  }
});

test('symbols and decimals of a token are read once; a failed read is not cached', async () => {
  const user = await userWith(1);
  const token = freshToken();
  goodPool(near, one, token);
  near.say(two, functions.balanceOf, word(0));
  near.say(two, functions.earned, word(0));
  near.say(token, 'symbol()', { code: -32005, message: 'limit exceeded' });
  await expect502(user, '/stakes', 'ethereum/dev');
  near.say(token, 'symbol()', stringToHex('NOW', { size: 32 }));
  const asked = near.callsOf('symbol()');
  for (let times = 0; times < 3; times++)
    expect((await stakes(user)).data.find(({ contractId }) => contractId === 'one')?.stakingToken.symbol).toBe('NOW');
  expect(near.callsOf('symbol()') - asked).toBe(1);
});

test('a node without batches receives single calls, and others batches of fifty', async () => {
  const user = await userWith(20);
  const before = near.node.received.length;
  expect((await stakes(user, '?limit=100')).data).toHaveLength(60);
  const sizes = near.node.received.slice(before).map((body) => (body.startsWith('[') ? JSON.parse(body).length : 1));
  expect(Math.max(...sizes)).toBe(50);
  expect(sizes.length).toBeLessThanOrEqual(6);
  near.takeBatches(false);
  const single = await userWith(2);
  expect((await stakes(single)).data).toHaveLength(6);
});

test('a contract wallet has positions only on its own chain, and nothing is prepared for it on another (contract/stakes#positions)', async () => {
  const user = await userWith(0);
  const { address } = privateKeyToAccount(generatePrivateKey());
  const { message } = await jsonBody(await send(user, 'POST', '/users/me/wallets/challenge', { address, chainId: 7 }));
  far.say(address.toLowerCase(), 'isValidSignature(bytes32,bytes)', magic);
  expect((await send(user, 'POST', '/users/me/wallets', { message, signature: '0x1234' })).status).toBe(201);
  expect((await stakes(user)).data.map(({ contractId }) => contractId)).toEqual(['three']);
  const body = { contractId: 'one', dlt: 'ethereum', networkId: 'dev', wallet: address, action: 'claim' };
  const path = '/stakes/transactions';
  const refused = await expectStandardError(await send(user, 'POST', path, body), {
    status: 400,
    error: 'Bad request',
    path,
  });
  expect(refused).toBe('wallet is a contract wallet of another chain');
});

test('a policy that denies calls of the contract denies its positions and transactions (contract/firewall-resources#rest)', async () => {
  const user = await userWith(1);
  const all = (await stakes(user)).data;
  near.answer('eth_estimateGas', '0xc350');
  const during = async (resource: object, work: () => Promise<void>, more: object = {}) => {
    const policy = { effect: 'deny', subjects: ['*'], resource, ...more };
    const { policyId } = await jsonBody(await send(user, 'POST', '/users/me/policies', policy));
    await work();
    expect((await send(user, 'DELETE', `/users/me/policies/${String(policyId)}`)).status).toBe(204);
  };
  const listed = async () => (await stakes(user)).data.map(({ contractId }) => contractId).sort();
  const forbidden = (path: string) => ({ status: 403, error: 'Forbidden', path });
  const prepared = '/stakes/transactions';
  const contract = { kind: 'contract', id: `ethereum/dev/${one}` };
  const ofDev = [contract, { kind: 'network', id: 'ethereum/dev' }, { kind: 'node', id: 'dev' }];
  for (const resource of ofDev)
    await during(resource, async () => {
      expect(await listed()).toEqual(resource === contract ? ['three', 'two'] : ['three']);
      const path = `/stakes/${all.find(({ contractId }) => contractId === 'one')?.stakeId}`;
      await expectStandardError(await send(user, 'GET', path), forbidden(path));
      await expectStandardError(await prepareStake(user), forbidden(prepared));
    });
  // A deny of `stake(uint256)`, or of approvals of the token, forbids the transaction but not the read.
  const approvals = { kind: 'contract', id: `ethereum/dev/${staked}` };
  for (const [resource, selector] of [
    [contract, '0xa694fc3a'],
    [approvals, '0x095ea7b3'],
  ] as const)
    await during(
      resource,
      async () => {
        expect(await listed()).toEqual(['one', 'three', 'two']);
        await expectStandardError(await prepareStake(user), forbidden(prepared));
      },
      { selectors: [selector] },
    );
  await during(contract, async () => expect(await listed()).toEqual(['three', 'two']), { selectors: ['0x008cc262'] });
  // A deny of sending transactions at every node of the network refuses the transaction.
  await during(
    { kind: 'node', id: 'dev' },
    async () => {
      expect(await listed()).toEqual(['one', 'three', 'two']);
      await expectStandardError(await prepareStake(user), forbidden(prepared));
    },
    { methods: ['eth_sendRawTransaction'] },
  );
  expect((await prepareStake(user)).status).toBe(200);
});

type Transaction = { readonly gas: string; readonly data: string; readonly to: string; readonly description: string };

async function prepareStake(user: string): Promise<Response> {
  const { data } = (await (await send(user, 'GET', '/users/me/wallets')).json()) as { data: { address: string }[] };
  const body = {
    contractId: 'one',
    dlt: 'ethereum',
    networkId: 'dev',
    wallet: data[0]?.address,
    action: 'stake',
    amount: '100',
  };
  return send(user, 'POST', '/stakes/transactions', body);
}

const transactionsOf = async (answer: Response) => {
  if (answer.status !== 200) throw new Error(`preparing answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { transactions: readonly Transaction[] }).transactions;
};

test('gas is estimated with a margin; a transaction that needs an approval first is simulated, or gets a high limit (contract/stakes#transactions)', async () => {
  const user = await userWith(1);
  near.answer('eth_estimateGas', '0xc350');
  const generous = await transactionsOf(await prepareStake(user));
  expect(generous.map(({ gas }) => gas)).toEqual(['60000', '650000']);
  near.answer('eth_simulateV1', [
    {
      calls: [
        { status: '0x1', gasUsed: '0x9c40' },
        { status: '0x1', gasUsed: '0x186a0' },
      ],
    },
  ]);
  const simulated = await transactionsOf(await prepareStake(user));
  expect(simulated.map(({ gas }) => gas)).toEqual(['60000', '300000']);
  near.say(staked, 'allowance(address,address)', word(100));
  expect((await transactionsOf(await prepareStake(user))).map(({ gas }) => gas)).toEqual(['210000']);
});

test('a transaction that would fail is 502 with the contract’s own reason, sanitized (contract/stakes#transactions)', async () => {
  const user = await userWith(1);
  const path = '/stakes/transactions';
  const refusal = { status: 502, error: 'Bad gateway', path };
  const data = `0x08c379a0${encodeAbiParameters([{ type: 'string' }], ['paused\u202e\n']).slice(2)}`;
  near.say(staked, 'allowance(address,address)', word(100));
  near.answer('eth_estimateGas', { code: 3, message: 'execution reverted', data });
  expect(await expectStandardError(await prepareStake(user), refusal)).toBe(
    'This would fail on the chain: Stake 0.0001 STK in Pool one. "paused"',
  );
  near.say(staked, 'allowance(address,address)', word(0));
  near.answer('eth_estimateGas', '0xc350');
  near.answer('eth_simulateV1', [
    {
      calls: [
        { status: '0x1', gasUsed: '0x1' },
        { status: '0x0', gasUsed: '0x1', error: { code: 3, message: 'reverted', data } },
      ],
    },
  ]);
  expect(await expectStandardError(await prepareStake(user), refusal)).toContain(
    'Stake 0.0001 STK in Pool one. "paused"',
  );
  near.answer('eth_estimateGas', undefined);
  expect(await expectStandardError(await prepareStake(user), refusal)).toContain('No node of the network ethereum/dev');
});

test('when a token permits only changes from zero, the allowance is first set to zero', async () => {
  const user = await userWith(1);
  near.say(staked, 'allowance(address,address)', word(40));
  const answers = [{ code: 3, message: 'execution reverted', data: '0x' }, '0xc350'];
  near.node.behave(
    ((before) => (body: string, request: Request) => {
      const message = JSON.parse(body);
      if (message.method !== 'eth_estimateGas') return before(body, request);
      const isApproval = String(message.params[0].data).endsWith(word(100).slice(2));
      const answer = isApproval ? { error: answers[0] } : { result: answers[1] };
      return Response.json({ jsonrpc: '2.0', id: message.id, ...answer });
    })(near.behavior),
  );
  const transactions = await transactionsOf(await prepareStake(user));
  expect(transactions.map(({ data, gas }) => [data.slice(0, 10), BigInt(`0x${data.slice(-64)}`), gas])).toEqual([
    ['0x095ea7b3', 0n, '60000'],
    ['0x095ea7b3', 100n, '500000'],
    ['0xa694fc3a', 100n, '650000'],
  ]);
});
