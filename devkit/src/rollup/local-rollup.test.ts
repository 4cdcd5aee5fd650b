/**
 * The local rollup behaves like an OP Stack rollup: viem's op-stack actions work unchanged in both directions, also over reorganizations and restarts. Over 250
 * lines, because all tests share one rollup.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@flowgate/testing/until';
import { type Address, erc20Abi, type Hex, parseAbi, parseEther, parseUnits } from 'viem';
import { getL2TransactionHashes } from 'viem/op-stack';
import { rollupClients, rollupControl } from '../../test/rollup-clients.ts';
import { devPoolAbi } from '../contracts/dev-pool-code.ts';
import { predeploys } from './deploy-l2.ts';
import { type LocalRollup, startLocalRollup } from './local-rollup.ts';

let rollup: LocalRollup;
let control: ReturnType<typeof rollupControl>;
let clients: ReturnType<typeof rollupClients>;
const errors: unknown[] = [];

beforeAll(async () => {
  rollup = await startLocalRollup({ isAutomatic: false, onError: (error) => errors.push(error) });
  control = rollupControl(rollup.bridge.controlUrl);
  clients = rollupClients(rollup.bridge);
});
// Also after a test that failed half-way.
beforeEach(async () => {
  await clients.onL1.request({ method: 'evm_setAutomine' as never, params: [true] as never });
  await control('/portal/unpause');
  await control('/resume');
});
afterAll(async () => {
  await rollup?.stop();
});

const bridgeAbi = parseAbi([
  'function depositERC20(address l1Token, address l2Token, uint256 amount, uint32 minGas, bytes data)',
  'function bridgeERC20(address localToken, address remoteToken, uint256 amount, uint32 minGas, bytes data)',
]);

async function depositEther(amount: bigint, of = clients): Promise<{ readonly l1: Hex; readonly l2: Hex }> {
  const { account, onL1, onL2, walletL1, rollup: chain } = of;
  const request = await onL2.buildDepositTransaction({ account, mint: amount, to: account.address });
  const l1 = await walletL1.depositTransaction({ request: request.request, targetChain: chain });
  const receipt = await onL1.waitForTransactionReceipt({ hash: l1 });
  const [l2] = getL2TransactionHashes(receipt);
  if (l2 === undefined) throw new Error('no hash on L2');
  return { l1, l2 };
}

async function withdrawEther(amount: bigint) {
  const { account, onL1, onL2, walletL2 } = clients;
  const request = await onL1.buildInitiateWithdrawal({ account, to: account.address, value: amount });
  const hash = await walletL2.initiateWithdrawal(request);
  return await onL2.waitForTransactionReceipt({ hash });
}

type Receipt = Awaited<ReturnType<typeof withdrawEther>>;
const statusOf = (receipt: Receipt) => clients.onL1.getWithdrawalStatus({ receipt, targetChain: clients.rollup });

async function prove(receipt: Receipt): Promise<void> {
  const { onL1, onL2, walletL1, rollup: chain } = clients;
  const { game, withdrawal } = await onL1.waitToProve({ receipt, targetChain: chain });
  const request = await onL2.buildProveWithdrawal({ game, withdrawal });
  const hash = await walletL1.proveWithdrawal({ ...request, targetChain: chain });
  expect((await onL1.waitForTransactionReceipt({ hash })).status).toBe('success');
}

async function finalize(receipt: Receipt): Promise<void> {
  const { onL1, walletL1, rollup: chain } = clients;
  const { withdrawal } = await onL1.waitToProve({ receipt, targetChain: chain });
  const hash = await walletL1.finalizeWithdrawal({ targetChain: chain, withdrawal });
  expect((await onL1.waitForTransactionReceipt({ hash })).status).toBe('success');
}

describe('deposits', () => {
  test('ether arrives under the hash that is derived from the log', async () => {
    const { account, onL2 } = clients;
    const before = await onL2.getBalance({ address: account.address });
    const { l2 } = await depositEther(parseEther('1'));
    const { status } = await onL2.waitForTransactionReceipt({ hash: l2 });
    expect(status).toBe('success');
    expect(await onL2.getBalance({ address: account.address })).toBe(before + parseEther('1'));
  });

  test('tokens arrive, several of one block too', async () => {
    const { account, onL1, onL2, walletL1 } = clients;
    const { l1Token, l2Token, l1StandardBridge } = rollup.bridge.contracts;
    const amount = parseUnits('5', 18);
    const approval = await walletL1.writeContract({
      address: l1Token,
      abi: erc20Abi,
      functionName: 'approve',
      args: [l1StandardBridge, amount * 3n],
    });
    await onL1.waitForTransactionReceipt({ hash: approval });
    await onL1.request({ method: 'evm_setAutomine' as never, params: [false] as never });
    let nonce = await onL1.getTransactionCount({ address: account.address });
    const hashes: Hex[] = [];
    for (let nth = 0; nth < 3; nth++)
      hashes.push(
        await walletL1.writeContract({
          ...{
            address: l1StandardBridge,
            abi: bridgeAbi,
            functionName: 'depositERC20',
            gas: 2_000_000n,
            nonce: nonce++,
          },
          args: [l1Token, l2Token, amount, 200_000, '0x'],
        }),
      );
    await onL1.request({ method: 'evm_mine' as never });
    await onL1.request({ method: 'evm_setAutomine' as never, params: [true] as never });
    for (const hash of hashes) {
      const [l2] = getL2TransactionHashes(await onL1.waitForTransactionReceipt({ hash }));
      expect((await onL2.waitForTransactionReceipt({ hash: l2 ?? '0x' })).status).toBe('success');
    }
    const balance = await onL2.readContract({
      address: l2Token,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [account.address],
    });
    expect(balance).toBe(amount * 3n);
  });

  test('wait while derivation is paused; L2 reports the last derived block', async () => {
    const { onL2 } = clients;
    const abi = parseAbi(['function number() view returns (uint64)']);
    const reached = () => onL2.readContract({ address: predeploys.L1Block, abi, functionName: 'number' });
    await control('/pause');
    const before = await reached();
    const { l2 } = await depositEther(1n);
    expect(await onL2.getTransactionReceipt({ hash: l2 }).catch(() => undefined)).toBeUndefined();
    expect(await reached()).toBe(before);
    await control('/resume');
    expect((await onL2.getTransactionReceipt({ hash: l2 })).status).toBe('success');
    expect(await reached()).toBeGreaterThan(before);
  });
});

describe('withdrawals', () => {
  test('ether: every status in turn, by viem alone and the control routes', async () => {
    const receipt = await withdrawEther(parseEther('0.5'));
    expect(await statusOf(receipt)).toBe('waiting-to-prove');
    const { body } = await control('/propose');
    expect(await statusOf(receipt)).toBe('ready-to-prove');
    await prove(receipt);
    expect(await statusOf(receipt)).toBe('waiting-to-finalize');
    await control('/advance', { seconds: 30 });
    expect((await control('/resolve', { game: body['game'] })).body).toMatchObject({ outcome: 'defender_wins' });
    await control('/advance', { seconds: 10 });
    expect(await statusOf(receipt)).toBe('ready-to-finalize');
    await finalize(receipt);
    expect(await statusOf(receipt)).toBe('finalized');
  });

  test('a challenged root is lost without a defense, a blacklisted one at once; the portal can be paused', async () => {
    const challenged = (await control('/propose')).body['game'];
    expect((await control('/resolve', { game: challenged })).status).toBe(409);
    expect((await control('/challenge', { game: challenged })).status).toBe(200);
    await control('/advance', { seconds: 30 });
    expect((await control('/resolve', { game: challenged })).body).toMatchObject({ outcome: 'challenger_wins' });
    const other = (await control('/propose')).body['game'];
    expect((await control('/blacklist', { game: other })).status).toBe(200);
    const { onL1 } = clients;
    const paused = () =>
      onL1.readContract({
        address: rollup.bridge.contracts.portal,
        abi: parseAbi(['function paused() view returns (bool)']),
        functionName: 'paused',
      });
    await control('/portal/pause');
    expect(await paused()).toBe(true);
    await control('/portal/unpause');
    expect(await paused()).toBe(false);
  });
});

test('only /advance moves the time of both chains, for any duration of a test', async () => {
  const { onL1, onL2 } = clients;
  const times = () => Promise.all([onL1, onL2].map(async (chain) => Number((await chain.getBlock()).timestamp)));
  const before = await times();
  await onL1.request({ method: 'anvil_mine' as never, params: ['0x2'] as never });
  await control('/resume');
  expect(await times()).toEqual(before);
  await control('/advance', { seconds: 5 });
  expect(await times()).toEqual(before.map((time) => time + 5));
});

test('the pool swaps the token and wrapped ether at its price', async () => {
  const { account, onL2, walletL2 } = clients;
  const { pool, l2Token } = rollup.bridge.contracts;
  const amount = parseUnits('2', 18);
  const weth = predeploys.WETH;
  const balance = () =>
    onL2.readContract({ address: weth, abi: erc20Abi, functionName: 'balanceOf', args: [account.address] });
  const before = await balance();
  const approval = await walletL2.writeContract({
    address: l2Token,
    abi: erc20Abi,
    functionName: 'approve',
    args: [pool, amount],
  });
  await onL2.waitForTransactionReceipt({ hash: approval });
  const hash = await walletL2.writeContract({
    address: pool,
    abi: devPoolAbi,
    functionName: 'swapExactIn',
    args: [l2Token, amount, 1n, account.address],
  });
  expect((await onL2.waitForTransactionReceipt({ hash })).status).toBe('success');
  const bought = Number((await balance()) - before) / 1e18;
  expect(bought).toBeCloseTo((2 / 2000) * 0.997, 6);
});

describe('reorganizations', () => {
  test('L1: a dropped deposit loses its L2 transaction; a retained one is mined again and derived under another hash', async () => {
    const { account, onL1, onL2 } = clients;
    // Earlier L2 transactions of users depend on blocks of L1 that remain.
    await onL1.request({ method: 'anvil_mine' as never, params: ['0x3'] as never });
    await control('/resume');
    const gone = await depositEther(7n);
    await onL2.waitForTransactionReceipt({ hash: gone.l2 });
    const before = await onL2.getBalance({ address: account.address });
    expect((await control('/reorg', { chain: 'l1', blocks: 2 })).status).toBe(200);
    expect(await onL1.getTransaction({ hash: gone.l1 }).catch(() => undefined)).toBeUndefined();
    expect(await onL2.getTransactionReceipt({ hash: gone.l2 }).catch(() => undefined)).toBeUndefined();
    expect(await onL2.getBalance({ address: account.address })).toBe(before - 7n);

    const retained = await depositEther(9n);
    await onL2.waitForTransactionReceipt({ hash: retained.l2 });
    const { blockNumber } = await onL1.getTransactionReceipt({ hash: retained.l1 });
    // Also the blocks on top of it.
    await onL1.request({ method: 'anvil_mine' as never, params: ['0x2'] as never });
    const answer = await control('/reorg', { chain: 'l1', from: Number(blockNumber), keep: true });
    expect(answer).toMatchObject({ status: 200, body: { blocks: 3 } });
    const receipt = await onL1.getTransactionReceipt({ hash: retained.l1 });
    const [l2] = getL2TransactionHashes(receipt);
    expect(l2).not.toBe(retained.l2);
    expect((await onL2.waitForTransactionReceipt({ hash: l2 ?? '0x' })).status).toBe('success');
    expect(await onL2.getBalance({ address: account.address })).toBe(before - 7n + 9n);
  });

  test('L1: a game that lost its resolution, but not those of its claims, is resolved again', async () => {
    const { game } = (await control('/propose')).body;
    await control('/advance', { seconds: 30 });
    expect((await control('/resolve', { game })).body).toMatchObject({ outcome: 'defender_wins' });
    // Replaces only the last transaction.
    expect((await control('/reorg', { chain: 'l1', blocks: 1 })).status).toBe(200);
    expect(await control('/resolve', { game })).toMatchObject({ status: 200, body: { outcome: 'defender_wins' } });
  });

  test('L2: derived deposits are derived again', async () => {
    const { onL2 } = clients;
    const { l2 } = await depositEther(11n);
    const first = await onL2.waitForTransactionReceipt({ hash: l2 });
    expect((await control('/reorg', { chain: 'l2', blocks: 3 })).status).toBe(200);
    const again = await onL2.waitForTransactionReceipt({ hash: l2 });
    expect([again.status, again.blockHash === first.blockHash]).toEqual(['success', false]);
  });

  test('of L2 with its transactions: deposits are derived again, without reading their bytes from anvil', async () => {
    const { onL2 } = clients;
    const { l2 } = await depositEther(parseEther('1'));
    await onL2.waitForTransactionReceipt({ hash: l2 });
    const answer = await control('/reorg', { chain: 'l2', blocks: 2, keep: true });
    expect(answer).toMatchObject({ status: 200 });
    expect((await onL2.waitForTransactionReceipt({ hash: l2 })).status).toBe('success');
  });

  test('not below what was deployed', async () => {
    for (const [wrong, message] of [
      [{ blocks: 100_000 }, 'blocks must be a whole number from 1'],
      [{ from: 1 }, 'from must be a whole number from '],
      [{ from: 100_000 }, 'from must be a whole number from '],
    ] as const) {
      const answer = await control('/reorg', { chain: 'l1', ...wrong });
      expect([answer.status, answer.body['message']]).toEqual([400, expect.stringContaining(message)]);
    }
  });
});

test('an invalid request is refused with a message and has no effect', async () => {
  expect((await control('/advance', { seconds: '5' })).body['message']).toContain('seconds');
  expect((await control('/challenge', { game: 'x' })).body['message']).toContain('game');
  expect((await control('/reorg', { chain: 'l3', blocks: 1 })).body['message']).toContain('chain');
  expect((await control('/nothing')).status).toBe(404);
  expect((await fetch(`${rollup.bridge.controlUrl}/propose`)).status).toBe(405);
  expect(errors).toEqual([]);
});

test('a restarted rollup has its chains, its contracts and its derived blocks', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'flowgate-rollup-'));
  try {
    const first = await startLocalRollup({ directory, isAutomatic: false });
    const onFirst = rollupClients(first.bridge);
    const { l2 } = await depositEther(parseEther('3'), onFirst);
    await onFirst.onL2.waitForTransactionReceipt({ hash: l2 });
    const { game } = (await rollupControl(first.bridge.controlUrl)('/propose')).body;
    await first.stop();
    const second = await startLocalRollup({ directory, patienceMs: 0 });
    try {
      const onSecond = rollupClients(second.bridge);
      expect(second.bridge.contracts).toEqual(first.bridge.contracts);
      expect((await onSecond.onL2.getTransactionReceipt({ hash: l2 })).status).toBe('success');
      const more = await depositEther(1n, onSecond);
      expect((await onSecond.onL2.waitForTransactionReceipt({ hash: more.l2 })).status).toBe('success');

      // Games of the earlier run are resolved, and roots lost to a reorganization are posted again, without a request.
      const controlOfSecond = rollupControl(second.bridge.controlUrl);
      await controlOfSecond('/advance', { seconds: 30 });
      const gameStatus = {
        address: game as Address,
        abi: parseAbi(['function status() view returns (uint8)']),
      } as const;
      await until(
        'the game is resolved',
        async () => (await onSecond.onL1.readContract({ ...gameStatus, functionName: 'status' })) === 2,
      );
      const games = async () => (await onSecond.onL1.getGames({ targetChain: onSecond.rollup, limit: 100 })).length;
      const before = await games();
      await controlOfSecond('/reorg', { chain: 'l1', blocks: 1 });
      await until('a root is posted again', async () => (await games()) > before);
    } finally {
      await second.stop();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

test('a rollup whose chain ends by itself reports why and makes no further requests, like a killed one', async () => {
  const reported: unknown[] = [];
  const first = await startLocalRollup({ isAutomatic: false, onError: (error) => reported.push(error) });
  process.kill(first.l1.pid, 'SIGKILL');
  await until('its end is reported', () =>
    reported.some((error) => String(error).includes("rollup's L1 ended by itself (exit 137)")),
  );
  const asked = await listenAt(first.l1.port);
  await first.kill();
  const second = await startLocalRollup({ isAutomatic: false, onError: (error) => reported.push(error) });
  await second.kill();
  const alsoAsked = await listenAt(second.l1.port);
  // Real time: three times the sequencer's polling interval.
  await Bun.sleep(300);
  expect([asked.count(), alsoAsked.count()]).toEqual([0, 0]);
  expect(reported.filter((error) => String(error).includes('ended by itself'))).toHaveLength(1);
  for (const { stop } of [asked, alsoAsked]) await stop();
});

/** Another process that got the port of an ended chain. */
async function listenAt(port: number) {
  let requests = 0;
  const fetch = () => {
    requests += 1;
    return new Response();
  };
  const server = Bun.serve({ hostname: '127.0.0.1', port, fetch });
  return { count: () => requests, stop: () => server.stop(true) };
}
