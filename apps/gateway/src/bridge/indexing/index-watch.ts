/** What the indexer reports to operators: log lines and metrics. */

import type { ReadFault } from './range-reader.ts';

/** `disagreement`: nodes have different blocks; `storage`: the database does not answer. */
export type IndexFault = ReadFault | 'disagreement' | 'storage';

/** The events of one stream. */
export type IndexWatch = {
  /** `blocks` is their number, `to` the last of them. */
  readonly stored: (range: {
    readonly blocks: number;
    readonly to: number;
    readonly logs: number;
    readonly head: number;
  }) => void;
  readonly reorganized: (change: { readonly keep: number; readonly depth: number }) => void;
  readonly failed: (fault: IndexFault, reason: string) => void;
  /** A node omitted logs, which were found in another way. */
  readonly holes: (nodeId: string, blocks: number) => void;
  /** All blocks that nodes show were read. */
  readonly caughtUp: (seen: { readonly nextBlock: number; readonly head: number }) => void;
  /** A bug. */
  readonly error: (error: unknown) => void;
  /** This process no longer leads. */
  readonly ended: () => void;
};
