/** Opens administration: the audit log, maintenance, limits of single users, other people's keys. */

import { messageOf } from '@flowgate/base/text';
import { Unavailable } from '@flowgate/base/unavailable';
import { createSharedCopy } from '@flowgate/sql/coordination/shared-copy';
import { auditRoutes } from '../access/administration/audit-routes.ts';
import { maintenanceNotice } from '../access/administration/maintenance-notice.ts';
import { maintenanceRoutes } from '../access/administration/maintenance-routes.ts';
import { userKeyRoutes } from '../access/administration/user-key-routes.ts';
import { userLimitsRoutes } from '../access/administration/user-limits-routes.ts';
import { userRoutes } from '../access/administration/user-routes.ts';
import { maxActiveKeys } from '../access/mint-key.ts';
import type { KnownUserLimits } from '../access/user-limits.ts';
import type { Maintenance } from '../api/maintenance.ts';
import type { Config } from '../config/config.ts';
import { createSqlMaintenanceStore } from '../stores/sql/administration/maintenance-store.ts';
import { createSqlUserLimitsStore } from '../stores/sql/administration/user-limits-store.ts';
import { createSqlUserListStore } from '../stores/sql/administration/user-list-store.ts';
import { createSqlAuditLogStore } from '../stores/sql/audit/audit-log-store.ts';
import type { Access } from './access.ts';
import type { Ledgers } from './ledgers.ts';
import { type Part, part } from './part.ts';
import type { Sharing } from './sharing.ts';
import type { Storage } from './storage.ts';
import type { Surroundings } from './surroundings.ts';
import type { Usage } from './usage.ts';

export type Administration = {
  /** What the edge asks at each request. */
  readonly maintenance: Maintenance;
  readonly part: Part;
};

type Rooms = {
  readonly storage: Storage;
  readonly sharing: Sharing;
  readonly access: Access;
  readonly ledgers: Ledgers;
  /** Filled here; the limiter has it already. */
  readonly userLimits: KnownUserLimits;
  readonly usage: Usage;
};

const lookMs = 1_000;

/** What was set before the start is in force from the start on. */
export async function openAdministration(
  { limits }: Pick<Config, 'limits'>,
  { clock, log }: Surroundings,
  rooms: Rooms,
): Promise<Administration> {
  const { database, audited } = rooms.storage;
  const { pubSub } = rooms.sharing;
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
    onLoad: (limits) => rooms.userLimits.replace(limits),
    ...{ pubSub, clock, log },
  });
  await Promise.all([maintenanceCopy.reload(), limitsCopy.reload()]).catch((error: unknown) => {
    // The polls repeat it.
    if (!(error instanceof Unavailable)) throw error;
    log.warn('administration.not-loaded', { reason: messageOf(error) });
  });
  const running = new AsyncDisposableStack();
  const { networks } = rooms.ledgers;
  return {
    maintenance,
    part: part({
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
        ...userRoutes({ users: createSqlUserListStore(database), readLastDay: rooms.usage.readLastDay, clock }),
        ...userLimitsRoutes({
          limitsStore,
          limitsChanged: limitsCopy.changed,
          configuredLimits: {
            ...{ userPerMinute: limits.userPerMinute, sessionPerMinute: limits.sessionPerMinute },
            ...{ maxActiveKeys, nodes: limits.nodesPerUser },
          },
        }),
        ...userKeyRoutes(rooms.access.keys),
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
