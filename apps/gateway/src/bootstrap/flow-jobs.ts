/** The background jobs of Flow Apps: each runs on one gateway at a time. */

import { errorPlace } from '@flowgate/base/text';
import { meteredLeadership } from '@flowgate/sql/coordination/metered-leadership';
import { type Leadership, runWhileLeader } from '@flowgate/sql/coordination/run-while-leader';
import { createSqlLeaseStore } from '@flowgate/sql/coordination/sql-lease-store';
import type { Database } from '@flowgate/sql/engine/database';
import { probeHealth } from '../flow/registry/probe-health.ts';
import type { RegistryStore } from '../flow/registry/registry-store.ts';
import type { VersionRecord } from '../flow/registry/version.ts';
import { expireSessions } from '../flow/sessions/expire-sessions.ts';
import { removeEndedSessions } from '../flow/sessions/remove-ended-sessions.ts';
import type { SessionDeps } from '../flow/sessions/session-deps.ts';
import { createSqlRetentionStore } from '../flow/sessions/sql-retention-store.ts';
import type { Runtime } from './runtime.ts';

const dayMs = 86_400_000;

/** Each job competes for its lease from the start. `retentionDays`: 0 stores sessions forever. */
export function flowJobs(
  {
    database,
    clock,
    log,
    nodeId,
    instruments,
  }: Pick<Runtime, 'clock' | 'log' | 'nodeId' | 'instruments'> & {
    readonly database: Database;
  },
  sessions: SessionDeps & { readonly registry: RegistryStore },
  retentionDays: number,
): readonly (() => Leadership)[] {
  const leases = createSqlLeaseStore(database);
  const lead = (name: string, work: (signal: AbortSignal) => Promise<void>) => () => {
    const leadership = runWhileLeader({
      leases,
      name,
      holder: nodeId,
      clock,
      work(_lease, signal) {
        log.info('flow.job.leading', { job: name });
        return work(signal);
      },
      onError: (error) => log.error('flow.job.failed', { job: name, ...errorPlace(error) }),
    });
    return meteredLeadership(leadership, instruments?.leader, name);
  };
  const probing = {
    store: sessions.registry,
    askHealth: (version: VersionRecord) => sessions.openApp(version).health(),
    clock,
    onChange: ({ appId, version }: Pick<VersionRecord, 'appId' | 'version'>, healthy: boolean) =>
      healthy ? log.info('flow.app.recovered', { appId, version }) : log.warn('flow.app.unhealthy', { appId, version }),
  };
  const retention = {
    store: createSqlRetentionStore(database),
    retentionMs: retentionDays * dayMs,
    // Below the limit, so that no user is refused because of ended sessions.
    fullBytes: sessions.bounds.userBytes * 0.75,
    clock,
    log,
  };
  return [
    lead('flow health probes', (signal) => probeHealth(probing, signal)),
    lead('flow session expiry', (signal) => expireSessions(sessions, signal)),
    ...(retentionDays === 0 ? [] : [lead('flow session removal', (signal) => removeEndedSessions(retention, signal))]),
  ];
}
