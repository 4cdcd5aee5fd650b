/** What a database thread answers to its calls, and the shared states by which a call's deadline and its commit cannot both win. */

import type { Row } from '../database.ts';
import type { SqliteFault } from './sqlite-errors.ts';
import {
  requestAbandoned,
  requestDone,
  requestWaiting,
  type WorkerReply,
  type WorkerRequest,
  workerBusy,
  workerIdle,
} from './sqlite-messages.ts';

/** In place of a slot, when no caller waits: an undo. */
export const nobody = -1;

export class SqliteReplies {
  readonly #states: Int32Array<SharedArrayBuffer>;
  /** What a call is told that this thread cannot serve now. */
  readonly #failure: 'unavailable' | 'elsewhere';
  #replies: WorkerReply[] = [];

  constructor(states: Int32Array<SharedArrayBuffer>, failure: 'unavailable' | 'elsewhere') {
    this.#states = states;
    this.#failure = failure;
  }

  /** Whether the deadline of the call has passed. */
  isAbandoned({ slot }: WorkerRequest): boolean {
    return slot !== nobody && Atomics.load(this.#states, slot) === requestAbandoned;
  }

  /** Answers those whose deadline has passed, so that their slots are free again; gives the others. */
  awaited(requests: readonly WorkerRequest[]): WorkerRequest[] {
    return requests.filter((request) => {
      if (!this.isAbandoned(request)) return true;
      this.fail(request, 'past its deadline');
      return false;
    });
  }

  /** `false` when the deadline was first: the caller was told that the call failed. */
  succeed({ slot }: WorkerRequest, rows: readonly (readonly Row[])[]): boolean {
    if (slot === nobody) return true;
    const before = Atomics.compareExchange(this.#states, slot, requestWaiting, requestDone);
    this.#replies.push({ slot, rows });
    return before !== requestAbandoned;
  }

  fail({ slot }: WorkerRequest, message: string, fault: SqliteFault = 'broken'): void {
    const failure = fault === 'bug' ? 'bug' : this.#failure;
    if (slot !== nobody) this.#replies.push({ slot, failure, message });
  }

  /** Those since the last time. */
  take(): readonly WorkerReply[] {
    const taken = this.#replies;
    this.#replies = [];
    return taken;
  }

  /** For the engine, which waits longer for a thread that has work and was not run. */
  noteWork(isThere: boolean): void {
    Atomics.store(this.#states, this.#states.length - 1, isThere ? workerBusy : workerIdle);
  }
}
