/** What the engine and its worker say to each other, and the shared states by which a deadline and a commit cannot both win. */

import type { Row, Statement } from './database.ts';

export type OpenRequest = {
  readonly file: string;
  /** Absent at start; afterwards the identity that the file must have, and nothing is created or migrated. */
  readonly identity?: string;
  readonly openTimeoutMs: number;
  readonly maxPages?: number;
  readonly states: Int32Array<SharedArrayBuffer>;
  /** Wall clock at start, for `applied_at`. */
  readonly nowMs: number;
};

export type WorkerRequest = {
  /** Index into the shared states, and the request's name until it is answered. */
  readonly slot: number;
  readonly writes: boolean;
  readonly statements: readonly Statement[];
  readonly onlyIf?: Statement;
  readonly undo?: Statement;
};

export type ToWorker =
  | { readonly open: OpenRequest }
  | { readonly run: readonly WorkerRequest[] }
  | { readonly close: true };

export type WorkerReply =
  | { readonly slot: number; readonly rows: readonly (readonly Row[])[] }
  | { readonly slot: number; readonly failure: 'unavailable' | 'bug'; readonly message: string };

export type FromWorker =
  | { readonly opened: { readonly identity: string } }
  | { readonly notOpened: { readonly unusable: boolean; readonly message: string } }
  | { readonly replies: readonly WorkerReply[] }
  | { readonly trouble: string | undefined }
  | { readonly closed: true };

/**
 * A request's state. The engine moves WAITING to ABANDONED when the deadline passes, the worker moves WAITING to DONE once a commit is durable; whoever is second sees the
 * first's. So a caller is told `Unavailable` exactly when the worker will not run, or will undo, its write.
 */
export const WAITING = 0;
export const ABANDONED = 1;
export const DONE = 2;
