/** Opens usage: it is counted in memory, written every few seconds, and rolled up and deleted by one leader. */

import { errorPlace } from '@flowgate/base/text';
import { meteredLeadership } from '@flowgate/sql/coordination/metered-leadership';
import { runWhileLeader } from '@flowgate/sql/coordination/run-while-leader';
import { createSqlLeaseStore } from '@flowgate/sql/coordination/sql-lease-store';
import type { CountUse } from '../api/used.ts';
import type { Config } from '../config/config.ts';
import { keepUsage } from '../usage/keep-usage.ts';
import { createQuestionGate } from '../usage/question-gate.ts';
import { readCalls, type UsedCalls } from '../usage/read-calls.ts';
import { type LastDay, readLastDay } from '../usage/read-last-day.ts';
import { createSqlUsageStore } from '../usage/sql-usage-store.ts';
import { UsageCounter } from '../usage/usage-counter.ts';
import { usageRoutes } from '../usage/usage-routes.ts';
import { createUsageWriter } from '../usage/usage-writer.ts';
import { type ModuleHooks, moduleHooks } from './open-modules.ts';
import type { Storage } from './open-storage.ts';
import type { Runtime } from './runtime.ts';

export type Usage = {
  readonly count: CountUse;
  /** The user's calls of the last 24 hours. @throws Unavailable */
  readonly readCalls: (userId: string) => Promise<readonly UsedCalls[] | 'too-many' | 'busy'>;
  /** @throws Unavailable */
  readonly readLastDay: (userId: string) => Promise<LastDay>;
  readonly hooks: ModuleHooks;
};

export function openUsage(
  config: Pick<Config, 'usage'>,
  { clock, randomBytes, log, nodeId, instruments }: Runtime,
  { storage }: { readonly storage: Storage },
): Usage {
  const store = createSqlUsageStore(storage.database, randomBytes);
  const counter = new UsageCounter(clock);
  const writerId = nodeId.slice(0, 10);
  const writer = createUsageWriter({ counter, store, clock, log, writerId, dropped: instruments?.usageDropped });
  instruments?.usageWaiting.add([], () => counter.waiting);
  const running = new AsyncDisposableStack();
  const reading = { store, clock, gate: createQuestionGate() };
  return {
    count: counter.count,
    readCalls: (userId) => readCalls(reading, userId),
    readLastDay: (userId) => readLastDay(reading, userId),
    hooks: moduleHooks({
      routes: usageRoutes(reading),
      start() {
        // Modules that are closed before this one have answered all requests.
        running.defer(async () => {
          if (!(await writer.flush())) log.warn('usage.lost', { counts: counter.waiting });
        });
        running.defer(writer.start(config.usage.writeSeconds * 1_000));
        const job = 'usage';
        const leadership = runWhileLeader({
          leases: createSqlLeaseStore(storage.database),
          name: job,
          holder: nodeId,
          clock,
          work: (lease, signal) => keepUsage({ store, clock }, lease, signal),
          onError: (error) => log.error('usage.keeping-failed', errorPlace(error)),
        });
        running.defer(meteredLeadership(leadership, instruments?.leader, job).stop);
      },
      close: () => running.disposeAsync(),
    }),
  };
}
