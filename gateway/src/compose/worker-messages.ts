/** The messages between a supervisor and its workers, over the runtime's IPC channel of a child process. */

import type { Config } from '../config/config.ts';

/** `begin` carries the configuration as the supervisor read it, so that a replacement has the same one as the other workers. */
export type ToWorker =
  | { readonly kind: 'begin'; readonly config: Config }
  | { readonly kind: 'drain'; readonly signal: string };

/** `listening`: the worker receives messages from now on. */
export type ToSupervisor = { readonly kind: 'listening' | 'serving' };
