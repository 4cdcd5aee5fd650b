/** Refuses what is under maintenance, before anything is begun: what runs already finishes (contract/administration#maintenance). */

import type { Maintenance, MaintenanceNotice } from '../../api/maintenance.ts';
import type { Refusal } from '../request-context.ts';
import type { RouteContext } from '../route-context.ts';
import type { RpcContext } from '../rpc-context.ts';

export type Maintaining = { readonly maintenance: Maintenance };

export function refuseCallInMaintenance({ maintenance }: Maintaining, context: RpcContext): Refusal | undefined {
  const notice = maintenance.current;
  if (notice?.rpc === undefined) return undefined;
  return notice.rpc === 'all' || notice.rpc.has(context.target.place.network) ? refusalOf(notice) : undefined;
}

/** Routes for administrators always work: they end the maintenance. */
export function refuseRouteInMaintenance({ maintenance }: Maintaining, context: RouteContext): Refusal | undefined {
  const notice = maintenance.current;
  if (notice === undefined || context.route.admittance === 'admin') return undefined;
  const isRefused = context.envelope === 'flow' ? notice.flow : notice.rest;
  return isRefused ? refusalOf(notice) : undefined;
}

function refusalOf({ message, retryAfterSeconds }: MaintenanceNotice): Refusal {
  return { reason: 'unavailable', detail: message, headers: { 'Retry-After': String(retryAfterSeconds) } };
}
