/** Figures of a node from the calls of this gateway (contract/node-figures). */

import type { RecentFigures } from './recent-calls.ts';

/** The state of the node's circuit breaker; `cooling-down` if it is closed and the node's `Retry-After` is not over. */
export type Circuit = {
  readonly state: 'closed' | 'open' | 'half-open' | 'cooling-down';
  /** Milliseconds until the node is asked again; with `open` and `cooling-down`. */
  readonly retryAfterMs?: number;
};

export type NodeFigures = RecentFigures & {
  readonly circuit: Circuit;
  /** The newest block that the node reported. Undefined for nodes of users, whose heads the gateway does not follow. */
  readonly head?: number | undefined;
  /** Blocks between the node's head and the highest head of the network's other nodes, at the last comparison. */
  readonly lagBlocks?: number | undefined;
};
