/** Sets maintenance: in force here when this resolves, on the other gateways within seconds (contract/administration#maintenance). */

import type { Clock } from '@flowgate/base/clock';
import { ok, type Result } from '@flowgate/base/result';
import { refusedFor, refusedForOne } from '@flowgate/body-schema/body-problems';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import { checkedBody } from '@flowgate/body-schema/checked-body';
import type { Actor, AuditNote } from '../audit/audit-note.ts';
import type { MaintenanceStore } from './maintenance-store.ts';
import { type maintenanceBody, maintenanceInput, maintenanceOf, maintenanceView } from './maintenance-wire.ts';

export type SetMaintenanceParts = {
  readonly maintenanceStore: Pick<MaintenanceStore, 'set'>;
  /** Tells the other gateways, and resolves when the change is in force here. */
  readonly maintenanceChanged: () => Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
  /** Whether this gateway has a network of this name. */
  readonly hasNetwork: (name: string) => boolean;
};

/** Throws `Unavailable`: it may then be set or not, and repeating is safe. */
export async function setMaintenance(
  parts: SetMaintenanceParts,
  actor: Actor,
  body: unknown,
): Promise<Result<BodyOf<typeof maintenanceBody>, 'bad-request'>> {
  const input = checkedBody(maintenanceInput.schema(), body);
  if (!input.ok) return input;
  const record = maintenanceOf(input.value);
  const unknown = (record.networks ?? []).filter((name) => !parts.hasNetwork(name));
  if (unknown.length > 0)
    return refusedFor(
      unknown.map((name) => ({ message: `networks holds ${name}, which is no network of this gateway` })),
    );
  const { startsAtMs, endsAtMs } = record;
  if (endsAtMs !== undefined && endsAtMs <= Math.max(startsAtMs ?? 0, parts.clock.now()))
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
  await parts.maintenanceStore.set(record, note);
  await parts.maintenanceChanged();
  return ok(maintenanceView(record));
}
