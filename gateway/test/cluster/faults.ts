/** Every fault that a cluster is put through: what is done, what undoes it, and what may be out of order meanwhile. */

import type { FaultProxy } from '../../../devkit/src/fault-proxy.ts';
import type { Cluster, GatewayPart } from './cluster.ts';
import type { MarkKind, Recorder } from './history.ts';
import type { Part } from './part.ts';

export type Fault = {
  readonly name: string;
  readonly marks: readonly (readonly [kind: MarkKind, part?: string])[];
  readonly inject: () => Promise<void> | void;
  readonly lastsMs: number;
  readonly recover: () => Promise<void> | void;
};

export type Surroundings = {
  readonly cluster: Cluster;
  readonly recorder: Recorder;
  readonly redis: Part;
  readonly redisProxy: FaultProxy;
  readonly database: Part;
  readonly databaseProxy: FaultProxy;
  readonly balancerProxy: FaultProxy;
};

const nothing = () => {};

export function everyFault(surroundings: Surroundings): Fault[] {
  return [
    ...gatewayFaults(surroundings.cluster),
    ...redisFaults(surroundings),
    ...databaseFaults(surroundings),
    ...balancerFaults(surroundings),
  ];
}

function gatewayFaults({ gateway }: Cluster): Fault[] {
  const [a, b, c] = [gateway('a'), gateway('b'), gateway('c')];
  let stopSlowing = nothing;
  return [
    {
      name: 'gateway killed',
      marks: [['gateway-down', 'b']],
      inject: b.kill,
      lastsMs: 2_000,
      recover: b.start,
    },
    {
      name: 'gateway paused',
      marks: [['gateway-paused', 'c']],
      inject: c.pause,
      lastsMs: 3_000,
      recover: c.resume,
    },
    {
      name: 'gateway restarted',
      marks: [['gateway-down', 'a']],
      async inject() {
        await a.terminate();
      },
      lastsMs: 0,
      recover: a.start,
    },
    {
      name: 'gateway slow',
      marks: [['gateway-slow', 'b']],
      inject() {
        stopSlowing = slow(b);
      },
      lastsMs: 3_000,
      recover: () => stopSlowing(),
    },
  ];
}

/** A process that gets a fifth of its time, in small pieces. */
function slow(part: GatewayPart): () => void {
  part.pause();
  const timers = [setInterval(part.pause, 50)];
  const offset = setTimeout(() => timers.push(setInterval(part.resume, 50)), 40);
  return () => {
    clearTimeout(offset);
    timers.forEach(clearInterval);
    part.resume();
  };
}

function redisFaults({ recorder, redis, redisProxy }: Surroundings): Fault[] {
  const marks: Fault['marks'] = [['counters-away']];
  const kill = async () => {
    recorder.note('counters-emptied');
    await redis.kill();
  };
  return [
    { name: 'Redis killed', marks, inject: kill, lastsMs: 4_000, recover: redis.start },
    { name: 'Redis paused', marks, inject: redis.pause, lastsMs: 4_000, recover: redis.resume },
    { name: 'Redis restarted', marks, inject: kill, lastsMs: 0, recover: redis.start },
    {
      name: 'Redis slow',
      marks,
      inject: () => redisProxy.set({ kind: 'latency', ms: 200 }),
      lastsMs: 4_000,
      recover: () => redisProxy.set({ kind: 'none' }),
    },
  ];
}

function databaseFaults({ database, databaseProxy }: Surroundings): Fault[] {
  const marks: Fault['marks'] = [['database-away']];
  return [
    { name: 'PostgreSQL killed', marks, inject: database.kill, lastsMs: 3_000, recover: database.start },
    { name: 'PostgreSQL paused', marks, inject: database.pause, lastsMs: 4_000, recover: database.resume },
    { name: 'PostgreSQL restarted', marks, inject: database.kill, lastsMs: 0, recover: database.start },
    {
      name: 'PostgreSQL slow',
      marks,
      inject: () => databaseProxy.set({ kind: 'latency', ms: 150 }),
      lastsMs: 3_000,
      recover: () => databaseProxy.set({ kind: 'none' }),
    },
  ];
}

function balancerFaults({ cluster: { balancer }, balancerProxy }: Surroundings): Fault[] {
  if (balancer === undefined) return [];
  const marks: Fault['marks'] = [['balancer-away']];
  return [
    { name: 'balancer killed', marks, inject: balancer.kill, lastsMs: 1_000, recover: balancer.start },
    { name: 'balancer paused', marks, inject: balancer.pause, lastsMs: 2_000, recover: balancer.resume },
    {
      name: 'balancer restarted',
      marks,
      async inject() {
        await balancer.terminate();
      },
      lastsMs: 0,
      recover: balancer.start,
    },
    {
      name: 'balancer slow',
      marks,
      inject: () => balancerProxy.set({ kind: 'latency', ms: 200 }),
      lastsMs: 2_000,
      recover: () => balancerProxy.set({ kind: 'none' }),
    },
  ];
}
