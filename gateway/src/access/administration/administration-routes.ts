/** The routes of administrators: parse, call one use, shape the reply (contract/administration). */

import { ok } from '@flowgate/base/result';
import { z } from 'zod';
import { pageQuery } from '../../api/page-query.ts';
import { emptyReply, okReply } from '../../api/reply-of.ts';
import type { CallerRoute, PathParameterDoc } from '../../api/route.ts';
import { apiKeyPage, keyIdParameter } from '../api-key-wire.ts';
import { actorOf } from '../audit/audit-note.ts';
import { type ListKeysParts, listKeys } from '../list-keys.ts';
import { type RevokeKeyParts, revokeKey } from '../revoke-key.ts';
import type { UserLimits } from '../user-limits.ts';
import { auditPage } from './audit-wire.ts';
import { auditQuery, type ListAuditParts, listAudit } from './list-audit.ts';
import type { ListUsersDeps } from './list-users.ts';
import type { MaintenanceStore } from './maintenance-store.ts';
import { maintenanceBody, maintenanceInput, maintenanceView, noMaintenance } from './maintenance-wire.ts';
import { type SetMaintenanceParts, setMaintenance } from './set-maintenance.ts';
import { removeUserLimits, type SetUserLimitsParts, setUserLimits } from './set-user-limits.ts';
import { type UpcomingDeps, upcomingRoutes } from './upcoming-maintenance.ts';
import type { UserLimitsStore } from './user-limits-store.ts';
import { userLimitsBody, userLimitsInput, userLimitsReport } from './user-limits-wire.ts';
import { userRoutes } from './user-routes.ts';

export type AdministrationParts = ListAuditParts &
  SetMaintenanceParts &
  SetUserLimitsParts &
  ListUsersDeps &
  UpcomingDeps & {
    readonly maintenanceStore: Pick<MaintenanceStore, 'load'>;
    readonly limitsStore: Pick<UserLimitsStore, 'find'>;
    readonly keys: ListKeysParts & RevokeKeyParts;
    /** In force for users without limits of their own. */
    readonly configuredLimits: Required<UserLimits>;
  };

const tag = 'Administration';
const noStore = { 'Cache-Control': 'no-store' };
const maintenancePath = '/admin/maintenance';
const limitsPath = '/admin/users/{userId}/limits';
const keysPath = '/admin/users/{userId}/api-keys';

const userId: PathParameterDoc = {
  description: 'The user: the `sub` of their tokens.',
  schema: () => z.string().min(1),
  example: 'user-1',
};

export function administrationRoutes(parts: AdministrationParts): readonly CallerRoute[] {
  return [
    ...auditRoutes(parts),
    ...maintenanceRoutes(parts),
    ...userRoutes(parts),
    ...limitsRoutes(parts),
    ...keyRoutes(parts),
    ...upcomingRoutes(parts),
  ];
}

function auditRoutes(parts: ListAuditParts): readonly CallerRoute[] {
  return [
    {
      method: 'GET',
      path: '/admin/audit',
      admittance: 'admin',
      doc: {
        summary: 'Read the audit log',
        description:
          'Management actions of anybody, newest first. Filters are combined. A page may be shorter than asked for, even empty, while there is more: follow `nextCursor`.',
        tag,
        query: auditQuery,
        responses: [{ status: 200, description: 'A page of entries.', schema: auditPage, headers: ['Cache-Control'] }],
        refusals: ['bad-request'],
      },
      handle: async ({ query }) => okReply(await listAudit(parts, query), noStore),
    },
  ];
}

function maintenanceRoutes(parts: AdministrationParts): readonly CallerRoute[] {
  return [
    {
      method: 'GET',
      path: maintenancePath,
      admittance: 'admin',
      doc: {
        summary: 'Read what is under maintenance',
        description: 'What was set last; before anything was, nothing is.',
        tag,
        responses: [{ status: 200, description: 'What is set.', schema: maintenanceBody, headers: ['Cache-Control'] }],
        refusals: [],
      },
      async handle() {
        const { value } = await parts.maintenanceStore.load();
        return okReply(ok(maintenanceView(value ?? noMaintenance)), noStore);
      },
    },
    {
      method: 'PUT',
      path: maintenancePath,
      admittance: 'admin',
      doc: {
        summary: 'Begin, change or end maintenance',
        description:
          'What is named is refused with 503, `Retry-After` and the message: here from this answer on, on other gateways at once or within 5 seconds, and after a restart. What runs already finishes. Health, `/admin`, this document and the reference always work.',
        tag,
        body: maintenanceInput,
        responses: [{ status: 200, description: 'What is set.', schema: maintenanceBody, headers: ['Cache-Control'] }],
        refusals: ['bad-request'],
      },
      handle: async (request) => okReply(await setMaintenance(parts, actorOf(request), request.body), noStore),
    },
  ];
}

function limitsRoutes(parts: AdministrationParts): readonly CallerRoute[] {
  return [
    {
      method: 'GET',
      path: limitsPath,
      admittance: 'admin',
      doc: {
        summary: "Read a user's own limits",
        description: 'Those that differ from the configuration, and what is configured.',
        tag,
        path: { userId },
        responses: [{ status: 200, description: 'The limits.', schema: userLimitsReport, headers: ['Cache-Control'] }],
        refusals: [],
      },
      handle: async ({ params }) =>
        okReply(
          ok({ ...(await parts.limitsStore.find(params['userId'] ?? '')), configured: parts.configuredLimits }),
          noStore,
        ),
    },
    {
      method: 'PUT',
      path: limitsPath,
      admittance: 'admin',
      doc: {
        summary: "Set a user's own limits",
        description:
          'In place of those that were set before; what is left out is as configured. In force here from this answer on, on other gateways at once or within 5 seconds. At most 10,000 users have limits of their own.',
        tag,
        path: { userId },
        body: userLimitsInput,
        responses: [{ status: 200, description: 'The limits.', schema: userLimitsBody, headers: ['Cache-Control'] }],
        refusals: ['bad-request', 'conflict'],
      },
      handle: async (request) =>
        okReply(await setUserLimits(parts, actorOf(request), request.params['userId'] ?? '', request.body), noStore),
    },
    {
      method: 'DELETE',
      path: limitsPath,
      admittance: 'admin',
      doc: {
        summary: "Remove a user's own limits",
        description: 'The configured ones hold again. Repeating it changes nothing.',
        tag,
        path: { userId },
        responses: [{ status: 204, description: 'Removed, or there were none.' }],
        refusals: [],
      },
      async handle(request) {
        await removeUserLimits(parts, actorOf(request), request.params['userId'] ?? '');
        return emptyReply(ok(undefined));
      },
    },
  ];
}

function keyRoutes({ keys }: Pick<AdministrationParts, 'keys'>): readonly CallerRoute[] {
  return [
    {
      method: 'GET',
      path: keysPath,
      admittance: 'admin',
      doc: {
        summary: "List a user's API keys",
        description: 'Newest first, revoked and expired ones too; never a secret.',
        tag,
        path: { userId },
        query: pageQuery(100),
        responses: [{ status: 200, description: 'A page of keys.', schema: apiKeyPage, headers: ['Cache-Control'] }],
        refusals: ['bad-request'],
      },
      handle: async ({ params, query }) => okReply(await listKeys(keys, params['userId'] ?? '', query), noStore),
    },
    {
      method: 'DELETE',
      path: `${keysPath}/{keyId}`,
      admittance: 'admin',
      doc: {
        summary: "Revoke a user's API key",
        description:
          'As if its owner had done it: from the moment this has answered the key fails on this gateway, and everywhere within 60 seconds. Again is 204. While the database cannot write, it is 503 and the key fails all the same; send it again until it is 204.',
        tag,
        path: { userId, keyId: keyIdParameter },
        responses: [{ status: 204, description: 'Revoked.' }],
        refusals: ['not-found', 'unavailable'],
      },
      async handle(request) {
        const { userId: ownerId = '', keyId = '' } = request.params;
        return emptyReply(await revokeKey(keys, actorOf(request), keyId, ownerId));
      },
    },
  ];
}
