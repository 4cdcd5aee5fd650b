/** Every table of the schema, in the order in which `flowgate migrate-data` copies them, and those that it does not copy. */

import { leasesTable } from '@flowgate/sql/coordination/leases-table';
import { outboxPartitionsTable, outboxTable } from '@flowgate/sql/coordination/outbox-tables';
import { revisionsTable } from '@flowgate/sql/coordination/revisions-table';
import type { Table } from '@flowgate/sql/engine/table';
import { maintenanceTable } from './administration/maintenance-table.ts';
import { userLimitsTable } from './administration/user-limits-table.ts';
import { auditChainsTable, auditEntriesTable } from './audit/audit-tables.ts';
import { bridgeDepositsTable, bridgeRelaysTable } from './bridge/deposit-tables.ts';
import { bridgeBlocksTable, bridgeStreamsTable } from './bridge/index-tables.ts';
import { bridgeSwapsTable } from './bridge/swap-table.ts';
import { bridgeTokenPairsTable, bridgeTokensTable } from './bridge/token-tables.ts';
import {
  bridgeFinalisationsTable,
  bridgeGamesTable,
  bridgePortalsTable,
  bridgeProofsTable,
  bridgeWithdrawalsTable,
} from './bridge/withdrawal-tables.ts';
import { deploymentsTable } from './deployments/deployments-table.ts';
import { policiesTable, policyOwnersTable } from './firewall/firewall-tables.ts';
import { appDataTable } from './flow/flow-app-data-table.ts';
import { eventsTable } from './flow/flow-event-table.ts';
import { paymentsTable } from './flow/flow-payment-table.ts';
import { appsTable, publishersTable, versionsTable } from './flow/flow-registry-tables.ts';
import { secretMarksTable } from './flow/flow-secret-mark-table.ts';
import { removedSessionsTable, responsesTable, sessionsTable } from './flow/flow-session-tables.ts';
import { subscriptionsTable } from './flow/flow-subscription-table.ts';
import { appDataUsageTable, usageTable } from './flow/flow-usage-tables.ts';
import { apiKeysTable } from './keys/api-keys-table.ts';
import { cordonedOperatorNodesTable, nodesTable } from './nodes/nodes-tables.ts';
import { usageDaysTable, usageHoursTable, usageMinutesTable, usageSeriesTable } from './usage/usage-tables.ts';
import { walletChallengesTable, walletsTable } from './wallets/wallets-tables.ts';

/** The data that Flowgate keeps for others, besides its bookkeeping. A table that is not moved is in `unmovedTables`. */
export const tables: readonly Table[] = [
  apiKeysTable,
  leasesTable,
  outboxTable,
  outboxPartitionsTable,
  revisionsTable,
  nodesTable,
  cordonedOperatorNodesTable,
  publishersTable,
  appsTable,
  versionsTable,
  sessionsTable,
  responsesTable,
  eventsTable,
  removedSessionsTable,
  appDataTable,
  paymentsTable,
  subscriptionsTable,
  usageTable,
  appDataUsageTable,
  secretMarksTable,
  auditChainsTable,
  auditEntriesTable,
  walletsTable,
  walletChallengesTable,
  policiesTable,
  policyOwnersTable,
  deploymentsTable,
  maintenanceTable,
  userLimitsTable,
  bridgeStreamsTable,
  bridgeBlocksTable,
  bridgeDepositsTable,
  bridgeRelaysTable,
  bridgeSwapsTable,
  bridgeTokenPairsTable,
  bridgeTokensTable,
  bridgeWithdrawalsTable,
  bridgeGamesTable,
  bridgeProofsTable,
  bridgeFinalisationsTable,
  bridgePortalsTable,
  usageSeriesTable,
  usageMinutesTable,
  usageHoursTable,
  usageDaysTable,
];

/** By name, with the reason. */
export const unmovedTables: Readonly<Record<string, string>> = {
  schema_migrations: 'each database has its own history',
  database_identity: 'it tells each database from every other',
};

export const movedTables: readonly Table[] = tables.filter(({ name }) => !Object.hasOwn(unmovedTables, name));
