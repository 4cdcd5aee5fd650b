/** The storage interface of withdrawals. Every engine passes `bridge/withdrawals/withdrawal-store.contract.ts`. */

import type { Position } from '@flowgate/base/page';
import type { RoundTerms } from '../indexing/settler.ts';
import type { RecordTerms } from '../lists/record-query.ts';
import type { GameState, GameStatus, PortalTerms } from './classify-withdrawal.ts';
import type { WithdrawalFailure, WithdrawalRecord, WithdrawalStatus } from './withdrawal.ts';

/** As the portal takes it: addresses in lower case, numbers decimal. */
export type StoredTuple = {
  readonly nonce: string;
  readonly sender: string;
  readonly target: string;
  readonly value: string;
  readonly gasLimit: string;
  readonly data: string;
};

/** What the portal and the factory of a bridge said when they were read last. */
export type PortalState = PortalTerms & {
  readonly bridgeId: string;
  readonly isPaused: boolean;
  /** The newest L2 block of which a usable root is posted. */
  readonly coveredTo?: number;
};

/** A proof of which it is not known yet against which game. */
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
  /** On L1, where it was created. */
  readonly blockNumber: number;
  readonly l2BlockNumber: number;
  /** Whether the state was ever read. */
  readonly isRead: boolean;
};

/** A withdrawal that may have come further, with all that decides it. */
export type DueWithdrawal = {
  readonly withdrawal: WithdrawalRecord & { readonly revision: number };
  /** Who signed the L2 transaction, and its nonce. */
  readonly signer: { readonly address: string; readonly nonce: number };
  readonly finalization:
    | { readonly isSuccess: boolean; readonly transactionHash: string; readonly blockNumber: number }
    | undefined;
  /** With the game, where it was read; of each submitter the latest. */
  readonly proofs: readonly {
    readonly submitter: string;
    readonly transactionHash: string;
    readonly provenAtMs: number;
    /** Whether it is known against which game it is; undefined afterwards for a game that is not known. */
    readonly isBound: boolean;
    readonly game: StoredGame | undefined;
  }[];
};

export type GameTerms = { readonly gameType: number; readonly createdFrom: number };

export type WithdrawalChanges = {
  readonly portal?: PortalState;
  /** `game` undefined: a later proof of the submitter has taken its place. */
  readonly bindings?: readonly { readonly proof: UnboundProof; readonly game: string | undefined }[];
  readonly games?: readonly {
    readonly gameId: string;
    readonly status: GameStatus;
    readonly isChallenged: boolean;
    readonly resolvedAt: number;
    readonly clockSeconds: number;
    readonly isBlacklisted: boolean;
    /** The L1 block at which it was read. */
    readonly blockNumber: number;
  }[];
  /** Games that no open proof is of any more. */
  readonly unwatched?: readonly string[];
  /** Of all games with open proofs: their withdrawals are due. */
  readonly isEveryProofDue?: boolean;
  readonly evaluations?: readonly {
    readonly withdrawalId: string;
    /** As it was read: a withdrawal of which more was stored meanwhile stays due. */
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

/** Every method throws `Unavailable` when the storage does not answer in time; what it was to do may have been done or not, and repeating is safe. */
export type WithdrawalStore = {
  /** In which any of these addresses stands, newest first, by `createdAtMs` and id; each once. */
  list(
    terms: RecordTerms<WithdrawalStatus>,
  ): Promise<{ readonly records: readonly WithdrawalRecord[]; readonly next?: Position }>;

  find(withdrawalId: string): Promise<WithdrawalRecord | undefined>;

  /** Those that are there, in any order. */
  byIds(withdrawalIds: readonly string[]): Promise<readonly WithdrawalRecord[]>;

  /** By which it is proven and finalized. */
  tuple(withdrawalId: string): Promise<StoredTuple | undefined>;

  /** Of these bridges; one whose L1 was never held against it is left out. */
  portals(bridgeIds: readonly string[]): Promise<readonly PortalState[]>;

  /** Games of this type, not older than `createdFrom` (seconds), that were neither lost nor blacklisted when they were read last: those that cover the newest blocks of L2 first. `to`: none that is about a later block of L2. */
  newestGames(
    bridgeId: string,
    terms: GameTerms & { readonly to?: number },
    limit: number,
  ): Promise<readonly StoredGame[]>;

  /** Of the same, those about L2 blocks from `from` to `to`: those about the oldest block first. */
  gamesAbout(
    bridgeId: string,
    terms: GameTerms,
    blocks: { readonly from: number; readonly to: number },
    limit: number,
  ): Promise<readonly StoredGame[]>;

  /** Proofs whose game is not known, the oldest first. */
  unboundProofs(bridgeId: string, limit: number): Promise<readonly UnboundProof[]>;

  /** Games with proofs of withdrawals that are not over, after this id and in their order. */
  watchedGames(
    bridgeId: string,
    afterId: string,
    limit: number,
  ): Promise<readonly (StoredGame & { readonly hasOpenProofs: boolean })[]>;

  /** Withdrawals whose facts have changed, or whose time on L1's clock has come. */
  due(bridgeId: string, chainTimeMs: number, limit: number): Promise<readonly DueWithdrawal[]>;

  /** Writes what a round found, in one transaction. Nothing, and false, when the lease was lost or an epoch is over. */
  settle(bridgeId: string, changes: WithdrawalChanges, terms: RoundTerms): Promise<boolean>;

  /** Brings unproven withdrawals to `ready_to_prove` or back to `awaiting_state_root`, as their block is covered or not, at most `limit` each way, and lets withdrawals with proofs of changed games be due. Returns whether more may be left. */
  spread(
    bridgeId: string,
    coveredTo: number | undefined,
    nowMs: number,
    limit: number,
    terms: RoundTerms,
  ): Promise<boolean>;
};
