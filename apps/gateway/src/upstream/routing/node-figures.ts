/** What one gateway knows of a node by its own calls (contract/node-figures). */

import type { RecentFigures } from './recent-calls.ts';

/** The node's circuit breaker; `cooling-down` when that is closed and the node's `Retry-After` is not over. */
export type Circuit = {
  readonly state: 'closed' | 'open' | 'half-open' | 'cooling-down';
  /** Until the node is asked again; of `open` and `cooling-down`. */
  readonly retryAfterMs?: number;
};

export type NodeFigures = RecentFigures & {
  readonly circuit: Circuit;
  /** The newest block that it reported. Undefined for nodes of users, of which no gateway follows the head. */
  readonly head?: number | undefined;
  /** How far that was below the highest head of the network's other nodes when they were last compared. */
  readonly lagBlocks?: number | undefined;
};
