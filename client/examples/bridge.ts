/**
 * Deposits, a swap and withdrawals on the local rollup with Flowgate's client; each poll compares the gateway's status with viem's. `bun
 * client/examples/bridge.ts`, see README.md.
 */

import { readFileSync } from 'node:fs';
import { createFlowgate, type Deposit, FlowgateError, type Withdrawal } from '@flowgate/client';
import { erc20Abi, formatEther, parseAbi, parseEther, type TransactionReceipt } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type LocalBridge, openChains, send, viemOnDeposit, viemOnWithdrawal } from './bridge-chains.ts';
import { readSettings } from './example-settings.ts';

const settings = readSettings('FLOWGATE_URL', 'FLOWGATE_API_KEY', 'FLOWGATE_BRIDGE');
const { FLOWGATE_URL: baseUrl, FLOWGATE_API_KEY: apiKey } = settings;
const bridge: LocalBridge = JSON.parse(readFileSync(settings.FLOWGATE_BRIDGE, 'utf8'));
const client = createFlowgate({ url: baseUrl, apiKey, retry: { retries: 2 } });
const account = privateKeyToAccount(bridge.accounts[0]?.privateKey ?? '0x');
const chains = openChains(bridge, account, baseUrl, apiKey);
const { l1Token, l2Token, pool } = bridge.contracts;
const wallet = account.address;

/** Allowed time of a difference from viem's status, because the gateway follows the chains with a short delay. */
const patienceMs = 60_000;
/** Time between two polls. Each makes about a dozen requests including viem's; a user may make 300 a minute. */
const pauseMs = Number(process.env['FLOWGATE_PAUSE_MS'] ?? 3_000);
let agreements = 0;
const poolAbi = parseAbi(['function swapExactIn(address tokenIn, uint256 amountIn, uint256 least, address to)']);

await linkWallet();
try {
  await deposit('1 ether', { token: 'native', amount: parseEther('1') });
  await deposit('100 tokens', { token: l1Token, amount: parseEther('100') });
  await depositWhileTheSequencerIsStopped();
  await swap();
  await withdraw();
  await showHistory();
} finally {
  await client.wallets.unlink(wallet);
}
console.log(`the gateway and viem agreed at each of ${agreements} looks`);

async function linkWallet(): Promise<void> {
  for await (const { address } of client.wallets.list()) if (address === wallet) await client.wallets.unlink(address);
  const { message } = await client.wallets.challenge({ address: wallet, chainId: bridge.l1.chainId });
  await client.wallets.link({ message, signature: await account.signMessage({ message }) });
  console.log(`linked ${wallet}`);
}

type Word = { readonly says: string; readonly means: readonly string[] };

/** Polls until `isReached`, and prints each status once, next to viem's. Both must agree at the latest when the gateway has read the newest block. */
async function follow<T extends { readonly status: string }>(
  look: () => Promise<T>,
  {
    shown,
    viem,
    isReached,
  }: {
    readonly shown: (record: T) => string;
    readonly viem: (record: T) => Promise<Word>;
    readonly isReached: (record: T) => boolean;
  },
): Promise<T> {
  let printed: string | undefined;
  for (let endMs = performance.now() + patienceMs; performance.now() < endMs; ) {
    const record = await look();
    const { says, means } = await viem(record);
    if (means.includes(record.status)) {
      agreements += 1;
      if (printed !== shown(record)) {
        endMs = performance.now() + patienceMs;
        printed = shown(record);
        console.log(`  ${printed} | viem: ${says}`);
      }
      if (isReached(record)) return record;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  const record = await look();
  throw new Error(`waited in vain: ${shown(record)} | viem: ${(await viem(record)).says}`);
}

function followDeposit(depositId: string, isReached: (deposit: Deposit) => boolean): Promise<Deposit> {
  return follow(() => client.deposits.get(depositId), {
    shown: ({ status, stalled, stalledReason }) => (stalled ? `${status}, stalled: ${stalledReason}` : status),
    viem: (record) => viemOnDeposit(chains, record),
    isReached,
  });
}

function followWithdrawal(
  withdrawalId: string,
  receipt: TransactionReceipt,
  wanted: Withdrawal['status'],
): Promise<Withdrawal> {
  return follow(() => client.withdrawals.get(withdrawalId), {
    shown: ({ status, blockers }) => (blockers.length === 0 ? status : `${status}, waits for ${blockers.join(', ')}`),
    viem: () => viemOnWithdrawal(chains, receipt),
    isReached: ({ status }) => status === wanted,
  });
}

function isOver({ status }: Deposit): boolean {
  return status === 'completed' || status === 'failed';
}

async function deposit(what: string, { token, amount }: { readonly token: string; readonly amount: bigint }) {
  const input = { bridgeId: bridge.bridgeId, wallet, token, amount: String(amount) };
  const { transactionHash } = await send(chains, await client.deposits.prepare(input));
  const depositId = await depositOf(transactionHash);
  console.log(`deposit of ${what}:`);
  await followDeposit(depositId, isOver);
}

/** The deposit of a transaction, once the gateway has read its block. */
function depositOf(transactionHash: string): Promise<string> {
  return found('the deposit', async () => {
    for await (const { depositId, l1TransactionHash } of client.deposits.list({ filter: { wallet } }))
      if (l1TransactionHash === transactionHash) return depositId;
    return undefined;
  });
}

/** While the sequencer is paused, the deposit is confirmed but makes no progress, and the gateway reports it as stalled with what L1 shows. */
async function depositWhileTheSequencerIsStopped(): Promise<void> {
  await control('/pause');
  try {
    const input = { bridgeId: bridge.bridgeId, wallet, token: 'native', amount: '5' };
    const { transactionHash } = await send(chains, await client.deposits.prepare(input));
    const depositId = await depositOf(transactionHash);
    console.log('deposit while the sequencer is paused:');
    await followDeposit(depositId, () => true);
    for (const status of ['confirmed', 'relaying']) {
      // Each call mines a block.
      for (let blocks = 0; blocks < 3; blocks += 1) await control('/advance', { seconds: 1 });
      await followDeposit(depositId, (record) => record.status === status);
    }
    await followDeposit(depositId, ({ stalled }) => stalled);
    await control('/resume');
    await followDeposit(depositId, isOver);
  } finally {
    await control('/resume');
  }
}

/** The pool's own calls: the gateway does not prepare swaps, but finds them in the pool's logs. */
async function swap(): Promise<void> {
  const { walletL2, onL2, rollup: chain } = chains;
  const amount = parseEther('2');
  const approval = await walletL2.writeContract({
    ...{ chain, address: l2Token, abi: erc20Abi, functionName: 'approve', args: [pool, amount] },
  });
  await onL2.waitForTransactionReceipt({ hash: approval });
  const hash = await walletL2.writeContract({
    ...{ chain, address: pool, abi: poolAbi, functionName: 'swapExactIn', args: [l2Token, amount, 1n, wallet] },
    gas: 500_000n,
  });
  await onL2.waitForTransactionReceipt({ hash });
  // The tokens' names are read shortly after the swap.
  const { status, sent, received } = await found('the swap and its tokens', async () => {
    for await (const entry of client.history.list({ filter: { type: 'swap', wallet } }))
      if (entry.transactions.some((each) => each.hash === hash))
        return [entry.sent, entry.received].every((moved) => moved?.token.symbol !== undefined) ? entry : undefined;
    return undefined;
  });
  console.log(`swap ${status}: ${amountOf(sent)} for ${amountOf(received)}`);
}

/** Ether and tokens in parallel. The first root is challenged and lost; the second one is valid. */
async function withdraw(): Promise<void> {
  const ether = await initiate('0.25 ether', 'native', parseEther('0.25'));
  const tokens = await initiate('10 tokens', l2Token, parseEther('10'));
  console.log('withdrawal of ether:');
  await followWithdrawal(ether.withdrawalId, ether.receipt, 'awaiting_state_root');
  await showRefusal('a proof without a root', client.withdrawals.prove(ether.withdrawalId));
  const { game: lost } = await control('/propose');
  await followWithdrawal(ether.withdrawalId, ether.receipt, 'ready_to_prove');
  await send(chains, await client.withdrawals.prove(ether.withdrawalId));
  await followWithdrawal(ether.withdrawalId, ether.receipt, 'in_dispute_window');
  await showRefusal('a finalization within the dispute window', client.withdrawals.finalize(ether.withdrawalId));
  await control('/challenge', { game: lost });
  await followWithdrawal(ether.withdrawalId, ether.receipt, 'challenged');
  await control('/advance', { seconds: 30 });
  console.log(`the challenged root: ${(await control('/resolve', { game: lost }))['outcome']}`);
  await followWithdrawal(ether.withdrawalId, ether.receipt, 'awaiting_state_root');
  const { game } = await control('/propose');
  await followWithdrawal(ether.withdrawalId, ether.receipt, 'ready_to_prove');
  for (const { withdrawalId } of [ether, tokens]) await send(chains, await client.withdrawals.prove(withdrawalId));
  await followWithdrawal(ether.withdrawalId, ether.receipt, 'in_dispute_window');
  await control('/advance', { seconds: 30 });
  console.log(`the second root: ${(await control('/resolve', { game }))['outcome']}`);
  await control('/advance', { seconds: 10 });
  for (const { withdrawalId, receipt, what } of [ether, tokens]) {
    console.log(`withdrawal of ${what}:`);
    await followWithdrawal(withdrawalId, receipt, 'ready_to_finalise');
    await send(chains, await client.withdrawals.finalize(withdrawalId));
    await followWithdrawal(withdrawalId, receipt, 'finalised');
  }
  await showRefusal('a second finalization', client.withdrawals.finalize(ether.withdrawalId));
}

async function initiate(what: string, token: string, amount: bigint) {
  const input = { bridgeId: bridge.bridgeId, wallet, token, amount: String(amount) };
  const receipt = await send(chains, await client.withdrawals.prepare(input));
  const withdrawalId = await found('the withdrawal', async () => {
    for await (const each of client.withdrawals.list({ filter: { wallet } }))
      if (each.l2TransactionHash === receipt.transactionHash) return each.withdrawalId;
    return undefined;
  });
  return { what, withdrawalId, receipt };
}

async function showHistory(): Promise<void> {
  console.log('history, newest first:');
  for await (const { type, status, networkId, sent, received } of client.history.list({ filter: { wallet } }))
    console.log(`  ${type} ${status} on ${networkId}: ${amountOf(sent)} → ${amountOf(received)}`);
}

type Moved = { readonly token: { readonly native: boolean; readonly symbol?: string }; readonly amount: string };

/** All of the local rollup's tokens have 18 decimals. */
function amountOf(moved: Moved | undefined): string {
  return moved === undefined ? '–' : `${formatEther(BigInt(moved.amount))} ${moved.token.symbol ?? 'of a token'}`;
}

/** The rollup's control routes: its sequencer, its roots, its clock. */
async function control(path: string, body: object = {}): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(`${bridge.controlUrl}${path}`, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return JSON.parse(await response.text());
}

async function found<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const endMs = performance.now() + patienceMs; performance.now() < endMs; ) {
    const one = await look();
    if (one !== undefined) return one;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  throw new Error(`waited in vain for ${what}`);
}

async function showRefusal(what: string, call: Promise<unknown>): Promise<void> {
  const error: unknown = await call.catch((cause: unknown) => cause);
  if (!(error instanceof FlowgateError)) throw new Error(`${what}: was not refused`, { cause: error });
  console.log(`[refused] ${what}: ${error.status} ${error.message}`);
}
