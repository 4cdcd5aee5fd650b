/** The part of the composition root that builds everything about Flow Apps. */

import type { Route } from './access/route.ts';
import type { Config } from './config.ts';
import type { Clock } from './platform/clock.ts';
import type { Log } from './platform/log.ts';
import type { News } from './platform/news.ts';
import type { Database } from './stores/sql/database.ts';

export type FlowParts = {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly randomBytes: (size: number) => Buffer;
  /** Names this process, new with each start. */
  readonly nodeId: string;
  /** Absent without Redis. */
  readonly news?: News | undefined;
};

export type Flow = {
  readonly routes: readonly Route[];
  /** Background jobs begin. */
  readonly start: () => void;
  /** Ends what would hold a drain up: streams are closed, their clients come back elsewhere. */
  readonly drain: () => void;
  /** Background jobs end; resolves when none writes any more. */
  readonly close: () => Promise<void>;
};

export async function openFlow(_config: Config, _parts: FlowParts): Promise<Flow> {
  return { routes: [], start: () => {}, drain: () => {}, close: async () => {} };
}
