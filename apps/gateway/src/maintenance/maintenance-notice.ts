/** What the edge refuses, according to the maintenance that an administrator has set (contract/administration#maintenance). */

import type { MaintenanceNotice } from '../api/maintenance.ts';
import type { MaintenanceRecord, MaintenanceSurface } from './maintenance-store.ts';

const defaultMessage = 'The gateway is under maintenance.';

/**
 * `networks` narrows JSON-RPC calls only. With `networks` alone, only calls to these networks are refused; without `surfaces` and `networks`, all surfaces are.
 */
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
