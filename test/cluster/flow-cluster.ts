/** Three gateways on PostgreSQL and Redis with a published Flow App, and the recorded history. */

import { systemClock } from '@flowgate/base/clock';
import { SQL } from 'bun';
import { publishFlowApp, reachesLoopback } from '../../apps/gateway/test/fixtures/flow-app.ts';
import { balancedNames } from './balancer.ts';
import { type Cluster, type GatewayService, startCluster } from './cluster.ts';
import { type Engines, startEngines } from './engines.ts';
import { checkFlow } from './flow-checker.ts';
import { createFlowRecorder, type FlowRecorder } from './flow-history.ts';
import { type MarkingApp, markingManifest, startMarkingApp } from './flow-marking-app.ts';
import { appId, createFlowClient, type FlowRecordedClient } from './flow-recorded-client.ts';

export type FlowCluster = {
  readonly engines: Engines;
  readonly cluster: Cluster;
  readonly gateways: readonly [GatewayService, GatewayService, GatewayService];
  readonly recorder: FlowRecorder;
  readonly app: MarkingApp;
  readonly client: FlowRecordedClient;
  /** Marks an incident in the history. */
  readonly phase: (name: string) => void;
  /** Queries the database directly. */
  readonly sql: (text: string) => Promise<readonly Record<string, unknown>[]>;
  /** Audits these users' sessions and checks the whole history. */
  readonly violations: (users: readonly string[]) => Promise<string[]>;
  readonly stop: () => Promise<void>;
};

export type FlowClusterOptions = {
  readonly sessionPerMinute: number;
  readonly userPerMinute?: number;
  /** Members of `flow` in the configuration. */
  readonly flow?: object;
  readonly sections?: Readonly<Record<string, object>>;
};

export async function startFlowCluster(options: FlowClusterOptions): Promise<FlowCluster> {
  const { sessionPerMinute, userPerMinute = 1_000_000 } = options;
  const recorder = createFlowRecorder(sessionPerMinute, systemClock);
  const engines = await startEngines();
  const cluster = await startCluster({
    gateways: balancedNames,
    storage: engines.storage,
    userPerMinute,
    sections: {
      ...reachesLoopback,
      limits: { sessionPerMinute },
      flow: { leaseSeconds: 1, ...options.flow },
      ...options.sections,
    },
  });
  const app = startMarkingApp(recorder);
  let phaseName = 'calm';
  const client = createFlowClient(recorder, cluster.issuer, () => phaseName);
  const [one, two, three] = cluster.gateways;
  if (one === undefined || two === undefined || three === undefined) throw new Error('too few gateways');
  const gateways = [one, two, three] as const;
  await publishFlowApp(throughOne(cluster), app, { appId, ...markingManifest });
  return {
    ...{ engines, cluster, gateways, recorder, app, client },
    phase(name) {
      phaseName = name;
    },
    async sql(text) {
      const connection = new SQL(engines.storage.database, { max: 1, connectionTimeout: 5, tls: 'disable' });
      try {
        return await connection.unsafe<Record<string, unknown>[]>(text);
      } finally {
        await connection.close({ timeout: 0 });
      }
    },
    async violations(users) {
      for (const userId of users) await client.audit(gateways, userId);
      return checkFlow(recorder);
    },
    async stop() {
      await cluster.stop();
      await Promise.all([engines.stop(), app.stop()]);
    },
  };
}

/** The first gateway of the cluster, in the form of the fixtures for one gateway. */
export function throughOne({ gateways: [first], issuer }: Cluster) {
  if (first === undefined) throw new Error('no gateway');
  return {
    fetch: (path: string, init?: RequestInit) => fetch(`${first.url}${path}`, { ...init, keepalive: false }),
    token: (sub = 'alice') => issuer.token({ sub }),
  };
}
