/**
 * One thread with an SQLite connection: sends it calls in batches, answers each within its deadline, and starts another
 * thread when it ends.
 */

import { settledWithin } from '@flowgate/async/bounded-waits';
import { startLoopDeadline } from '@flowgate/async/loop-deadline';
import { Unavailable } from '@flowgate/base/unavailable';
import type { Row, Statement } from '../database.ts';
import { UnusableDatabase } from '../unusable-database.ts';
import { decodeReplies, RequestEncoder } from './sqlite-codec.ts';
import {
  type FromWorker,
  type OpenRequest,
  type Reported,
  requestAbandoned,
  requestWaiting,
  type ToWorker,
  type WorkerReply,
  type WorkerRequest,
  workerCommits,
  workerIdle,
} from './sqlite-messages.ts';

export type ThreadOptions = {
  readonly spawn: () => Worker;
  /** The data for each start of the thread; it has no identity at the first start. */
  readonly openRequest: () => Omit<OpenRequest, 'states'>;
  /** Gets every message of the thread that is not a reply. */
  readonly onReported: (reported: Reported) => void;
  /** The thread ended by itself. Another one is started, unless it had never opened the database. */
  readonly onEnded: () => void;
  /**
   * A call failed for its caller, but it may have been executed; `undo` was given with it. From now on it cannot be
   * executed any more.
   */
  readonly onUnknownOutcome: (undo: readonly Statement[]) => void;
};

/** The thread has no connection now; the other one may serve the call. */
export class Elsewhere extends Error {}

/** The maximum number of calls in progress. Beyond that the database is behind, and further calls fail at once. */
const maxWaiting = 4_096;
/** The maximum number of deadlines that a call waits while the thread is not scheduled or waits for the disk. */
const maxPeriods = 4;
const restartPauseMs = 100;

type Rows = readonly (readonly Row[])[];

type Waiting = {
  readonly resolve: (rows: Rows) => void;
  readonly reject: (error: Error) => void;
  stop: () => void;
};

export class SqliteThread {
  readonly #options: ThreadOptions;
  #worker: Worker | undefined;
  #hasOpened = false;
  #closed = false;
  #states = new Int32Array(new SharedArrayBuffer(0));
  #free: number[] = [];
  #waiting = new Map<number, Waiting>();
  #outbox: WorkerRequest[] = [];
  /** The calls by slot, until the worker has replied; including those whose caller no longer waits. */
  #undos = new Map<number, readonly Statement[]>();
  /** Encodes the messages to this thread. */
  #encoder = new RequestEncoder();
  #onClosed: (() => void) | undefined;
  #onAllReplied: (() => void) | undefined;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /** Resolves with the database's identity: at start, once it is open; later threads open it on demand. */
  open(): Promise<string> {
    const { spawn, openRequest, onReported } = this.#options;
    const worker = spawn();
    this.#worker = worker;
    this.#encoder = new RequestEncoder();
    this.#states = new Int32Array(new SharedArrayBuffer((maxWaiting + 1) * Int32Array.BYTES_PER_ELEMENT));
    this.#free = Array.from({ length: maxWaiting }, (_, at) => maxWaiting - 1 - at);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const request = openRequest();
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if ('replies' in data) for (const reply of decodeReplies(data.replies)) this.#settle(reply);
      else if ('reported' in data) onReported(data.reported);
      else if ('closed' in data) this.#onClosed?.();
      else if ('opened' in data) {
        this.#hasOpened = true;
        resolve(data.opened.identity);
      } else {
        this.#closed = true;
        this.#abandonWorker(data.notOpened.message);
        worker.terminate();
        const text = `${request.file}: ${data.notOpened.message}`;
        reject(data.notOpened.unusable ? new UnusableDatabase(text) : new Unavailable('database', text));
      }
    };
    worker.addEventListener('close', () => {
      if (this.#worker !== worker) return;
      reject(new Unavailable('database', 'its thread ended while opening'));
      this.#restart();
    });
    this.post({ open: { ...request, states: this.#states } });
    return promise;
  }

  call(request: Omit<WorkerRequest, 'slot'>, deadlineMs: number, undo?: readonly Statement[]): Promise<Rows> {
    if (this.#closed || this.#worker === undefined)
      return Promise.reject(new Unavailable('database', this.#closed ? 'closed' : 'restarting'));
    const slot = this.#free.pop();
    if (slot === undefined)
      return Promise.reject(new Unavailable('database', `${maxWaiting} calls are waiting already`));
    const { promise, resolve, reject } = Promise.withResolvers<Rows>();
    Atomics.store(this.#states, slot, requestWaiting);
    const stop = startLoopDeadline(deadlineMs, () => this.#abandonOrWait(slot, deadlineMs, 1));
    this.#waiting.set(slot, { resolve, reject, stop });
    if (undo !== undefined) this.#undos.set(slot, undo);
    // Calls of one turn of the event loop share a message, from any request, because each message wakes a thread.
    if (this.#outbox.push({ slot, ...request }) === 1) setImmediate(() => this.#send());
    return promise;
  }

  /** Sends a message after the calls that were made before. */
  post(message: ToWorker): void {
    this.#send();
    this.#worker?.postMessage(message);
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /** Resolves when every call was replied to, including those whose caller no longer waits. */
  allReplied(): Promise<void> {
    if (this.#worker === undefined || this.#free.length === maxWaiting) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onAllReplied = resolve;
    return promise;
  }

  /** Waits for the calls in progress, for `timeoutMs` at most. */
  async close(timeoutMs: number): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const worker = this.#worker;
    if (worker === undefined) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onClosed = resolve;
    this.post({ close: true });
    await settledWithin(timeoutMs, promise);
    this.#abandonWorker('closed');
    worker.terminate();
  }

  #send(): void {
    const run = this.#outbox;
    if (run.length === 0) return;
    this.#outbox = [];
    this.#worker?.postMessage({ run: this.#encoder.encode(run) } satisfies ToWorker);
  }

  /**
   * A thread that the machine has not scheduled since the call was made is not at fault, and one that commits waits for
   * the disk: a failure then would only compensate a write that the disk stores a moment later. The call waits in both
   * cases, for at most `maxPeriods`. Once the thread runs, it gets the time that it would have had.
   */
  #abandonOrWait(slot: number, deadlineMs: number, period: number, hasRun = false): void {
    const waiting = this.#waiting.get(slot);
    if (waiting === undefined) return;
    const state = Atomics.load(this.#states, maxWaiting);
    const runs = state !== workerIdle && state !== workerCommits;
    const isWaitedFor = !runs || (period > 1 && !hasRun);
    if (period < maxPeriods && isWaitedFor)
      waiting.stop = startLoopDeadline(deadlineMs, () => this.#abandonOrWait(slot, deadlineMs, period + 1, runs));
    else this.#abandon(slot, deadlineMs);
  }

  /**
   * When the worker has just finished, the call succeeds, because its reply is in flight: a blocked event loop fails no
   * call.
   */
  #abandon(slot: number, deadlineMs: number): void {
    if (Atomics.compareExchange(this.#states, slot, requestWaiting, requestAbandoned) !== requestWaiting) return;
    this.#waiting.get(slot)?.reject(new Unavailable('database', `no answer within ${deadlineMs} ms`));
    this.#waiting.delete(slot);
  }

  /** The slot is free only now, because the worker has finished with it. */
  #settle(reply: WorkerReply): void {
    this.#free.push(reply.slot);
    const waiting = this.#waiting.get(reply.slot);
    const undo = this.#undos.get(reply.slot);
    this.#undos.delete(reply.slot);
    const hasUnknownOutcome = 'rows' in reply ? waiting === undefined && reply.rows.length > 0 : reply.mayBeStored;
    if (undo !== undefined && hasUnknownOutcome) this.#options.onUnknownOutcome(undo);
    if (this.#free.length === maxWaiting) this.#onAllReplied?.();
    if (waiting === undefined) return;
    this.#waiting.delete(reply.slot);
    waiting.stop();
    if ('rows' in reply) waiting.resolve(reply.rows);
    else waiting.reject(errorOf(reply));
  }

  #abandonWorker(reason: string): void {
    this.#worker = undefined;
    for (const { reject, stop } of this.#waiting.values()) {
      stop();
      reject(new Unavailable('database', reason));
    }
    this.#waiting.clear();
    this.#outbox = [];
    for (const undo of this.#undos.values()) this.#options.onUnknownOutcome(undo);
    this.#undos.clear();
    this.#onAllReplied?.();
  }

  #restart(): void {
    this.#abandonWorker('its thread ended');
    this.#onClosed?.();
    if (this.#closed || !this.#hasOpened) return;
    this.#options.onEnded();
    setTimeout(() => {
      if (!this.#closed) this.open().catch(() => undefined);
    }, restartPauseMs);
  }
}

function errorOf({ failure, message }: Extract<WorkerReply, { readonly message: string }>): Error {
  if (failure === 'bug') return new Error(`SQL: ${message}`);
  return failure === 'elsewhere' ? new Elsewhere(message) : new Unavailable('database', message);
}
