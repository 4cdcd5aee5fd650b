/** A database thread's replies to its calls, and the shared states that let either a call's deadline or its commit win, never both. */

import type { Row } from '../database.ts';
import type { SqliteFault } from './sqlite-errors.ts';
import {
  requestAbandoned,
  requestDone,
  requestWaiting,
  type WorkerReply,
  type WorkerRequest,
  workerBusy,
  workerCommits,
  workerIdle,
} from './sqlite-messages.ts';

export class SqliteReplies {
  readonly #states: Int32Array<SharedArrayBuffer>;
  /** The reply when this thread cannot serve now. */
  readonly #failure: 'unavailable' | 'elsewhere';
  #replies: WorkerReply[] = [];

  constructor(states: Int32Array<SharedArrayBuffer>, failure: 'unavailable' | 'elsewhere') {
    this.#states = states;
    this.#failure = failure;
  }

  /** Whether the deadline of the call has passed. */
  isAbandoned({ slot }: WorkerRequest): boolean {
    return Atomics.load(this.#states, slot) === requestAbandoned;
  }

  /** Replies to requests whose deadline has passed, so that their slots are free again, and returns the others. */
  awaited(requests: readonly WorkerRequest[]): WorkerRequest[] {
    return requests.filter((request) => {
      if (!this.isAbandoned(request)) return true;
      this.fail(request, 'past its deadline');
      return false;
    });
  }

  /** When the deadline came first, the caller received an error: the engine compensates the write. */
  succeed({ slot }: WorkerRequest, rows: readonly (readonly Row[])[]): void {
    Atomics.compareExchange(this.#states, slot, requestWaiting, requestDone);
    this.#replies.push({ slot, rows });
  }

  fail({ slot }: WorkerRequest, message: string, fault: SqliteFault = 'broken', mayBeStored = false): void {
    const failure = fault === 'bug' ? 'bug' : this.#failure;
    this.#replies.push({ slot, failure, message, mayBeStored });
  }

  /** Returns the replies since the last call. */
  take(): readonly WorkerReply[] {
    const taken = this.#replies;
    this.#replies = [];
    return taken;
  }

  /** Sets the state by which the engine extends the deadline of a thread that has work but was not scheduled. */
  noteWork(isThere: boolean): void {
    this.#noteState(isThere ? workerBusy : workerIdle);
  }

  /** Runs `commit`. Meanwhile the engine knows that the thread waits for the disk. */
  whileCommitting(commit: () => void): void {
    this.#noteState(workerCommits);
    try {
      commit();
    } finally {
      this.#noteState(workerBusy);
    }
  }

  #noteState(state: number): void {
    Atomics.store(this.#states, this.#states.length - 1, state);
  }
}
