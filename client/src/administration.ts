/**
 * Routes for administrators: maintenance, limits of single users, keys of other users, the audit log, the indexer (contract/administration). They need a token
 * with the role `admin`; other callers get 403.
 */

import { ask } from './ask.ts';
import * as shapes from './generated/shapes.ts';
import { createPaged, type Paged } from './paged.ts';
import type { CallOptions, Send } from './transport.ts';
import { type AdminUsageQuestion, createAdminUsage, type ReadUsage } from './usage.ts';
import type {
  ApiKeyRecord,
  AuditAction,
  AuditEntry,
  Indexers,
  ListedUser,
  MaintenanceInput,
  MaintenanceStatus,
  UserLimits,
  UserLimitsInput,
  UserLimitsReport,
} from './wire.ts';

/** Filters; an entry must match all given ones. Times are ISO 8601 with a zone; `after` is inclusive, `before` is exclusive. */
export type AuditFilter = {
  readonly actor?: string | undefined;
  readonly action?: AuditAction | undefined;
  readonly target?: string | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
};

/** `search`: part of the user's id. */
export type UserFilter = { readonly search?: string | undefined };

/** `set` replaces the previous maintenance. In effect at the answering gateway when it resolves, and at all others within 5 seconds. */
export type MaintenanceControl = {
  get(options?: CallOptions): Promise<MaintenanceStatus>;
  /** 400 with the member's name for an invalid input. */
  set(input: MaintenanceInput, options?: CallOptions): Promise<MaintenanceStatus>;
};

/** Limits of one user. */
export type UserAdministration = {
  readonly limits: {
    /** The limits that differ from the configuration, and the configured ones. */
    get(options?: CallOptions): Promise<UserLimitsReport>;
    /** Replaces all of the user's own limits. 409 when too many users have limits of their own. */
    set(limits: UserLimitsInput, options?: CallOptions): Promise<UserLimits>;
    /** Removes the user's own limits. Repeated calls succeed. */
    remove(options?: CallOptions): Promise<void>;
  };
  readonly apiKeys: Paged<ApiKeyRecord> & {
    /** Revokes a key of any user. Otherwise like the user's own `apiKeys.revoke`. */
    revoke(keyId: string, options?: CallOptions): Promise<void>;
  };
};

export type Administration = {
  readonly maintenance: MaintenanceControl;
  user(userId: string): UserAdministration;
  /** Users with API keys or usage. A page may be empty although more pages follow. */
  readonly users: Paged<ListedUser, UserFilter>;
  /** Usage of all users, or of one user. */
  readonly usage: ReadUsage<AdminUsageQuestion>;
  /** Newest first. A page may be empty although more pages follow: `list` continues by itself; with `page`, follow `nextCursor`. */
  readonly audit: Paged<AuditEntry, AuditFilter>;
  /** The indexing progress of the chains of bridges and pools, and what blocks it (contract/indexer#progress). */
  indexers(options?: CallOptions): Promise<Indexers>;
};

export function createAdministration(send: Send): Administration {
  return {
    maintenance: {
      get: (options) => ask(send, 'GET /admin/maintenance', shapes.maintenanceStatus, [], { options }),
      set: (body, options) => ask(send, 'PUT /admin/maintenance', shapes.maintenanceStatus, [], { body, options }),
    },
    usage: createAdminUsage(send),
    users: createPaged(send, 'GET /admin/users', shapes.listedUser, []),
    user: (userId) => userAdministration(send, userId),
    audit: createPaged(send, 'GET /admin/audit', shapes.auditEntry, []),
    indexers: (options) => ask(send, 'GET /admin/indexers', shapes.indexers, [], { options }),
  };
}

function userAdministration(send: Send, userId: string): UserAdministration {
  const limits = '/admin/users/{userId}/limits';
  const keys = '/admin/users/{userId}/api-keys';
  return {
    limits: {
      get: (options) => ask(send, `GET ${limits}`, shapes.userLimitsReport, [userId], { options }),
      set: (body, options) => ask(send, `PUT ${limits}`, shapes.userLimits, [userId], { body, options }),
      remove: (options) => ask(send, `DELETE ${limits}`, undefined, [userId], { options }),
    },
    apiKeys: {
      ...createPaged(send, `GET ${keys}`, shapes.apiKeyRecord, [userId]),
      revoke: (keyId, options) => ask(send, `DELETE ${keys}/{keyId}`, undefined, [userId, keyId], { options }),
    },
  };
}
