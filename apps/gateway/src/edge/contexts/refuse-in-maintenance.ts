/** Refuses calls and routes under maintenance before any work. Requests that already run finish (contract/administration#maintenance). */

import type { Maintenance, MaintenanceNotice } from '../../api/maintenance.ts';
import type { Refusal } from './request-context.ts';
import type { RouteContext } from './route-context.ts';
import type { RpcContext } from './rpc-context.ts';

export type Maintaining = { readonly maintenance: Maintenance };

export function refuseCallInMaintenance({ maintenance }: Maintaining, context: RpcContext): Refusal | undefined {
  const notice = noticeAt(maintenance, context.target.place.network);
  return notice && refusalOf(notice);
}

/** The notice of a maintenance that refuses calls to `network`; undefined when calls are allowed. */
export function noticeAt({ current }: Maintenance, network: string): MaintenanceNotice | undefined {
  if (current?.rpc === undefined) return undefined;
  return current.rpc === 'all' || current.rpc.has(network) ? current : undefined;
}

/** Routes for administrators always work, because they end the maintenance. */
export function refuseRouteInMaintenance({ maintenance }: Maintaining, context: RouteContext): Refusal | undefined {
  const notice = maintenance.current;
  if (notice === undefined || context.route.accessLevel === 'admin') return undefined;
  const isRefused = context.envelope === 'flow' ? notice.flow : notice.rest;
  return isRefused ? refusalOf(notice) : undefined;
}

function refusalOf({ message, retryAfterSeconds }: MaintenanceNotice): Refusal {
  return { reason: 'unavailable', detail: message, headers: { 'Retry-After': String(retryAfterSeconds) } };
}
