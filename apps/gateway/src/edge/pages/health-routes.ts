/** The routes for operators and their probes: liveness and readiness. */

import { refused } from '@flowgate/base/result';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import type { PublicRoute, RouteAnswer } from '../../api/route.ts';
import { health, readiness } from './edge-wire.ts';

/** Each check settles quickly and never rejects: `true` when the dependency is usable. */
export type ReadinessChecks = {
  readonly database: () => Promise<boolean>;
  readonly identityProvider: () => Promise<boolean>;
  /** False while the process drains, so that load balancers choose other gateways. */
  readonly accepting: () => boolean;
  /** The numbers of the other worker processes on this port that cannot serve. They count, because a caller cannot choose among processes. */
  readonly unreadyWorkers: () => Promise<readonly number[]>;
};

const alive: BodyOf<typeof health> = { status: 'ok' };
const ready: BodyOf<typeof readiness> = { status: 'ready', checks: { database: 'ok', identityProvider: 'ok' } };

export function healthRoutes(checks: ReadinessChecks): readonly PublicRoute[] {
  return [
    {
      method: 'GET',
      path: '/healthz',
      accessLevel: 'public',
      doc: {
        summary: 'Liveness',
        description: 'Succeeds while the process runs, also during a drain and while dependencies are unavailable.',
        tag: 'Operation',
        responses: [{ status: 200, description: 'Alive.', schema: health }],
        refusals: [],
      },
      handle: () => ({ status: 200, body: alive }),
    },
    {
      method: 'GET',
      path: '/readyz',
      accessLevel: 'public',
      doc: {
        summary: 'Readiness',
        description:
          'Checks the database and the key set of the identity provider, in all worker processes. The refusal names the dependencies that are unavailable. The gateway recovers without a restart.',
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
  const [database, identityProvider, workers] = await Promise.all([
    checks.database(),
    checks.identityProvider(),
    checks.unreadyWorkers(),
  ]);
  const missing = [
    ...(database ? [] : ['database']),
    ...(identityProvider ? [] : ['identity provider']),
    ...workers.map((number) => `worker ${number}`),
  ];
  if (missing.length > 0) return refused('unavailable', `Not ready: ${missing.join(' and ')} unavailable.`);
  return { status: 200, body: ready };
}
