/** What the edge refuses, of what an administrator has set (contract/administration#maintenance). */

import type { MaintenanceNotice } from '../api/maintenance.ts';
import type { MaintenanceRecord, MaintenanceSurface } from './maintenance-store.ts';

const defaultMessage = 'The gateway is under maintenance.';

/** Networks narrow calls only. Alone they mean calls; without anything it is everything. */
export function maintenanceNotice(record: MaintenanceRecord | undefined, nowMs: number): MaintenanceNotice | undefined {
  if (record?.active !== true) return undefined;
  const { startsAtMs = nowMs, endsAtMs } = record;
  if (nowMs < startsAtMs || (endsAtMs !== undefined && nowMs >= endsAtMs)) return undefined;
  const { message = defaultMessage, retryAfterSeconds, networks } = record;
  const surfaces: readonly MaintenanceSurface[] =
    record.surfaces ?? (networks === undefined ? ['rpc', 'rest', 'flow'] : ['rpc']);
  const calls = networks === undefined ? 'all' : new Set(networks);
  return {
    rpc: surfaces.includes('rpc') ? calls : undefined,
    rest: surfaces.includes('rest'),
    flow: surfaces.includes('flow'),
    message,
    retryAfterSeconds,
  };
}
