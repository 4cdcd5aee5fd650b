/** What is read from logs equals what viem's op-stack actions report of the same transactions, on a rollup with the real contracts. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type BridgeLog, type L1BridgeContracts, l2Contracts } from '@flowgate/chain/blocks/bridge-log';
import { devPoolAbi } from '@flowgate/devkit/contracts/dev-pool-code';
import { type LocalRollup, startLocalRollup } from '@flowgate/devkit/rollup/local-rollup';
import {
  type Address,
  createPublicClient,
  createWalletClient,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  keccak256,
  parseAbi,
  type TransactionReceipt,
  zeroAddress,
  zeroHash,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { getL2TransactionHashes, getWithdrawals } from 'viem/op-stack';
import { messagePasserAbi } from './bridge-abi.ts';
import { type ReadDeposit, readDepositLog, senderOf } from './deposit-log.ts';
import { readSwapLog } from './swap-log.ts';
import { readWithdrawalLog } from './withdrawal-log.ts';

let rollup: LocalRollup;
let contracts: L1BridgeContracts & { readonly l1Token: Address; readonly l2Token: Address; readonly pool: Address };
type Account = ReturnType<typeof privateKeyToAccount>;
let alice: Account;
/** The sender on L2. Alice's nonces there change with each of her deposits that arrives. */
let bob: Account;

beforeAll(async () => {
  rollup = await startLocalRollup({ isAutomatic: false });
  contracts = rollup.bridge.contracts;
  const [first, second] = rollup.bridge.accounts.map(({ privateKey }) =>
    privateKeyToAccount(`0x${privateKey.slice(2)}`),
  );
  if (first === undefined || second === undefined) throw new Error('no accounts');
  [alice, bob] = [first, second];
});
afterAll(() => rollup?.stop());

const other: Address = '0x00000000000000000000000000000000000000B0';
const bridgeAbi = parseAbi([
  'function bridgeETHTo(address to, uint32 minGas, bytes data) payable',
  'function bridgeERC20To(address localToken, address remoteToken, address to, uint256 amount, uint32 minGas, bytes data)',
]);
const messengerAbi = parseAbi(['function sendMessage(address target, bytes message, uint32 minGas) payable']);
const portalAbi = parseAbi([
  'function depositTransaction(address to, uint256 value, uint64 gas, bool isCreation, bytes data) payable',
]);
const passerAbi = parseAbi(['function initiateWithdrawal(address target, uint256 gasLimit, bytes data) payable']);

type Call = { readonly to: Address; readonly data: Hex; readonly value?: bigint };

async function send(chain: 'l1' | 'l2', call: Call): Promise<TransactionReceipt> {
  const transport = http(rollup.bridge[chain].url);
  const reader = createPublicClient({ transport, pollingInterval: 20, cacheTime: 0 });
  const writer = createWalletClient({ account: chain === 'l1' ? alice : bob, transport });
  const hash = await writer.sendTransaction({ ...call, chain: null, gas: 3_000_000n });
  const receipt = await reader.waitForTransactionReceipt({ hash });
  expect(receipt.status).toBe('success');
  return receipt;
}

const logsOf = ({ logs }: TransactionReceipt): readonly BridgeLog[] =>
  logs.map((log) => ({ ...log, blockNumber: Number(log.blockNumber) }));

function depositOf(receipt: TransactionReceipt): ReadDeposit {
  const [found, ...more] = logsOf(receipt).flatMap((log) => readDepositLog(log, contracts) ?? []);
  if (found === undefined || more.length > 0) throw new Error('not one deposit');
  return senderOf(found, receipt.from);
}

/** Each way to deposit, and the expected record. */
const deposits: readonly [string, () => Call, (me: Address) => Partial<ReadDeposit>][] = [
  [
    'ether by the bridge',
    () => ({
      to: contracts.l1StandardBridge,
      data: encodeFunctionData({ abi: bridgeAbi, functionName: 'bridgeETHTo', args: [other, 200_000, '0x'] }),
      value: 5n,
    }),
    (from) => ({ kind: 'native', amount: 5n, from, to: other }),
  ],
  [
    'tokens by the bridge',
    () => ({
      to: contracts.l1StandardBridge,
      data: encodeFunctionData({
        abi: bridgeAbi,
        functionName: 'bridgeERC20To',
        args: [contracts.l1Token, contracts.l2Token, other, 7n, 200_000, '0x'],
      }),
    }),
    (from) => ({
      kind: 'token',
      token: { native: false, l1: contracts.l1Token, l2: contracts.l2Token },
      ...{ amount: 7n, from, to: other },
    }),
  ],
  [
    'a message',
    () => ({
      to: contracts.l1CrossDomainMessenger,
      data: encodeFunctionData({ abi: messengerAbi, functionName: 'sendMessage', args: [other, '0x1234', 100_000] }),
      value: 3n,
    }),
    (from) => ({ kind: 'message', amount: 3n, from, to: other }),
  ],
  [
    'ether by the portal',
    () => ({
      to: contracts.portal,
      data: encodeFunctionData({
        abi: portalAbi,
        functionName: 'depositTransaction',
        args: [other, 11n, 100_000n, false, '0x'],
      }),
      value: 11n,
    }),
    (from) => ({ kind: 'native', amount: 11n, from, to: other, messageHash: undefined }),
  ],
  [
    'a contract creation by the portal',
    () => ({
      to: contracts.portal,
      data: encodeFunctionData({
        abi: portalAbi,
        functionName: 'depositTransaction',
        args: [zeroAddress, 0n, 300_000n, true, '0x600a600c'],
      }),
    }),
    (from) => ({ kind: 'message', amount: 0n, from, to: zeroAddress }),
  ],
];

describe('deposits', () => {
  test.each(deposits)('%s', async (_name, call, expected) => {
    const args = [contracts.l1StandardBridge, 7n] as const;
    await send('l1', {
      to: contracts.l1Token,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }),
    });
    const receipt = await send('l1', call());
    const deposit = depositOf(receipt);
    expect(deposit).toMatchObject(expected(alice.address));
    expect([deposit.l2TransactionHash]).toEqual(getL2TransactionHashes(receipt));
    const onL2 = createPublicClient({ transport: http(rollup.bridge.l2.url), pollingInterval: 20, cacheTime: 0 });
    const { logs } = await onL2.waitForTransactionReceipt({ hash: deposit.l2TransactionHash });
    // The messenger on L2 emits the same hash for the message.
    const reported = logs.find(({ address }) => address.toLowerCase() === l2Contracts.messenger)?.topics[1];
    expect(reported).toBe(deposit.messageHash);
  });

  test('a sender that is a contract is shown without its alias', async () => {
    const log = (await send('l1', deposits[3]?.[1]() ?? { to: other, data: '0x' })).logs[0];
    if (log === undefined) throw new Error('no log');
    const contract: Address = '0x1234567890123456789012345678901234567890';
    const alias = '0x000000000000000000000000234567890123456789012345678901234567a1' as const;
    const aliased =
      `0x${(BigInt(contract) + 0x1111000000000000000000000000000000001111n).toString(16).padStart(64, '0')}` as Hex;
    expect(alias.length).toBe(64);
    const [topic, , ...rest] = log.topics;
    const found = readDepositLog({ ...log, blockNumber: 1, topics: [topic ?? '0x', aliased, ...rest] }, contracts);
    expect(found && senderOf(found, alice.address).from).toBe(contract);
  });
});

describe('withdrawals', () => {
  const ways: readonly [string, () => Call, (me: Address) => object][] = [
    [
      'ether by the message passer',
      () => ({
        to: l2Contracts.messagePasser,
        data: encodeFunctionData({ abi: passerAbi, functionName: 'initiateWithdrawal', args: [other, 50_000n, '0x'] }),
        value: 9n,
      }),
      (from) => ({ kind: 'native', amount: 9n, from, to: other, messageHash: undefined }),
    ],
    [
      'ether by the bridge',
      () => ({
        to: l2Contracts.standardBridge,
        data: encodeFunctionData({ abi: bridgeAbi, functionName: 'bridgeETHTo', args: [other, 200_000, '0x'] }),
        value: 4n,
      }),
      (from) => ({ kind: 'native', amount: 4n, from, to: other }),
    ],
    [
      'a message',
      () => ({
        to: l2Contracts.messenger,
        data: encodeFunctionData({ abi: messengerAbi, functionName: 'sendMessage', args: [other, '0x12', 100_000] }),
      }),
      (from) => ({ kind: 'message', amount: 0n, from, to: other }),
    ],
  ];
  test.each(ways)('%s', async (_name, call, expected) => {
    const receipt = await send('l2', call());
    const [found] = logsOf(receipt).flatMap((log) => readWithdrawalLog(log, contracts) ?? []);
    expect(found).toMatchObject(expected(bob.address));
    const [viems] = getWithdrawals(receipt);
    expect(found && { withdrawalHash: found.withdrawalHash, ...found.tuple }).toEqual(viems);
  });

  test('a log whose hash does not match its content is not a withdrawal', async () => {
    const { logs } = await send('l2', ways[0]?.[1]() ?? { to: other, data: '0x' });
    const [log] = logs;
    if (log === undefined) throw new Error('no log');
    const twisted: Hex = `0x${log.data.slice(2).replace(/9/, '8')}`;
    expect(readWithdrawalLog({ ...log, blockNumber: 1, data: twisted }, contracts)).toBeUndefined();
  });
});

test('a withdrawal with more data than a transaction on L1 may have is not listed (contract/withdrawals)', () => {
  const passed = (dataBytes: number): BridgeLog => {
    const [nonce, sender, target, value, gasLimit] = [1n, other, other, 0n, 100_000n] as const;
    const data: Hex = `0x${'ab'.repeat(dataBytes)}`;
    const terms = [nonce, sender, target, value, gasLimit, data] as const;
    const types = ['uint256', 'address', 'address', 'uint256', 'uint256', 'bytes'].map((type) => ({ type }));
    const content = [value, gasLimit, data, keccak256(encodeAbiParameters(types, terms))];
    const args = { nonce, sender, target };
    return {
      ...{ address: l2Contracts.messagePasser, blockNumber: 1, blockHash: zeroHash, transactionHash: zeroHash },
      topics: encodeEventTopics({ abi: messagePasserAbi, args }).flatMap((topic) => topic ?? []),
      data: encodeAbiParameters(
        ['uint256', 'uint256', 'bytes', 'bytes32'].map((type) => ({ type })),
        content,
      ),
      logIndex: 0,
    } as BridgeLog;
  };
  expect(readWithdrawalLog(passed(131_072), contracts)).toMatchObject({ kind: 'message', to: other });
  expect(readWithdrawalLog(passed(131_073), contracts)).toBeUndefined();
});

test('a swap in a pool of version 2: the amounts in and out', async () => {
  const approve = (spender: Address) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 10n ** 18n] });
  const weth: Address = '0x4200000000000000000000000000000000000006';
  await send('l2', { to: weth, data: '0x', value: 10n ** 16n });
  await send('l2', { to: weth, data: approve(contracts.pool) });
  const args = [weth, 10n ** 15n, 1n, other] as const;
  const receipt = await send('l2', {
    to: contracts.pool,
    data: encodeFunctionData({ abi: devPoolAbi, functionName: 'swapExactIn', args }),
  });
  const [swap] = logsOf(receipt).flatMap((log) => readSwapLog(log, 'v2') ?? []);
  const isZeroIn = BigInt(weth) < BigInt(contracts.l2Token);
  expect(swap).toMatchObject({ isZeroIn, amountIn: 10n ** 15n, recipient: other });
  expect(Number(swap?.amountOut) / 1e18).toBeCloseTo(2 * 0.997, 3);
});
