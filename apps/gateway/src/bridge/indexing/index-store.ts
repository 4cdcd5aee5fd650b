/** The storage interface of the indexer. Every engine passes `bridge/indexing/index-store.contract.ts`. */

import type { Lease } from '@flowgate/sql/coordination/lease-store';
import type { RangeFacts } from '../facts/range-facts.ts';

/** How far a stream has got. */
export type StreamState = {
  readonly streamId: string;
  /** The next block to be read: everything below it is stored. */
  readonly nextBlock: number;
  /** Grows whenever blocks are read again (a reorganization, `reindex`): what was read from the chain under an earlier one may be of blocks that are lost. */
  readonly epoch: number;
  /** The last block of which something may be stored although it is read again (`reindex`): what is not found again is lost. Absent when nothing is read again. */
  readonly rereadTo?: number;
  /** The chain's head when it was read last, and the time of its block; undefined before that. */
  readonly head?: { readonly number: number; readonly hash: string; readonly timeMs: number };
  /** When the head was read last, on the gateway's clock: since then nothing is known. */
  readonly readAtMs?: number;
  /** What keeps the stream from going on, for operators; absent when nothing does. */
  readonly trouble?: string;
};

/** A block that was read: its hash tells whether it still is part of the chain. */
export type ReadBlock = { readonly number: number; readonly hash: string };

/** A stream as it was when blocks of it were read. */
export type StreamPosition = Pick<StreamState, 'nextBlock' | 'epoch' | 'rereadTo'>;

/** Whose logs they are: the stream, its bridge (of pools: `swaps`), and its network. */
export type StreamPlace = {
  readonly streamId: string;
  readonly bridgeId: string;
  readonly dlt: string;
  readonly networkId: string;
};

export type RangeCommit = {
  readonly stream: StreamPlace;
  readonly state: StreamPosition;
  /** The last block of the range. */
  readonly to: number;
  readonly facts: RangeFacts;
  /** Hashes to be remembered: at least that of the last block. Blocks that are old by then are forgotten, except for some, so that a deep reorganization finds one that it left alone. */
  readonly blocks: readonly ReadBlock[];
  /** What is noted of the head at the same time. */
  readonly seen?: Pick<StreamState, 'head' | 'readAtMs'>;
  readonly nowMs: number;
};

/** Every method throws `Unavailable` when the storage does not answer in time; what it was to do may have been done or not, and repeating is safe. */
export type IndexStore = {
  /** The streams that have been begun. */
  states(): Promise<readonly StreamState[]>;

  /** Begins the stream at its start block, unless it was begun before. Undefined when the lease was lost. */
  begin(streamId: string, startBlock: number, lease: Lease): Promise<StreamState | undefined>;

  /** The newest remembered blocks, the newest first. */
  blocks(streamId: string, limit: number): Promise<readonly ReadBlock[]>;

  /**
   * Stores a range in one transaction: facts, hashes and the next block. False, and nothing is stored, when the lease was lost, or the stream is not at `state` any more. A fact that is known
   * already, by its transaction and its place there, keeps its id and gets its new block.
   */
  commit(range: RangeCommit, lease: Lease): Promise<boolean>;

  /** Undoes what blocks above `keep` brought, in one transaction: the stream continues at `keep + 1`, in a new epoch. False as for `commit`. */
  undo(streamId: string, state: StreamPosition, keep: number, nowMs: number, lease: Lease): Promise<boolean>;

  /** Who leads by the lease of this name, while somebody does: the holder's name. */
  leader(leaseName: string): Promise<string | undefined>;

  /** Notes the head, when one is given, and what keeps the stream from it: nothing unless it is given. */
  note(streamId: string, seen: Pick<StreamState, 'head' | 'readAtMs' | 'trouble'>, lease: Lease): Promise<void>;

  /**
   * Lets the leader read a stream again from this block on, or from the nearest remembered one below it; what is not found again is lost. Whoever asks need not be the leader. Returns the first block
   * that is read again; undefined for a stream that was never begun.
   */
  reindex(streamId: string, from: number): Promise<number | undefined>;
};
