/** The routes of maintenance: administrators set it, and every caller reads what begins soon (contract/administration#maintenance). */

import { ok } from '@flowgate/base/result';
import { okReply } from '../api/reply-of.ts';
import type { CallerRoute } from '../api/route.ts';
import { actorOf } from '../audit/audit-note.ts';
import type { MaintenanceStore } from './maintenance-store.ts';
import { maintenanceBody, maintenanceInput, maintenanceView, noMaintenance } from './maintenance-wire.ts';
import { type SetMaintenanceParts, setMaintenance } from './set-maintenance.ts';
import { type UpcomingDeps, upcomingRoutes } from './upcoming-maintenance.ts';

export type MaintenanceRouteDeps = SetMaintenanceParts &
  UpcomingDeps & { readonly maintenanceStore: Pick<MaintenanceStore, 'load'> };

const tag = 'Administration';
const noStore = { 'Cache-Control': 'no-store' };
const maintenancePath = '/admin/maintenance';

export function maintenanceRoutes(deps: MaintenanceRouteDeps): readonly CallerRoute[] {
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
        const { value } = await deps.maintenanceStore.load();
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
      handle: async (request) => okReply(await setMaintenance(deps, actorOf(request), request.body), noStore),
    },
    ...upcomingRoutes(deps),
  ];
}
