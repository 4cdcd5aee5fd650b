/** Opens administration: the audit log, maintenance, limits of single users, and other users' keys. */

import { messageOf } from '@flowgate/base/text';
import { Unavailable } from '@flowgate/base/unavailable';
import { createSharedCopy } from '@flowgate/sql/coordination/shared-copy';
import type { Maintenance } from '../api/maintenance.ts';
import { auditRoutes } from '../audit/audit-routes.ts';
import { createSqlAuditLogStore } from '../audit/sql-audit-log-store.ts';
import type { Config } from '../config/config.ts';
import { maxActiveKeys } from '../identity/keys/mint-key.ts';
import { userKeyRoutes } from '../identity/keys/user-key-routes.ts';
import { createSqlUserListStore } from '../identity/users/sql-user-list-store.ts';
import { userRoutes } from '../identity/users/user-routes.ts';
import { createSqlUserLimitsStore } from '../limits/sql-user-limits-store.ts';
import type { KnownUserLimits } from '../limits/user-limits.ts';
import { userLimitsRoutes } from '../limits/user-limits-routes.ts';
import { maintenanceNotice } from '../maintenance/maintenance-notice.ts';
import { maintenanceRoutes } from '../maintenance/maintenance-routes.ts';
import { createSqlMaintenanceStore } from '../maintenance/sql-maintenance-store.ts';
import type { Access } from './open-access.ts';
import type { Ledgers } from './open-ledgers.ts';
import { type ModuleHooks, moduleHooks } from './open-modules.ts';
import type { Sharing } from './open-sharing.ts';
import type { Storage } from './open-storage.ts';
import type { Usage } from './open-usage.ts';
import type { Runtime } from './runtime.ts';

export type Administration = {
  /** What the edge checks for each request. */
  readonly maintenance: Maintenance;
  readonly hooks: ModuleHooks;
};

type Modules = {
  readonly storage: Storage;
  readonly sharing: Sharing;
  readonly access: Access;
  readonly ledgers: Ledgers;
  /** Filled here; the limiter already uses it. */
  readonly userLimits: KnownUserLimits;
  readonly usage: Usage;
};

const lookMs = 1_000;

/** Settings stored before the start apply from the start. */
export async function openAdministration(
  { limits }: Pick<Config, 'limits'>,
  { clock, log }: Runtime,
  modules: Modules,
): Promise<Administration> {
  const { database, audited } = modules.storage;
  const { pubSub } = modules.sharing;
  const maintenance: Maintenance = { current: undefined };
  const maintenanceStore = createSqlMaintenanceStore(database, audited);
  const limitsStore = createSqlUserLimitsStore(database, audited, clock);
  const maintenanceCopy = createSharedCopy({
    name: 'maintenance',
    readRevision: maintenanceStore.revision,
    load: maintenanceStore.load,
    onLoad: look,
    ...{ pubSub, clock, log },
  });
  function look(): void {
    maintenance.current = maintenanceNotice(maintenanceCopy.current(), clock.now());
  }
  const limitsCopy = createSharedCopy({
    name: 'user limits',
    readRevision: limitsStore.revision,
    load: limitsStore.load,
    onLoad: (limits) => modules.userLimits.replace(limits),
    ...{ pubSub, clock, log },
  });
  await Promise.all([maintenanceCopy.reload(), limitsCopy.reload()]).catch((error: unknown) => {
    // The polls repeat it.
    if (!(error instanceof Unavailable)) throw error;
    log.warn('administration.not-loaded', { reason: messageOf(error) });
  });
  const running = new AsyncDisposableStack();
  const { networks } = modules.ledgers;
  return {
    maintenance,
    hooks: moduleHooks({
      routes: [
        ...auditRoutes({ log: createSqlAuditLogStore(database) }),
        ...maintenanceRoutes({
          maintenanceStore,
          maintenanceChanged: maintenanceCopy.changed,
          hasNetwork(name) {
            const [dlt = '', networkId = ''] = name.split('/');
            return networks.network(dlt, networkId) !== undefined;
          },
          current: maintenanceCopy.current,
          clock,
        }),
        ...userRoutes({ users: createSqlUserListStore(database), readLastDay: modules.usage.readLastDay, clock }),
        ...userLimitsRoutes({
          limitsStore,
          limitsChanged: limitsCopy.changed,
          configuredLimits: {
            ...{ userPerMinute: limits.userPerMinute, sessionPerMinute: limits.sessionPerMinute },
            ...{ maxActiveKeys, nodes: limits.nodesPerUser },
          },
        }),
        ...userKeyRoutes(modules.access.keys),
      ],
      start() {
        running.defer(maintenanceCopy.start());
        running.defer(limitsCopy.start());
        // Planned maintenance begins and ends within a second of its times.
        const timer = setInterval(look, lookMs);
        timer.unref();
        running.defer(() => clearInterval(timer));
      },
      close: () => running.disposeAsync(),
    }),
  };
}
