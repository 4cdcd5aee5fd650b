/** The storage interface of deposits, for readers and for the leader. Indexing stores through `IndexStore`. Every engine passes `bridge/deposits/deposit-store.contract.ts`. */

import type { Position } from '@flowgate/base/page';
import type { Bridge } from '../bridges/bridge.ts';
import type { RoundTerms } from '../indexing/settler.ts';
import type { RecordTerms } from '../lists/record-query.ts';
import type { DepositFailure, DepositRecord, DepositStatus } from './deposit.ts';
import type { ProgressLimits } from './deposit-progress.ts';

/** The end of a deposit according to L2's receipt. */
export type DepositOutcome = {
  readonly deposit: DepositRecord;
  readonly status: 'completed' | 'failed';
  readonly failureReason?: DepositFailure;
  /** The block of the receipt. The end counts unless the stream of L2 has read another block of that number. */
  readonly l2Block: number;
  readonly l2BlockHash: string;
};

/** A deposit that has no end yet, and when it is due again. */
export type DepositWait = {
  readonly deposit: DepositRecord;
  readonly dueAtMs: number;
  /** True when L2 reported that it does not have the deposit; false when the check had no result. */
  readonly isAbsent: boolean;
};

/** Every method throws `Unavailable` when the storage does not answer in time; repeating is safe. */
export type DepositStore = {
  /** Newest first, by `createdAtMs` and id; each once. */
  list(
    terms: RecordTerms<DepositStatus>,
  ): Promise<{ readonly records: readonly DepositRecord[]; readonly next?: Position }>;

  find(depositId: string): Promise<DepositRecord | undefined>;

  /** Claims the check of the transactions of these deposits: returns those that no gateway has checked for `everyMs`. Concurrent requests do not get the same one. */
  claimChecks(depositIds: readonly string[], everyMs: number, nowMs: number): Promise<ReadonlySet<string>>;

  /** Stores the reason that a check found, unless the deposit's status has changed since. */
  storeReasons(reasons: readonly { readonly deposit: DepositRecord; readonly reason: string }[]): Promise<void>;
};

/** For the leader of a bridge. It writes only under its fence, and only in the state that it has read. */
export type DepositProgressStore = {
  /** Whether any deposit is not over, or has an end that must be read again. */
  isAnyOpen(bridgeId: string): Promise<boolean>;

  /** Moves deposits that are not over to `confirmed` and `relaying`, never back. Returns how many it moved: about `limit` at most. */
  advance(
    bridge: Pick<Bridge, 'bridgeId' | 'stalledAfterMs'>,
    limits: ProgressLimits,
    limit: number,
    nowMs: number,
    fence: RoundTerms,
  ): Promise<number>;

  /** Deposits whose end must be read from L2: those in L1 blocks up to `upTo`, oldest first, and those whose end must be read again. */
  due(bridgeId: string, upTo: number, nowMs: number, limit: number): Promise<readonly DepositRecord[]>;

  /** Stores their ends on L2. */
  end(outcomes: readonly DepositOutcome[], nowMs: number, fence: RoundTerms): Promise<void>;

  /** L2 has no end of them yet. Those whose end had to be read again get the status that the limits give. */
  putOff(waits: readonly DepositWait[], limits: ProgressLimits, nowMs: number, fence: RoundTerms): Promise<void>;

  /** Due deposits that a reorganization of L1 removed, while it is unknown whether they can be mined again. */
  lost(bridgeId: string, nowMs: number, limit: number): Promise<readonly DepositRecord[]>;

  /** Lost deposits that can no longer be mined. */
  giveUp(deposits: readonly DepositRecord[], nowMs: number, fence: RoundTerms): Promise<void>;

  /** Deposits that have been stalled and unchecked for long enough, longest wait first. */
  stalled(
    bridge: Pick<Bridge, 'bridgeId' | 'stalledAfterMs'>,
    limit: number,
    nowMs: number,
    fence: RoundTerms,
  ): Promise<readonly DepositRecord[]>;
};
