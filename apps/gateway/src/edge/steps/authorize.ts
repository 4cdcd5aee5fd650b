/** Checks the caller against the route's access level (contract/credentials#what-each-may-do). */

import type { Refusal } from '../contexts/request-context.ts';
import type { RouteContext } from '../contexts/route-context.ts';

const keyExcluded: Refusal = {
  reason: 'not-permitted',
  detail: 'An API key cannot be used here; sign in and send the access token.',
};
const roleMissing: Refusal = { reason: 'not-permitted', detail: 'The role admin is required.' };

export function authorize(_services: unknown, { route, caller }: RouteContext): Refusal | undefined {
  if (route.accessLevel === 'public' || route.accessLevel === 'caller') return undefined;
  if (caller.via === 'api-key') return keyExcluded;
  return route.accessLevel === 'admin' && !caller.roles.includes('admin') ? roleMissing : undefined;
}
