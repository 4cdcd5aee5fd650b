/** The routes of maintenance: administrators set it, and every caller can read what begins soon (contract/administration#maintenance). */

import type { Clock } from '@flowgate/base/clock';
import { ok, type Result } from '@flowgate/base/result';
import { refusedFor, refusedForOne } from '@flowgate/body-schema/body-problems';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import { checkedBody } from '@flowgate/body-schema/checked-body';
import { okReply } from '../api/reply-of.ts';
import type { CallerRoute } from '../api/route.ts';
import { type Actor, type AuditNote, actorOf } from '../audit/audit-note.ts';
import type { MaintenanceStore } from './maintenance-store.ts';
import {
  maintenanceBody,
  maintenanceInput,
  maintenanceOf,
  maintenanceView,
  noMaintenance,
} from './maintenance-wire.ts';
import { type UpcomingDeps, upcomingRoutes } from './upcoming-maintenance.ts';

export type MaintenanceRouteDeps = SetMaintenanceDeps &
  UpcomingDeps & { readonly maintenanceStore: Pick<MaintenanceStore, 'load'> };

const tag = 'Administration';
const noStore = { 'Cache-Control': 'no-store' };
const maintenancePath = '/admin/maintenance';

export function maintenanceRoutes(deps: MaintenanceRouteDeps): readonly CallerRoute[] {
  return [
    {
      method: 'GET',
      path: maintenancePath,
      accessLevel: 'admin',
      doc: {
        summary: 'Read what is under maintenance',
        description: 'The last maintenance that was set; empty if none ever was.',
        tag,
        responses: [
          { status: 200, description: 'The present maintenance.', schema: maintenanceBody, headers: ['Cache-Control'] },
        ],
        refusals: [],
      },
      async handle() {
        const { value } = await deps.maintenanceStore.load();
        return okReply(ok(maintenanceView(value ?? noMaintenance)), noStore);
      },
    },
    {
      method: 'PUT',
      path: maintenancePath,
      accessLevel: 'admin',
      doc: {
        summary: 'Begin, change or end maintenance',
        description:
          'The named surfaces and networks answer 503 with `Retry-After` and the message: this gateway from this response on, other gateways at once or within 5 seconds, also after a restart. Requests in flight finish. Health, `/admin`, this document and the reference always work.',
        tag,
        body: maintenanceInput,
        responses: [
          { status: 200, description: 'The present maintenance.', schema: maintenanceBody, headers: ['Cache-Control'] },
        ],
        refusals: ['bad-request'],
      },
      handle: async (request) => okReply(await setMaintenance(deps, actorOf(request), request.body), noStore),
    },
    ...upcomingRoutes(deps),
  ];
}

type SetMaintenanceDeps = {
  readonly maintenanceStore: Pick<MaintenanceStore, 'set'>;
  /** Notifies the other gateways. Resolves when the change applies on this gateway. */
  readonly maintenanceChanged: () => Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
  /** Whether this gateway has a network of this name. */
  readonly hasNetwork: (name: string) => boolean;
};

/**
 * Sets maintenance. It applies on this gateway when the call resolves, on the other gateways within seconds (contract/administration#maintenance). Throws
 * `Unavailable`: it may then be set or not, and repeating is safe.
 */
async function setMaintenance(
  deps: SetMaintenanceDeps,
  actor: Actor,
  body: unknown,
): Promise<Result<BodyOf<typeof maintenanceBody>, 'bad-request'>> {
  const input = checkedBody(maintenanceInput.schema(), body);
  if (!input.ok) return input;
  const record = maintenanceOf(input.value);
  const unknown = (record.networks ?? []).filter((name) => !deps.hasNetwork(name));
  if (unknown.length > 0)
    return refusedFor(
      unknown.map((name) => ({ message: `networks contains ${name}, which is no network of this gateway` })),
    );
  const { startsAtMs, endsAtMs } = record;
  if (endsAtMs !== undefined && endsAtMs <= Math.max(startsAtMs ?? 0, deps.clock.now()))
    return refusedForOne('endsAt must be in the future and after startsAt');
  const { active, message, retryAfterSeconds, surfaces, networks, startsAt, endsAt } = maintenanceView(record);
  const note: AuditNote = {
    actor,
    action: 'maintenance.set',
    target: 'maintenance',
    details: {
      active,
      retryAfterSeconds,
      ...(message === undefined ? {} : { message }),
      ...(surfaces === undefined ? {} : { surfaces }),
      ...(networks === undefined ? {} : { networks }),
      ...(startsAt === undefined ? {} : { startsAt }),
      ...(endsAt === undefined ? {} : { endsAt }),
    },
  };
  await deps.maintenanceStore.set(record, note);
  await deps.maintenanceChanged();
  return ok(maintenanceView(record));
}
