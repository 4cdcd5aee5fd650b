/** What a supervisor and its workers tell each other, over the channel that the runtime gives a child process. */

import type { Config } from '../config/config.ts';

/** `begin`: the configuration as the supervisor read it, so that a replacement has the same as those that it joins. */
export type ToWorker =
  | { readonly kind: 'begin'; readonly config: Config }
  | { readonly kind: 'drain'; readonly signal: string };

/** `listening`: it hears what it is told from now on. */
export type ToSupervisor = { readonly kind: 'listening' | 'serving' };
