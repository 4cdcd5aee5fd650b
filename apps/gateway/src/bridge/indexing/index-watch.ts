/** What the indexer tells operators: log lines and figures. */

import type { ReadFault } from './range-reader.ts';

/** `disagreement`: of nodes about a block; `storage`: the database does not answer. */
export type IndexFault = ReadFault | 'disagreement' | 'storage';

/** Of one stream. */
export type IndexWatch = {
  /** `blocks` of them, up to `to`. */
  readonly stored: (range: {
    readonly blocks: number;
    readonly to: number;
    readonly logs: number;
    readonly head: number;
  }) => void;
  readonly reorganized: (change: { readonly keep: number; readonly depth: number }) => void;
  readonly failed: (fault: IndexFault, reason: string) => void;
  /** A node left logs out, which were found otherwise. */
  readonly holes: (nodeId: string, blocks: number) => void;
  /** Everything that nodes show was read. */
  readonly caughtUp: (seen: { readonly nextBlock: number; readonly head: number }) => void;
  /** A bug. */
  readonly error: (error: unknown) => void;
  /** This process does not lead any more. */
  readonly ended: () => void;
};
