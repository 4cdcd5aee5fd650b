/** Every fault of the cluster tests: how it begins, how it ends, and what may fail meanwhile. */

import type { FaultProxy } from '../../devkit/src/fault-proxy.ts';
import { type Cluster, redisTimeoutMs } from './cluster.ts';
import type { Engines } from './engines.ts';
import type { MarkKind, Recorder } from './history.ts';
import type { ProcessService, Service } from './service.ts';

export type Runtime = {
  readonly cluster: Cluster;
  readonly balancer: ProcessService;
  readonly balancerProxy: FaultProxy;
  readonly recorder: Recorder;
  readonly redis: Service;
  readonly redisProxy: FaultProxy;
  readonly database: Engines['database'];
  readonly databaseProxy: FaultProxy;
};

type Step = () => unknown;

export type Fault = {
  readonly name: string;
  readonly marks: readonly (readonly [kind: MarkKind, service?: string])[];
  readonly lastsMs: number;
  /** Returns the function that ends the fault. */
  readonly inject: (runtime: Runtime) => Promise<Step> | Step;
};

const gatewayFaults: readonly Fault[] = [
  {
    name: 'a gateway is killed',
    marks: [['gateway-down', 'gateway-2']],
    lastsMs: 2_000,
    inject: ({ cluster }) => killed(cluster.gateway('gateway-2')),
  },
  {
    name: 'a gateway is paused',
    marks: [['gateway-paused', 'gateway-3']],
    lastsMs: 3_000,
    inject: ({ cluster }) => paused(cluster.gateway('gateway-3')),
  },
  {
    name: 'a gateway is restarted',
    marks: [['gateway-down', 'gateway-1']],
    lastsMs: 0,
    inject: ({ cluster }) => restarted(cluster.gateway('gateway-1')),
  },
  {
    name: 'a gateway is slow',
    marks: [['gateway-slow', 'gateway-2']],
    lastsMs: 3_000,
    inject: ({ cluster }) => starved(cluster.gateway('gateway-2')),
  },
];

const redisFaults: readonly Fault[] = [
  {
    name: 'Redis is killed',
    marks: [['counters-unavailable']],
    lastsMs: 4_000,
    inject: ({ redis, recorder }) => emptied(recorder, redis),
  },
  { name: 'Redis is paused', marks: [['counters-unavailable']], lastsMs: 4_000, inject: ({ redis }) => paused(redis) },
  {
    name: 'Redis is restarted',
    marks: [['counters-unavailable']],
    lastsMs: 0,
    inject: ({ redis, recorder }) => emptied(recorder, redis),
  },
  {
    name: 'Redis is slow',
    marks: [['counters-unavailable']],
    lastsMs: 4_000,
    inject: ({ redisProxy }) => delayed(redisProxy, redisTimeoutMs * 2),
  },
];

const databaseFaults: readonly Fault[] = [
  {
    name: 'PostgreSQL is killed',
    marks: [['database-unavailable']],
    lastsMs: 3_000,
    inject: ({ database }) => killed(database),
  },
  {
    name: 'PostgreSQL is paused',
    marks: [['database-unavailable']],
    lastsMs: 4_000,
    inject: ({ database }) => paused(database),
  },
  {
    name: 'PostgreSQL is restarted',
    marks: [['database-unavailable']],
    lastsMs: 0,
    inject: ({ database }) => shutDown(database),
  },
  {
    name: 'PostgreSQL is slow',
    marks: [['database-unavailable']],
    lastsMs: 3_000,
    inject: ({ databaseProxy }) => delayed(databaseProxy, 150),
  },
];

const balancerFaults: readonly Fault[] = [
  {
    name: 'the balancer is killed',
    marks: [['balancer-unavailable']],
    lastsMs: 1_000,
    inject: ({ balancer }) => killed(balancer),
  },
  {
    name: 'the balancer is paused',
    marks: [['balancer-unavailable']],
    lastsMs: 2_000,
    inject: ({ balancer }) => paused(balancer),
  },
  {
    name: 'the balancer is restarted',
    marks: [['balancer-unavailable']],
    lastsMs: 0,
    inject: ({ balancer }) => restarted(balancer),
  },
  {
    name: 'the balancer is slow',
    marks: [['balancer-unavailable']],
    lastsMs: 2_000,
    inject: ({ balancerProxy }) => delayed(balancerProxy, 200),
  },
];

const doubleFaults: readonly Fault[] = [
  {
    name: 'Redis and PostgreSQL are killed together',
    marks: [['counters-unavailable'], ['database-unavailable']],
    lastsMs: 3_000,
    async inject({ redis, database, recorder }) {
      const starts = await Promise.all([emptied(recorder, redis), killed(database)]);
      return () => Promise.all(starts.map((start) => start()));
    },
  },
];

export const everyFault = [...gatewayFaults, ...redisFaults, ...databaseFaults, ...balancerFaults, ...doubleFaults];

/** Each kind of process once, each kind of fault once, and the double fault. */
const shortDrillNames = [
  'a gateway is killed',
  'Redis is paused',
  'Redis is slow',
  'PostgreSQL is slow',
  'the balancer is restarted',
  'Redis and PostgreSQL are killed together',
];
export const shortDrill = shortDrillNames.map((wanted) => {
  const fault = everyFault.find(({ name }) => name === wanted);
  if (fault === undefined) throw new Error(`there is no fault "${wanted}"`);
  return fault;
});

async function killed(service: Service): Promise<Step> {
  await service.kill();
  return service.start;
}

async function emptied(recorder: Recorder, redis: Service): Promise<Step> {
  recorder.note('counters-emptied');
  return killed(redis);
}

async function shutDown(database: Engines['database']): Promise<Step> {
  await database.shutDown();
  return database.start;
}

async function restarted(service: ProcessService): Promise<Step> {
  await service.terminate();
  return service.start;
}

function paused(service: Service): Step {
  service.pause();
  return service.resume;
}

/** Stops and continues a process in short intervals, so that it gets less than half of its time. */
function starved(service: Service): Step {
  let awake = true;
  const toggle = setInterval(() => {
    awake = !awake;
    (awake ? service.resume : service.pause)();
  }, 60);
  return () => {
    clearInterval(toggle);
    service.resume();
  };
}

function delayed(proxy: FaultProxy, ms: number): Step {
  proxy.set({ kind: 'latency', ms });
  return () => proxy.set({ kind: 'none' });
}
