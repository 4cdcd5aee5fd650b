/** Every table of the schema, in the order in which `flowgate migrate-data` copies them, and the tables that it does not copy. */

import { leasesTable } from '@flowgate/sql/coordination/leases-table';
import { outboxPartitionsTable, outboxTable } from '@flowgate/sql/coordination/outbox-tables';
import { revisionsTable } from '@flowgate/sql/coordination/revisions-table';
import type { Table } from '@flowgate/sql/engine/table';
import { auditChainsTable, auditEntriesTable } from '../audit/audit-tables.ts';
import { bridgeDepositsTable, bridgeRelaysTable } from '../bridge/deposits/deposit-tables.ts';
import { bridgeBlocksTable, bridgeStreamsTable } from '../bridge/indexing/index-tables.ts';
import { bridgeSwapsTable } from '../bridge/swaps/swap-table.ts';
import { bridgeTokenPairsTable, bridgeTokensTable } from '../bridge/tokens/token-tables.ts';
import {
  bridgeFinalizationsTable,
  bridgeGamesTable,
  bridgePortalsTable,
  bridgeProofsTable,
  bridgeWithdrawalsTable,
} from '../bridge/withdrawals/withdrawal-tables.ts';
import { policiesTable, policyOwnersTable } from '../firewall/firewall-tables.ts';
import { eventsTable } from '../flow/events/event-table.ts';
import { subscriptionsTable } from '../flow/events/subscription-table.ts';
import { paymentsTable } from '../flow/payments/payment-table.ts';
import { appsTable, publishersTable, versionsTable } from '../flow/registry/registry-tables.ts';
import { secretMarksTable } from '../flow/secrets/secret-mark-table.ts';
import { appDataTable } from '../flow/sessions/app-data-table.ts';
import { removedSessionsTable, responsesTable, sessionsTable } from '../flow/sessions/session-tables.ts';
import { appDataUsageTable, usageTable } from '../flow/sessions/stored-bytes-tables.ts';
import { apiKeysTable } from '../identity/keys/api-keys-table.ts';
import { userLimitsTable } from '../limits/user-limits-table.ts';
import { maintenanceTable } from '../maintenance/maintenance-table.ts';
import { deploymentsTable } from '../resources/contracts/deployments-table.ts';
import { cordonedOperatorNodesTable, nodesTable } from '../resources/nodes/nodes-tables.ts';
import { usageDaysTable, usageHoursTable, usageMinutesTable, usageSeriesTable } from '../usage/usage-tables.ts';
import { walletChallengesTable, walletsTable } from '../wallets/wallets-tables.ts';

/** Tables with users' data. All other tables are in `unmovedTables`. */
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
  bridgeFinalizationsTable,
  bridgePortalsTable,
  usageSeriesTable,
  usageMinutesTable,
  usageHoursTable,
  usageDaysTable,
];

/** The reason, by the table's name. */
export const unmovedTables: Readonly<Record<string, string>> = {
  schema_migrations: 'each database has its own history',
  database_identity: 'it identifies this database',
};

export const movedTables: readonly Table[] = tables.filter(({ name }) => !Object.hasOwn(unmovedTables, name));
