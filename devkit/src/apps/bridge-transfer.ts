/** A deposit or a withdrawal of the bridge app: in the session's state while it runs, and in the caller's app data for later sessions. */
import type { JsonMembers } from '@flowgate/client/flow-wire';
import type { Address, Hex } from 'viem';
import type { Side } from './bridge-place.ts';
import { isPrepared, type PreparedTransaction } from './prepared-transaction.ts';

export type Transfer = {
  readonly direction: 'deposit' | 'withdrawal';
  readonly asset: 'ether' | 'token';
  /** Decimal text in units of the asset. */
  readonly amount: string;
  /** The amount in base units. */
  readonly units: string;
  readonly symbol: string;
  readonly from: Address;
  readonly to: Address;
};

/** `start` is the deposit or withdrawal itself; `replay` relays its message again. */
export type Purpose = 'approve' | 'start' | 'prove' | 'finalize' | 'replay';

export type Sent = {
  readonly purpose: Purpose;
  readonly hash: Hex;
  readonly nonce: number;
  /** The signed transaction, for sending it again when the chain has lost it. Absent when the wallet sent it, or in an earlier session. */
  readonly raw?: Hex;
};

export type BridgeState = {
  readonly transfer: Transfer;
  /** At most one for each purpose: the newest. */
  readonly sent: readonly Sent[];
  /** Waits for the wallet's signature. */
  readonly prepared?: { readonly purpose: Purpose; readonly transaction: PreparedTransaction };
  /** The status in the last event. */
  readonly status?: string;
};

export function sideOf({ direction }: Transfer, purpose: Purpose): Side {
  if (purpose === 'prove' || purpose === 'finalize') return 'l1';
  const isOnSource = purpose !== 'replay';
  return (direction === 'deposit') === isOnSource ? 'l1' : 'l2';
}

export function sentFor({ sent }: BridgeState, purpose: Purpose): Sent | undefined {
  return sent.find((each) => each.purpose === purpose);
}

/** With `sent` as the newest transaction; the prepared one is removed. */
export function withSent({ transfer, sent, status }: BridgeState, added: Sent): BridgeState {
  const others = sent
    .filter(({ purpose }) => purpose !== added.purpose)
    // Only the start is worth sending again later: the other transactions are prepared again when they are missing.
    .map(({ raw, ...each }) => withRaw(each, each.purpose === 'start' ? raw : undefined));
  return { transfer, sent: [...others, added], ...(status === undefined ? {} : { status }) };
}

/** With the transaction with which a wallet replaced `replaced`. */
export function withHash(state: BridgeState, { hash: old }: Sent, hash: Hex): BridgeState {
  const sent = state.sent.map(({ raw, ...each }) => (each.hash === old ? { ...each, hash } : withRaw(each, raw)));
  return { ...state, sent };
}

const withRaw = (sent: Sent, raw: Hex | undefined): Sent => (raw === undefined ? sent : { ...sent, raw });

export function withoutSent(state: BridgeState, gone: Sent): BridgeState {
  return { ...state, sent: state.sent.filter(({ hash }) => hash !== gone.hash) };
}

export function withoutPrepared({ prepared: _, ...state }: BridgeState): BridgeState {
  return state;
}

/** Reads the app's own state, which no one else can write. */
export function bridgeStateIn(state: JsonMembers): BridgeState {
  if (isBridgeState(state)) return state;
  throw new Error('The state contains no transfer.');
}

export function preparedIn({ prepared }: BridgeState): NonNullable<BridgeState['prepared']> {
  if (prepared === undefined || !isPrepared(prepared.transaction))
    throw new Error('The state contains no prepared transaction.');
  return prepared;
}

function isBridgeState(value: object): value is BridgeState {
  return 'transfer' in value && isTransfer(value.transfer) && 'sent' in value && Array.isArray(value.sent);
}

function isTransfer(value: unknown): value is Transfer {
  return typeof value === 'object' && value !== null && 'direction' in value && 'units' in value;
}

/** In the caller's app data. */
export type StoredTransfer = Transfer & { readonly hash: Hex; readonly nonce: number; readonly status: string };

const maxStored = 100;
const overStatuses: ReadonlySet<string> = new Set(['completed', 'finalised', 'failed']);

export const isOver = (status: string): boolean => overStatuses.has(status);

export function storedTransfers(appData: JsonMembers): readonly StoredTransfer[] {
  const stored: unknown = appData['transfers'];
  return Array.isArray(stored) ? stored.filter(isStoredTransfer) : [];
}

function isStoredTransfer(value: unknown): value is StoredTransfer {
  return isTransfer(value) && 'hash' in value && 'nonce' in value && 'status' in value;
}

/** The list with this transfer's current status. Above 100 entries, the oldest finished one is dropped, or the oldest. */
export function withStored(appData: JsonMembers, transfer: StoredTransfer): readonly StoredTransfer[] {
  const stored = storedTransfers(appData);
  const at = stored.findIndex(({ hash }) => hash === transfer.hash);
  if (at >= 0) return stored.with(at, transfer);
  if (stored.length < maxStored) return [...stored, transfer];
  const finished = stored.findIndex(({ status }) => isOver(status));
  return [...stored.toSpliced(Math.max(finished, 0), 1), transfer];
}
