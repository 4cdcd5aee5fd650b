/** Advances a transfer as far as possible: checks its sent transactions and both chains, and prepares the wallet's next transaction. */
import { type Address, erc20Abi, formatEther, type TransactionReceipt } from 'viem';
import { approvalCall, type BridgeCall, startCall } from './bridge-calls.ts';
import { depositProgress } from './bridge-deposit.ts';
import type { BridgePlace } from './bridge-place.ts';
import type { Progress } from './bridge-progress.ts';
import { reasonToSign } from './bridge-steps.ts';
import {
  type BridgeState,
  type Purpose,
  type Sent,
  sentFor,
  sideOf,
  withHash,
  withoutPrepared,
  withoutSent,
} from './bridge-transfer.ts';
import { withdrawalProgress } from './bridge-withdrawal.ts';
import { type PreparedTransaction, type Problem, prepareTransaction } from './prepared-transaction.ts';
import { isKnown, minedReceipt, receiptOf, sendOnce } from './signed-transaction.ts';
import { doesTheSame, useOfNonce } from './used-nonce.ts';

export type Advanced =
  | { readonly kind: 'mining'; readonly state: BridgeState; readonly sent: Sent; readonly note: string }
  | {
      readonly kind: 'sign';
      readonly state: BridgeState;
      readonly purpose: Purpose;
      readonly transaction: PreparedTransaction;
      readonly why: string;
      readonly progress?: Progress;
    }
  | { readonly kind: 'progress'; readonly state: BridgeState; readonly progress: Progress }
  /** The transfer has not begun, and cannot as it was wanted. */
  | { readonly kind: 'refused'; readonly message: string; readonly fieldId?: string };

export async function advance(place: BridgePlace, before: BridgeState): Promise<Advanced> {
  const settled = await settle(place, withoutPrepared(before));
  if ('kind' in settled) return settled;
  const { state, note, start } = settled;
  if (start === undefined) return await begin(place, state, note);
  const { direction, from } = state.transfer;
  const read = direction === 'deposit' ? depositProgress(place, start) : withdrawalProgress(place, start, from);
  const known = await read;
  const progress = note === '' ? known : { ...known, text: `${note} ${known.text}` };
  if (progress.call === undefined) return { kind: 'progress', state, progress };
  const prepared = await prepare(place, state, progress.call);
  if (prepared.ok) return { ...prepared, kind: 'sign', why: progress.text, progress };
  const text = `${progress.text} The transaction for that could not be prepared: ${prepared.message}`;
  return { kind: 'progress', state, progress: { ...progress, text } };
}

type Settled = {
  readonly state: BridgeState;
  /** A sentence about a failed transaction for the user; empty without a failure. */
  readonly note: string;
  readonly start: TransactionReceipt | undefined;
};

/** Reads the results of the first and the newest transaction. Reverted and replaced transactions are dropped. */
async function settle(place: BridgePlace, before: BridgeState): Promise<Settled | Advanced> {
  let state = before;
  let note = '';
  const newest = state.sent.at(-1);
  const start = sentFor(state, 'start');
  let receipt: TransactionReceipt | undefined;
  for (const sent of new Set([start, newest])) {
    if (sent === undefined) continue;
    const seen = await follow(place, state, sent);
    if (seen.kind === 'mining') return { ...seen, state };
    if (seen.kind === 'mined' && seen.receipt.status === 'success') {
      if (sent === start) receipt = seen.receipt;
      continue;
    }
    if (sent === start && seen.kind === 'replaced') {
      const use = await useOfNonce(place[sideOf(state.transfer, 'start')], state.transfer.from, sent.nonce);
      if (use.kind !== 'used') return { kind: 'mining', state, sent, note: '' };
      // Wallets replace a transaction by the same one with a higher fee.
      const { to, data, value = 0n } = startCall(place, state.transfer);
      if (doesTheSame(use.transaction, { to, data, value: String(value) }))
        return await settle(place, withHash(state, sent, use.transaction.hash));
    }
    const what =
      seen.kind === 'mined' ? `was reverted in block ${seen.receipt.blockNumber}` : 'was replaced by another one';
    note = `Transaction ${sent.hash} ${what}: nothing was moved.`;
    if (sent === start) return { kind: 'progress', state, progress: neverStarted(note, seen.kind) };
    state = withoutSent(state, sent);
  }
  return { state, note, start: receipt };
}

/** A failed transfer is not prepared again automatically: if the chain reorganized back to the first transaction, both would be executed. */
function neverStarted(note: string, kind: 'mined' | 'replaced'): Progress {
  const failureReason = kind === 'replaced' ? 'reorganised' : 'reverted';
  const text = `${note} Look at your account before you begin another transfer.`;
  return { status: 'failed', text, isOver: true, facts: { failureReason } };
}

type Followed =
  | { readonly kind: 'mined'; readonly receipt: TransactionReceipt }
  | { readonly kind: 'mining'; readonly sent: Sent; readonly note: string }
  | { readonly kind: 'replaced' };

/** Sends the same transaction again when the chain has lost it. A chain executes it once. */
async function follow(place: BridgePlace, { transfer }: BridgeState, sent: Sent): Promise<Followed> {
  const { hash, raw, nonce } = sent;
  const chain = place[sideOf(transfer, sent.purpose)];
  const mined = await minedReceipt(chain, hash);
  if (mined !== undefined) return { kind: 'mined', receipt: mined };
  // The account's nonce shows why the transaction was refused.
  if (raw !== undefined) await sendOnce(chain, { ok: true, raw, hash });
  const isNonceUsed = (await chain.getTransactionCount({ address: transfer.from })) > nonce;
  // A node may report the account's new nonce before it has the receipt.
  const isAwaited = !isNonceUsed || (await isKnown(chain, hash));
  const receipt = await (isAwaited ? receiptOf(chain, hash) : minedReceipt(chain, hash));
  if (receipt !== undefined) return { kind: 'mined', receipt };
  if (isNonceUsed) return { kind: 'replaced' };
  const note = raw === undefined ? ' If your wallet no longer shows it, send it again from there.' : '';
  return { kind: 'mining', sent, note };
}

async function begin(place: BridgePlace, state: BridgeState, note: string): Promise<Advanced> {
  const { transfer } = state;
  const purpose = (await needsApproval(place, state)) ? 'approve' : 'start';
  const call = purpose === 'approve' ? approvalCall(place, transfer) : startCall(place, transfer);
  const prepared = await prepare(place, state, call);
  if (prepared.ok) return { ...prepared, kind: 'sign', why: `${note} ${reasonToSign(purpose, transfer)}`.trim() };
  const fieldId = transfer.asset === 'ether' && purpose === 'start' ? 'amount' : 'wallet';
  return { kind: 'refused', message: `${note} ${prepared.message}`.trim(), fieldId };
}

async function needsApproval({ l1, contracts }: BridgePlace, { transfer }: BridgeState): Promise<boolean> {
  const { direction, asset, from, units } = transfer;
  if (direction === 'withdrawal' || asset === 'ether') return false;
  const spender: Address = contracts.l1StandardBridge;
  const allowed = await l1.readContract({
    ...{ address: contracts.l1Token, abi: erc20Abi, functionName: 'allowance', args: [from, spender] },
  });
  return allowed < BigInt(units);
}

/** A deposit burns L1 gas for its L2 gas, at a price that changes with each block: an estimate may be too low by half. */
const gasMargin = 100n;

async function prepare(
  place: BridgePlace,
  state: BridgeState,
  { purpose, ...call }: BridgeCall,
): Promise<{ ok: true; state: BridgeState; purpose: Purpose; transaction: PreparedTransaction } | Problem> {
  const { from } = state.transfer;
  const chain = place[sideOf(state.transfer, purpose)];
  const prepared = await prepareTransaction(chain, { from, ...call, gasMargin });
  const { value = 0n } = call;
  const balance = await chain.getBalance({ address: from });
  const cost = prepared.ok ? BigInt(prepared.transaction.gas) * BigInt(prepared.transaction.maxFeePerGas) : 1n;
  if (balance < value + cost)
    return {
      ok: false,
      message: `${from} has ${formatEther(balance)} ether on ${sideOf(state.transfer, purpose).toUpperCase()}; with the fee this takes up to ${formatEther(value + cost)}.`,
    };
  if (!prepared.ok) return prepared;
  const { transaction } = prepared;
  return { ok: true, state: { ...state, prepared: { purpose, transaction } }, purpose, transaction };
}
