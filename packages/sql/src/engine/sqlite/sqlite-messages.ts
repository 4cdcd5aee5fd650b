/** The messages between the engine and its worker, and the shared states that let either a deadline or a commit win, never both. */

import type { Row, SqlValue, Statement } from '../database.ts';
import type { Migration } from '../schema.ts';

export type OpenRequest = {
  readonly file: string;
  /** All migrations of the schema. */
  readonly migrations: readonly Migration[];
  /** True for the reading thread, which opens the writer's files on `join`. */
  readonly readsOnly: boolean;
  /** Absent at start. Afterwards the identity that the file must have; nothing is created or migrated then. */
  readonly identity?: string;
  readonly openTimeoutMs: number;
  readonly maxPages?: number;
  readonly reserveBytes: number;
  readonly states: Int32Array<SharedArrayBuffer>;
  /** Wall clock at start, for `applied_at`. */
  readonly nowMs: number;
};

export type WorkerRequest = {
  /** The request's index in the shared states. It identifies the request until it is answered. */
  readonly slot: number;
  readonly writes: boolean;
  /** A write with a longer deadline than writes that a request waits for; the latter go first. */
  readonly hasLongDeadline?: boolean;
  readonly usesReserve?: boolean;
  /** A commit that consists only of such requests is not synced. */
  readonly isLostWithPower?: boolean;
  readonly statements: readonly Statement[];
  readonly onlyIf?: Statement;
};

/** A statement as it is sent: its text, or the number of a text that was sent before. */
export type WireStatement = readonly [text: string | number, idleUnless: WireStatement | 0, ...values: SqlValue[]];

export type WireRequest = readonly [
  slot: number,
  flags: number,
  onlyIf: WireStatement | 0,
  ...statements: WireStatement[],
];

export type ToWorker =
  | { readonly open: OpenRequest }
  /** The message as the codec has made it. */
  | { readonly run: string | readonly WireRequest[] }
  | { readonly close: true }
  /** To the reader: open the database with this identity, or close it. The reader reports the outcome. */
  | { readonly join: { readonly identity: string } }
  | { readonly leave: true }
  /** To the writer: no other connection of this process is open. */
  | { readonly alone: true };

export type WorkerReply =
  | { readonly slot: number; readonly rows: readonly (readonly Row[])[] }
  | {
      readonly slot: number;
      readonly failure: 'unavailable' | 'bug' | 'elsewhere';
      readonly message: string;
      /** The commit was tried, and only the file shows whether it succeeded. */
      readonly mayBeStored: boolean;
    };

/** Messages that a thread sends without a call. */
export type Reported =
  /** The database stopped serving, or serves again. */
  | { readonly trouble: string | undefined }
  /** The reader has started and accepts `join`. */
  | { readonly isReady: true }
  /** The reader has the database open. */
  | { readonly hasFiles: true }
  /** The reader has no connection any more. */
  | { readonly hasLeft: true }
  /** The writer must examine the files, and no other connection may be open meanwhile: its log could be lost, or be replayed over another database. */
  | { readonly wantsToBeAlone: true };

export type FromWorker =
  | { readonly opened: { readonly identity: string } }
  | { readonly notOpened: { readonly unusable: boolean; readonly message: string } }
  | { readonly replies: string | readonly WorkerReply[] }
  | { readonly reported: Reported }
  | { readonly closed: true };

/**
 * The last element of the shared states, behind those of all requests: the state of the worker. While it is
 * `workerIdle` and a request waits, the machine has not scheduled the worker yet. `workerCommits`: it waits for the
 * disk, which syncs a commit.
 */
export const workerIdle = 0;
export const workerBusy = 1;
export const workerCommits = 2;

/**
 * A request's state. The engine changes `requestWaiting` to `requestAbandoned` when the deadline passes; the worker
 * changes it to `requestDone` once a commit is durable. Only the first of the two succeeds. So a caller receives
 * `Unavailable` exactly when the worker will not run its write, or when the engine will compensate it.
 */
export const requestWaiting = 0;
export const requestAbandoned = 1;
export const requestDone = 2;
