/** What administrators do: maintenance, limits of single users, other people's keys, the audit log, the indexer (contract/administration). Needs a token with the role `admin`; everything else is 403. */

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

/** All of what is given must hold. Times are ISO 8601 with a zone; `after` is inclusive, `before` is not. */
export type AuditFilter = {
  readonly actor?: string | undefined;
  readonly action?: AuditAction | undefined;
  readonly target?: string | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
};

/** `search`: part of the id. */
export type UserFilter = { readonly search?: string | undefined };

/** `set` replaces what was set before. In force on the gateway that answered when it resolves, everywhere within 5 seconds. */
export type MaintenanceControl = {
  get(options?: CallOptions): Promise<MaintenanceStatus>;
  /** 400 with the member's name for an invalid input. */
  set(input: MaintenanceInput, options?: CallOptions): Promise<MaintenanceStatus>;
};

/** Of one user. */
export type UserAdministration = {
  readonly limits: {
    /** Those that differ from the configuration, and what is configured. */
    get(options?: CallOptions): Promise<UserLimitsReport>;
    /** In place of those that were set before. 409 when too many users have limits of their own. */
    set(limits: UserLimitsInput, options?: CallOptions): Promise<UserLimits>;
    /** Repeating is no error. */
    remove(options?: CallOptions): Promise<void>;
  };
  readonly apiKeys: Paged<ApiKeyRecord> & {
    /** As the user's own `apiKeys.revoke`. */
    revoke(keyId: string, options?: CallOptions): Promise<void>;
  };
};

export type Administration = {
  readonly maintenance: MaintenanceControl;
  user(userId: string): UserAdministration;
  /** Users with API keys or usage. A page may be empty although more follow. */
  readonly users: Paged<ListedUser, UserFilter>;
  /** What everybody, or one user, asked the gateway for. */
  readonly usage: ReadUsage<AdminUsageQuestion>;
  /** Newest first. A page may be empty although more follow: `list` continues, with `page` follow `nextCursor`. */
  readonly audit: Paged<AuditEntry, AuditFilter>;
  /** How far the chains of bridges and pools are read, and what keeps that from going on (contract/indexer#progress). */
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
