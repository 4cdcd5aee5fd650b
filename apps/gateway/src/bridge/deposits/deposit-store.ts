/** The storage interface of deposits, for those who read them and for the leader. What indexing stores goes through `IndexStore`. Every engine passes `bridge/deposits/deposit-store.contract.ts`. */

import type { Position } from '@flowgate/base/page';
import type { Bridge } from '../bridges/bridge.ts';
import type { RoundTerms } from '../indexing/settler.ts';
import type { RecordTerms } from '../lists/record-query.ts';
import type { DepositFailure, DepositRecord, DepositStatus } from './deposit.ts';
import type { ProgressLimits } from './deposit-progress.ts';

/** What L2's receipt says of a deposit. */
export type DepositOutcome = {
  readonly deposit: DepositRecord;
  readonly status: 'completed' | 'failed';
  readonly failureReason?: DepositFailure;
  /** Where the receipt is. It counts unless the stream of L2 has read another block there. */
  readonly l2Block: number;
  readonly l2BlockHash: string;
};

/** A deposit that has no end yet, and when it is due again. */
export type DepositWait = {
  readonly deposit: DepositRecord;
  readonly dueAtMs: number;
  /** Whether L2 has said that it does not have it; otherwise nothing was learnt. */
  readonly isAbsent: boolean;
};

/** Every method throws `Unavailable` when the storage does not answer in time; repeating is safe. */
export type DepositStore = {
  /** Newest first, by `createdAtMs` and id; each once. */
  list(
    terms: RecordTerms<DepositStatus>,
  ): Promise<{ readonly records: readonly DepositRecord[]; readonly next?: Position }>;

  find(depositId: string): Promise<DepositRecord | undefined>;

  /**
   * Of those that are given: whose transaction may be looked at now, because no one has for `everyMs`. Whoever gets one looks; all others who ask meanwhile do not get it.
   */
  claimLooks(depositIds: readonly string[], everyMs: number, nowMs: number): Promise<ReadonlySet<string>>;

  /** What a look has shown, unless the deposit's status has changed since. */
  noteLooks(looks: readonly { readonly deposit: DepositRecord; readonly reason: string }[]): Promise<void>;
};

/** For the leader of a bridge. What it writes holds only under its fence, and in the state that it has read. */
export type DepositProgressStore = {
  /** Whether any deposit is not over, or its end is to be read again. */
  isAnyOpen(bridgeId: string): Promise<boolean>;

  /** Moves what is not over to `confirmed` and `relaying`, never back. Returns how many it has moved, about `limit` at most. */
  advance(
    bridge: Pick<Bridge, 'bridgeId' | 'stalledAfterMs'>,
    limits: ProgressLimits,
    limit: number,
    nowMs: number,
    fence: RoundTerms,
  ): Promise<number>;

  /** Those whose end is to be read from L2: in L1 blocks up to `upTo`, those in the oldest first, and those whose end is to be read again. */
  due(bridgeId: string, upTo: number, nowMs: number, limit: number): Promise<readonly DepositRecord[]>;

  /** What L2 says of them. */
  end(outcomes: readonly DepositOutcome[], nowMs: number, fence: RoundTerms): Promise<void>;

  /** L2 says nothing of them yet. Those whose end was to be read again are where the limits put them. */
  putOff(waits: readonly DepositWait[], limits: ProgressLimits, nowMs: number, fence: RoundTerms): Promise<void>;

  /** Those that a reorganization of L1 took out, while it is not known whether they can be mined again: those that are due. */
  lost(bridgeId: string, nowMs: number, limit: number): Promise<readonly DepositRecord[]>;

  /** Lost ones that can no longer be mined. */
  giveUp(deposits: readonly DepositRecord[], nowMs: number, fence: RoundTerms): Promise<void>;

  /** Those that have stood still for too long and were not looked at for a while, those that have waited longest first. */
  stalled(
    bridge: Pick<Bridge, 'bridgeId' | 'stalledAfterMs'>,
    limit: number,
    nowMs: number,
    fence: RoundTerms,
  ): Promise<readonly DepositRecord[]>;
};
