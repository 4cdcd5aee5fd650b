/** What administrators do: maintenance, limits of single users, other people's keys, the audit log, the indexer (contract/administration). Needs a token with the role `admin`; everything else is 403. */

import { isApiKeyRecord } from './api-keys.ts';
import { askFor } from './ask-for.ts';
import { hasMembers, isObject } from './has-members.ts';
import { createPaged, type Paged } from './paged.ts';
import { pathSegment } from './path-segment.ts';
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
  /** Newest first. A page may be empty although more follow: `list` goes on, with `page` follow `nextCursor`. */
  readonly audit: Paged<AuditEntry, AuditFilter>;
  /** How far the chains of bridges and pools are read, and what keeps that from going on (contract/bridge#indexer). */
  indexers(options?: CallOptions): Promise<Indexers>;
};

const maintenancePath = '/admin/maintenance';

export function createAdministration(send: Send): Administration {
  return {
    maintenance: {
      get: async (options = {}) =>
        askFor(send, isMaintenance, { method: 'GET', path: maintenancePath, repeatable: true, options }),
      set: async (input, options = {}) =>
        askFor(send, isMaintenance, { method: 'PUT', path: maintenancePath, body: input, repeatable: true, options }),
    },
    usage: createAdminUsage(send),
    users: createPaged<ListedUser, UserFilter>(send, '/admin/users', isListedUser),
    user: (userId) => userAdministration(send, `/admin/users/${pathSegment(userId)}`),
    audit: createPaged<AuditEntry, AuditFilter>(send, '/admin/audit', isAuditEntry),
    indexers: async (options = {}) =>
      askFor(send, areIndexers, { method: 'GET', path: '/admin/indexers', repeatable: true, options }),
  };
}

function userAdministration(send: Send, user: string): UserAdministration {
  const path = `${user}/limits`;
  const keysPath = `${user}/api-keys`;
  return {
    limits: {
      get: async (options = {}) => askFor(send, isLimitsReport, { method: 'GET', path, repeatable: true, options }),
      set: async (limits, options = {}) =>
        askFor(send, isUserLimits, { method: 'PUT', path, body: limits, repeatable: true, options }),
      async remove(options = {}) {
        await send({ method: 'DELETE', path, repeatable: true, options });
      },
    },
    apiKeys: {
      ...createPaged(send, keysPath, isApiKeyRecord),
      async revoke(keyId, options = {}) {
        await send({ method: 'DELETE', path: `${keysPath}/${pathSegment(keyId)}`, repeatable: true, options });
      },
    },
  };
}

function isMaintenance(value: unknown): value is MaintenanceStatus {
  const times = { startsAt: 'string', endsAt: 'string', noticeMinutes: 'number' } as const;
  const optional = { message: 'string', surfaces: 'texts', networks: 'texts', ...times } as const;
  return hasMembers(value, { active: 'boolean', retryAfterSeconds: 'number' }, optional);
}

function isUserLimits(value: unknown): value is UserLimits {
  const rates = { userPerMinute: 'number', sessionPerMinute: 'number' } as const;
  return hasMembers(value, {}, { ...rates, maxActiveKeys: 'number', nodes: 'number' });
}

function isLimitsReport(value: unknown): value is UserLimitsReport {
  const all = {
    userPerMinute: 'number',
    sessionPerMinute: 'number',
    maxActiveKeys: 'number',
    nodes: 'number',
  } as const;
  return isUserLimits(value) && hasMembers(Reflect.get(value, 'configured'), all);
}

function isListedUser(value: unknown): value is ListedUser {
  return hasMembers(value, { userId: 'string', requests24h: 'number', keys: 'number' }, { lastSeenAt: 'string' });
}

function isAuditEntry(value: unknown): value is AuditEntry {
  const texts = { auditId: 'string', at: 'string', actor: 'string', via: 'string', action: 'string' } as const;
  return (
    hasMembers(value, { ...texts, target: 'string', requestId: 'string' }) && isObject(Reflect.get(value, 'details'))
  );
}

function areIndexers(value: unknown): value is Indexers {
  const { indexers } = isObject(value) ? value : {};
  return Array.isArray(indexers) && indexers.every(isIndexedStream);
}

function isIndexedStream(value: unknown): boolean {
  const texts = { streamId: 'string', dlt: 'string', networkId: 'string' } as const;
  const required = {
    ...texts,
    nextBlock: 'number',
    isStale: 'boolean',
    epoch: 'number',
    isLedHere: 'boolean',
  } as const;
  const words = { bridgeId: 'string', readAt: 'string', trouble: 'string', leader: 'string' } as const;
  const optional = { ...words, pools: 'texts', head: 'object', lagBlocks: 'number', rereadTo: 'number' } as const;
  return hasMembers(value, required, optional);
}
