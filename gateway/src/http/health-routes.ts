/** The routes for operators and their probes: liveness and readiness. */

import type { BodyOf } from '../api/body-schema.ts';
import type { PublicRoute, RouteAnswer } from '../api/route.ts';
import { refused } from '../platform/result.ts';
import { health, readiness } from './edge-wire.ts';

/** Each settles quickly and never rejects: `true` when the dependency is usable. */
export type ReadinessChecks = {
  readonly database: () => Promise<boolean>;
  readonly identityProvider: () => Promise<boolean>;
  /** False while the process drains, so that load balancers choose other gateways. */
  readonly accepting: () => boolean;
};

const alive: BodyOf<typeof health> = { status: 'ok' };
const ready: BodyOf<typeof readiness> = { status: 'ready', checks: { database: 'ok', identityProvider: 'ok' } };

export function healthRoutes(checks: ReadinessChecks): readonly PublicRoute[] {
  return [
    {
      method: 'GET',
      path: '/healthz',
      admittance: 'public',
      doc: {
        summary: 'Is the process alive?',
        description: 'Answers as long as the process runs, also while it drains and whatever its dependencies do.',
        tag: 'Operation',
        responses: [{ status: 200, description: 'Alive.', schema: health }],
        refusals: [],
      },
      handle: () => ({ status: 200, body: alive }),
    },
    {
      method: 'GET',
      path: '/readyz',
      admittance: 'public',
      doc: {
        summary: 'Can it serve?',
        description:
          'Asks the database and looks for a usable key set of the identity provider. The refusal names what is missing; service returns by itself.',
        tag: 'Operation',
        responses: [{ status: 200, description: 'Ready.', schema: readiness }],
        refusals: ['unavailable'],
      },
      handle: () => readinessOf(checks),
    },
  ];
}

async function readinessOf(checks: ReadinessChecks): Promise<RouteAnswer> {
  if (!checks.accepting()) return refused('unavailable', 'Not ready: shutting down.');
  const [database, identityProvider] = await Promise.all([checks.database(), checks.identityProvider()]);
  const missing = [...(database ? [] : ['database']), ...(identityProvider ? [] : ['identity provider'])];
  if (missing.length > 0) return refused('unavailable', `Not ready: ${missing.join(' and ')} unavailable.`);
  return { status: 200, body: ready };
}
