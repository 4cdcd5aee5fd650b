/** The routes for operators and their probes: liveness and readiness. */

import { refused } from '@flowgate/base/result';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import type { PublicRoute, RouteAnswer } from '../../api/route.ts';
import { health, readiness } from './edge-wire.ts';

/** Each settles quickly and never rejects: `true` when the dependency is usable. */
export type ReadinessChecks = {
  readonly database: () => Promise<boolean>;
  readonly identityProvider: () => Promise<boolean>;
  /** False while the process drains, so that load balancers choose other gateways. */
  readonly accepting: () => boolean;
  /** The numbers of the other processes on this port that cannot serve: a caller cannot choose among them. */
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
        summary: 'Is the process alive?',
        description: 'Answers while the process runs, also during a drain or an outage of dependencies.',
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
        summary: 'Can it serve?',
        description:
          'Asks the database and looks for a usable key set of the identity provider. With several worker processes, all of them are asked. The refusal names what is missing; service returns by itself.',
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
