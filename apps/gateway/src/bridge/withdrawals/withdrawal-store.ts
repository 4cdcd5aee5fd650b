/** The storage interface of withdrawals. Every engine passes `bridge/withdrawals/withdrawal-store.contract.ts`. */

import type { Position } from '@flowgate/base/page';
import type { RoundTerms } from '../indexing/settler.ts';
import type { RecordTerms } from '../lists/record-query.ts';
import type { GameState, GameStatus, PortalTerms } from './classify-withdrawal.ts';
import type { WithdrawalFailure, WithdrawalRecord, WithdrawalStatus } from './withdrawal.ts';

/** In the form of the portal's parameter: addresses in lower case, numbers decimal. */
export type StoredTuple = {
  readonly nonce: string;
  readonly sender: string;
  readonly target: string;
  readonly value: string;
  readonly gasLimit: string;
  readonly data: string;
};

/** The state of a bridge's portal and factory at the last read. */
export type PortalState = PortalTerms & {
  readonly bridgeId: string;
  readonly isPaused: boolean;
  /** The newest L2 block with a usable posted root. */
  readonly coveredTo?: number;
};

/** A proof whose game is not known yet. */
export type UnboundProof = {
  readonly proofId: string;
  readonly withdrawalHash: string;
  readonly submitter: string;
  readonly blockNumber: number;
  readonly provenAtMs: number;
};

export type StoredGame = GameState & {
  readonly gameId: string;
  /** The contract, in lower case. */
  readonly game: string;
  readonly rootClaim: string;
  /** The L1 block that created it. */
  readonly blockNumber: number;
  readonly l2BlockNumber: number;
  /** Whether its state was ever read. */
  readonly isRead: boolean;
};

/** A withdrawal whose status may change, with all facts that decide it. */
export type DueWithdrawal = {
  readonly withdrawal: WithdrawalRecord & { readonly revision: number };
  /** The signer of the L2 transaction, and its nonce. */
  readonly signer: { readonly address: string; readonly nonce: number };
  readonly finalization:
    | { readonly isSuccess: boolean; readonly transactionHash: string; readonly blockNumber: number }
    | undefined;
  /** The latest proof of each submitter, with its game, if that was read. */
  readonly proofs: readonly {
    readonly submitter: string;
    readonly transactionHash: string;
    readonly provenAtMs: number;
    /** Whether the game of the proof is known. When it is, but the game is not stored, `game` is undefined. */
    readonly isBound: boolean;
    readonly game: StoredGame | undefined;
  }[];
};

export type GameTerms = { readonly gameType: number; readonly createdFrom: number };

export type WithdrawalChanges = {
  readonly portal?: PortalState;
  /** `game` undefined: a later proof of the submitter has replaced it. */
  readonly bindings?: readonly { readonly proof: UnboundProof; readonly game: string | undefined }[];
  readonly games?: readonly {
    readonly gameId: string;
    readonly status: GameStatus;
    readonly isChallenged: boolean;
    readonly resolvedAt: number;
    readonly clockSeconds: number;
    readonly isBlacklisted: boolean;
    /** The L1 block at which the game was read. */
    readonly blockNumber: number;
  }[];
  /** Games that no open proof uses any more. */
  readonly unwatched?: readonly string[];
  /** All games with open proofs: their withdrawals become due. */
  readonly isEveryProofDue?: boolean;
  readonly evaluations?: readonly {
    readonly withdrawalId: string;
    /** As it was read: a withdrawal with facts that were stored meanwhile remains due. */
    readonly revision: number;
    readonly status: WithdrawalStatus;
    readonly failureReason?: WithdrawalFailure | undefined;
    readonly windowEndsAtMs?: number | undefined;
    readonly proveTransaction?: string | undefined;
    readonly proofSubmitter?: string | undefined;
    readonly finalizeTransaction?: string | undefined;
    readonly dueAtMs?: number | undefined;
  }[];
  readonly nowMs: number;
};

/** Every method throws `Unavailable` when the storage does not answer in time. The write may have happened or not; repeating is safe. */
export type WithdrawalStore = {
  /** Withdrawals that any of these addresses sends or receives, newest first, by `createdAtMs` and id; each once. */
  list(
    terms: RecordTerms<WithdrawalStatus>,
  ): Promise<{ readonly records: readonly WithdrawalRecord[]; readonly next?: Position }>;

  find(withdrawalId: string): Promise<WithdrawalRecord | undefined>;

  /** The stored withdrawals with these ids, in any order. */
  byIds(withdrawalIds: readonly string[]): Promise<readonly WithdrawalRecord[]>;

  /** The tuple with which it is proven and finalized. */
  tuple(withdrawalId: string): Promise<StoredTuple | undefined>;

  /** The portals of these bridges; a bridge whose L1 was never read is absent. */
  portals(bridgeIds: readonly string[]): Promise<readonly PortalState[]>;

  /** Games of this type, not older than `createdFrom` (seconds), that were neither lost nor blacklisted at their last read; those about the newest L2 blocks first. `to`: the highest L2 block. */
  newestGames(
    bridgeId: string,
    terms: GameTerms & { readonly to?: number },
    limit: number,
  ): Promise<readonly StoredGame[]>;

  /** The same games, about L2 blocks from `from` to `to`; those about the oldest block first. */
  gamesAbout(
    bridgeId: string,
    terms: GameTerms,
    blocks: { readonly from: number; readonly to: number },
    limit: number,
  ): Promise<readonly StoredGame[]>;

  /** Proofs whose game is not known, oldest first. */
  unboundProofs(bridgeId: string, limit: number): Promise<readonly UnboundProof[]>;

  /** Games with proofs of withdrawals that are not over, with ids after this one, by id. */
  watchedGames(
    bridgeId: string,
    afterId: string,
    limit: number,
  ): Promise<readonly (StoredGame & { readonly hasOpenProofs: boolean })[]>;

  /** Withdrawals with changed facts, or whose time on L1's clock has come. */
  due(bridgeId: string, chainTimeMs: number, limit: number): Promise<readonly DueWithdrawal[]>;

  /** Stores the findings of a round, in one transaction. False, and nothing is stored, when the lease was lost or an epoch has ended. */
  settle(bridgeId: string, changes: WithdrawalChanges, terms: RoundTerms): Promise<boolean>;

  /**
   * Moves unproven withdrawals to `ready_to_prove` or back to `awaiting_state_root`, as their block is covered or not, at most `limit` each way. Makes withdrawals with
   * proofs of changed games due. Returns whether more may be left.
   */
  spread(
    bridgeId: string,
    coveredTo: number | undefined,
    nowMs: number,
    limit: number,
    terms: RoundTerms,
  ): Promise<boolean>;
};
