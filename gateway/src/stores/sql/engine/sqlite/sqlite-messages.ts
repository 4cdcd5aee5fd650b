/** What the engine and its worker say to each other, and the shared states by which a deadline and a commit cannot both win. */

import type { Row, SqlValue, Statement } from '../database.ts';
import type { Migration } from '../schema.ts';

export type OpenRequest = {
  readonly file: string;
  /** All of the schema's. */
  readonly migrations: readonly Migration[];
  /** The thread that reads: it opens what the one that writes has open, when it is told to `join`. */
  readonly readsOnly: boolean;
  /** Absent at start; afterwards the identity that the file must have, and nothing is created or migrated. */
  readonly identity?: string;
  readonly openTimeoutMs: number;
  readonly maxPages?: number;
  readonly reserveBytes: number;
  readonly states: Int32Array<SharedArrayBuffer>;
  /** Wall clock at start, for `applied_at`. */
  readonly nowMs: number;
};

export type WorkerRequest = {
  /** Index into the shared states, and the request's name until it is answered. */
  readonly slot: number;
  readonly writes: boolean;
  /** A write that has more time than those that a request waits for: they go first. */
  readonly isPatient?: boolean;
  readonly usesReserve?: boolean;
  /** A commit of such requests alone is not synced. */
  readonly isLostWithPower?: boolean;
  readonly statements: readonly Statement[];
  readonly onlyIf?: Statement;
};

/** As it travels: its text, or the number of a text that was sent before. */
export type WireStatement = readonly [text: string | number, idleUnless: WireStatement | 0, ...values: SqlValue[]];

export type WireRequest = readonly [
  slot: number,
  flags: number,
  onlyIf: WireStatement | 0,
  ...statements: WireStatement[],
];

export type ToWorker =
  | { readonly open: OpenRequest }
  /** Made by the codec, as JSON text or not. */
  | { readonly run: string | readonly WireRequest[] }
  | { readonly close: true }
  /** To the reader: open the database with this identity, or close it. It says what came of it. */
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
      /** Its commit was tried, and how that ended only the file knows. */
      readonly mayBeStored: boolean;
    };

/** What a thread says unasked. */
export type Told =
  /** The database stopped serving, or serves again. */
  | { readonly trouble: string | undefined }
  /** The reader has started and can be told to join. */
  | { readonly isReady: true }
  /** It has the database open. */
  | { readonly hasFiles: true }
  /** The reader has no connection any more. */
  | { readonly hasLeft: true }
  /** The writer has to look at the files anew, which no other connection may have open then: its log could be lost, or read over another database. */
  | { readonly wantsToBeAlone: true };

export type FromWorker =
  | { readonly opened: { readonly identity: string } }
  | { readonly notOpened: { readonly unusable: boolean; readonly message: string } }
  | { readonly replies: string | readonly WorkerReply[] }
  | { readonly told: Told }
  | { readonly closed: true };

/** Behind the states of all requests: whether the worker has something to do, as far as it knows. While it is `workerIdle` and a request waits, the machine has not let it run yet. */
export const workerIdle = 0;
export const workerBusy = 1;

/**
 * A request's state. The engine moves `requestWaiting` to `requestAbandoned` when the deadline passes, the worker moves it to `requestDone` once a commit is durable; the second one sees what the
 * first did. So a caller is told `Unavailable` exactly when the worker will not run its write, or the engine will undo it.
 */
export const requestWaiting = 0;
export const requestAbandoned = 1;
export const requestDone = 2;
