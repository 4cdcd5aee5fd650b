/** Opens administration: the audit log. */

import { administrationRoutes } from '../access/administration/administration-routes.ts';
import { createSqlAuditLogStore } from '../stores/sql/audit/audit-log-store.ts';
import { type Part, part } from './part.ts';
import type { Storage } from './storage.ts';

export type Administration = { readonly part: Part };

export function openAdministration({ storage }: { readonly storage: Storage }): Administration {
  return { part: part({ routes: administrationRoutes({ log: createSqlAuditLogStore(storage.database) }) }) };
}
