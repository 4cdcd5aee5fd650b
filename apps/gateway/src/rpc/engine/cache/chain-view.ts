/** The cache's view of a network's chain: whether it has changed since a call was sent, and whether an answer is still valid. */

import { BoundedMap } from '@flowgate/async/bounded-map';
import type { NetworkHeads } from '../../../upstream/heads/network-heads.ts';
import type { Basis } from './cached-answer.ts';
import type { Departure } from './in-flight-calls.ts';

export type SeenHeads = Pick<
  NetworkHeads,
  'head' | 'isFresh' | 'finalHeight' | 'hashAt' | 'heightOf' | 'reportedHeight' | 'observe'
>;

/** Hashes of lost blocks that are stored. */
const maxLost = 256;
/** Users whose latest submission is stored. When more users submit, every user counts as having submitted now. */
const maxSubmitters = 10_000;

export class ChainView {
  #tick = 0;
  #moment = 0;
  #turn = 0;
  /** The number of times that the chain lost blocks. */
  #losses = 0;
  /** Blocks that the chain has lost, the oldest first. */
  readonly #lost = new BoundedMap<string, true>(maxLost);
  #headHash: string | undefined;
  #reported: number | undefined;
  /** The tick since which each of the operator's nodes is known to have a height. */
  readonly #reached = new Map<string, { readonly height: number; readonly tick: number }>();
  readonly #submissions = new Map<string, number>();
  #submissionsFloor = 0;
  readonly close: () => void;

  constructor(
    private readonly heads: SeenHeads | undefined,
    private readonly nodeIds: readonly string[],
  ) {
    this.close =
      heads?.observe({
        changed: ({ removed }) => {
          this.#turn++;
          if (removed.length > 0) this.#losses++;
          for (const { hash } of removed) this.#lost.set(hash, true);
        },
        lost: () => {
          this.#turn++;
          this.#losses++;
        },
      }) ?? (() => {});
  }

  get losses(): number {
    return this.#losses;
  }

  /** Whether the chain is known to have lost this block. The block may be part of the chain again. */
  hasLost(hash: string): boolean {
    return this.#lost.has(hash);
  }

  /** Counts one more call, which is sent now. */
  departure(endMs: number): Departure {
    const moment = this.moment();
    return { tick: ++this.#tick, moment, turn: this.#turn, head: this.heads?.head(), endMs };
  }

  /** Changes when the head or the reported head changes. A caller does not join a call that was sent at an earlier moment. */
  moment(): number {
    const { heads } = this;
    if (heads === undefined) return this.#moment;
    const turn = this.turn();
    const reported = heads.reportedHeight();
    if (turn !== this.#momentTurn || reported !== this.#reported) {
      this.#momentTurn = turn;
      this.#reported = reported;
      this.#moment++;
    }
    return this.#moment;
  }

  #momentTurn = 0;

  /** Changes when the head changes, also when an earlier head returns. */
  turn(): number {
    const hash = this.heads?.head()?.hash;
    if (hash !== this.#headHash) {
      this.#headHash = hash;
      this.#turn++;
      for (const nodeId of this.nodeIds) this.#noteReached(nodeId);
    }
    return this.#turn;
  }

  /** Whether the node was known to have this block before the call was sent. A node without the block may answer with fewer results instead of an error. */
  hadReached(nodeId: string, height: number, { tick }: Departure): boolean {
    const known = this.#reached.get(nodeId);
    if (known !== undefined && known.height >= height) return known.tick <= tick;
    this.#noteReached(nodeId);
    return false;
  }

  #noteReached(nodeId: string): void {
    const height = this.heads?.heightOf(nodeId);
    // Only calls that are sent from now on count as later.
    if (height !== undefined) this.#reached.set(nodeId, { height, tick: this.#tick + 1 });
  }

  /** A transaction of this user was accepted. Reads that were sent before may not show it, so the user gets none of them. */
  noteSubmission(userId: string): void {
    if (this.#submissions.size >= maxSubmitters && !this.#submissions.has(userId)) {
      this.#submissions.clear();
      this.#submissionsFloor = this.#tick;
    }
    this.#submissions.set(userId, this.#tick);
  }

  /** Whether the user has submitted something since a call was sent. */
  hasSubmittedSince(userId: string, tick: number): boolean {
    return (this.#submissions.get(userId) ?? this.#submissionsFloor) >= tick;
  }

  /** Whether a user may get the answer with this basis. `lost`: no user may get it again. */
  evaluate(basis: Basis, tick: number, userId: string): 'holds' | 'not-now' | 'lost' {
    const { heads } = this;
    if (basis.kind === 'constant') return 'holds';
    if (heads === undefined) return 'lost';
    if (basis.kind === 'head') {
      if (basis.turn !== this.turn()) return 'lost';
      const isReported = (heads.reportedHeight() ?? 0) > basis.height;
      return heads.isFresh() && !isReported && !this.hasSubmittedSince(userId, tick) ? 'holds' : 'not-now';
    }
    const final = heads.finalHeight();
    if (basis.kind === 'final') return final !== undefined && basis.height <= final ? 'holds' : 'not-now';
    // A different block at the same height contradicts a block. A block of unknown height may be among the lost blocks.
    const known = basis.height === undefined ? undefined : heads.hashAt(basis.height);
    if (known !== undefined && known !== basis.hash) return 'lost';
    const mayBeLost = known === undefined && basis.losses !== this.#losses;
    if (basis.kind === 'hash') return mayBeLost && basis.height === undefined ? 'lost' : 'holds';
    if (mayBeLost) return 'lost';
    return (final !== undefined && basis.height <= final) || heads.isFresh() ? 'holds' : 'not-now';
  }
}
