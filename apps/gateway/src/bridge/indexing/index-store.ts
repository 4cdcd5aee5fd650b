/** The storage interface of the indexer. Every engine passes `bridge/indexing/index-store.contract.ts`. */

import type { Lease } from '@flowgate/sql/coordination/lease-store';
import type { RangeFacts } from '../facts/range-facts.ts';

/** The progress of a stream. */
export type StreamState = {
  readonly streamId: string;
  /** The next block to read: everything below it is stored. */
  readonly nextBlock: number;
  /** Grows whenever blocks are read again (a reorganization, `reindex`): data that was read under an earlier epoch may be of lost blocks. */
  readonly epoch: number;
  /** The last block with facts that are stored and read again (`reindex`): facts that are not found again are lost. Absent when nothing is read again. */
  readonly rereadTo?: number;
  /** The chain's head at the last read, and the time of its block; undefined before the first read. */
  readonly head?: { readonly number: number; readonly hash: string; readonly timeMs: number };
  /** The gateway's time when the head was last read. */
  readonly readAtMs?: number;
  /** The reason why the stream cannot continue, for operators; absent when it can. */
  readonly trouble?: string;
};

/** A block that was read: its hash shows whether it is still part of the chain. */
export type ReadBlock = { readonly number: number; readonly hash: string };

/** The state of a stream when blocks of it were read. */
export type StreamPosition = Pick<StreamState, 'nextBlock' | 'epoch' | 'rereadTo'>;

/** The stream, its bridge (for pools: `swaps`), and its network. */
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
  /** Hashes to remember: at least that of the last block. Older blocks are forgotten except for some, so that a deep reorganization finds one that it did not change. */
  readonly blocks: readonly ReadBlock[];
  /** The head, noted at the same time. */
  readonly seen?: Pick<StreamState, 'head' | 'readAtMs'>;
  readonly nowMs: number;
};

/** Every method throws `Unavailable` when the storage does not answer in time. The write may have happened or not; repeating is safe. */
export type IndexStore = {
  /** The streams that have begun. */
  states(): Promise<readonly StreamState[]>;

  /** Begins the stream at its start block, unless it has begun before. Undefined when the lease was lost. */
  begin(streamId: string, startBlock: number, lease: Lease): Promise<StreamState | undefined>;

  /** The newest remembered blocks, newest first. */
  blocks(streamId: string, limit: number): Promise<readonly ReadBlock[]>;

  /**
   * Stores a range in one transaction: facts, hashes and the next block. False, and nothing is stored, when the lease was lost or the stream is no longer at `state`. A
   * stored fact is known by its transaction and index; it retains its id and gets its new block.
   */
  commit(range: RangeCommit, lease: Lease): Promise<boolean>;

  /** Reverts the facts of blocks above `keep`, in one transaction: the stream continues at `keep + 1`, in a new epoch. False as for `commit`. */
  undo(streamId: string, state: StreamPosition, keep: number, nowMs: number, lease: Lease): Promise<boolean>;

  /** The name of the holder of this lease; undefined while there is none. */
  leader(leaseName: string): Promise<string | undefined>;

  /** Stores the head, if given, and the trouble; without one the stream has no trouble. */
  note(streamId: string, seen: Pick<StreamState, 'head' | 'readAtMs' | 'trouble'>, lease: Lease): Promise<void>;

  /**
   * Makes the leader read a stream again from this block, or from the nearest remembered one below it; facts that are not found again are lost. Any process may call it.
   * Returns the first block that is read again; undefined for a stream that never began.
   */
  reindex(streamId: string, from: number): Promise<number | undefined>;
};
