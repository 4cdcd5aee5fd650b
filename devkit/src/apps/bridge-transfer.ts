/** A deposit or a withdrawal as the bridge app keeps it: in the session's state while it runs, in the caller's app data for later sessions. */
import type { JsonMembers } from '@flowgate/client/flow-wire';
import type { Address, Hex } from 'viem';
import type { Side } from './bridge-place.ts';
import { isPrepared, type PreparedTransaction } from './prepared-transaction.ts';

export type Transfer = {
  readonly direction: 'deposit' | 'withdrawal';
  readonly asset: 'ether' | 'token';
  /** Decimal text in units of the asset. */
  readonly amount: string;
  /** The same in base units. */
  readonly units: string;
  readonly symbol: string;
  readonly from: Address;
  readonly to: Address;
};

/** `start` is the deposit or withdrawal itself, `replay` relays its message once more. */
export type Purpose = 'approve' | 'start' | 'prove' | 'finalize' | 'replay';

export type Sent = {
  readonly purpose: Purpose;
  readonly hash: Hex;
  readonly nonce: number;
  /** Sent again, the same transaction, when the chain has lost it. Absent when the wallet sent it itself, or in an earlier session. */
  readonly raw?: Hex;
};

export type BridgeState = {
  readonly transfer: Transfer;
  /** At most one for each purpose: the newest. */
  readonly sent: readonly Sent[];
  /** Waits for the wallet's signature. */
  readonly prepared?: { readonly purpose: Purpose; readonly transaction: PreparedTransaction };
  /** As the last event told it. */
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

/** With `sent` as the newest. What was prepared is done. */
export function withSent({ transfer, sent, status }: BridgeState, added: Sent): BridgeState {
  const others = sent
    .filter(({ purpose }) => purpose !== added.purpose)
    // Only the start is worth sending again later: the other transactions are prepared again when they are missing.
    .map(({ raw, ...each }) => withRaw(each, each.purpose === 'start' ? raw : undefined));
  return { transfer, sent: [...others, added], ...(status === undefined ? {} : { status }) };
}

/** With the transaction that a wallet put in the place of `replaced`. */
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

/** From the app's own state, where no one else writes. */
export function bridgeStateIn(state: JsonMembers): BridgeState {
  if (isBridgeState(state)) return state;
  throw new Error('The state holds no transfer.');
}

export function preparedIn({ prepared }: BridgeState): NonNullable<BridgeState['prepared']> {
  if (prepared === undefined || !isPrepared(prepared.transaction))
    throw new Error('The state holds no prepared transaction.');
  return prepared;
}

function isBridgeState(value: object): value is BridgeState {
  return 'transfer' in value && isTransfer(value.transfer) && 'sent' in value && Array.isArray(value.sent);
}

function isTransfer(value: unknown): value is Transfer {
  return typeof value === 'object' && value !== null && 'direction' in value && 'units' in value;
}

/** In the caller's app data. */
export type KeptTransfer = Transfer & { readonly hash: Hex; readonly nonce: number; readonly status: string };

const maxKept = 100;
const overStatuses: ReadonlySet<string> = new Set(['completed', 'finalised', 'failed']);

export const isOver = (status: string): boolean => overStatuses.has(status);

export function keptTransfers(appData: JsonMembers): readonly KeptTransfer[] {
  const kept: unknown = appData['transfers'];
  return Array.isArray(kept) ? kept.filter(isKept) : [];
}

function isKept(value: unknown): value is KeptTransfer {
  return isTransfer(value) && 'hash' in value && 'nonce' in value && 'status' in value;
}

/** The list with this transfer as it stands now; beyond 100 the oldest one that is over goes, else the oldest. */
export function withKept(appData: JsonMembers, transfer: KeptTransfer): readonly KeptTransfer[] {
  const kept = keptTransfers(appData);
  const at = kept.findIndex(({ hash }) => hash === transfer.hash);
  if (at >= 0) return kept.with(at, transfer);
  if (kept.length < maxKept) return [...kept, transfer];
  const finished = kept.findIndex(({ status }) => isOver(status));
  return [...kept.toSpliced(Math.max(finished, 0), 1), transfer];
}
