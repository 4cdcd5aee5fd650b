/** The port of several nodes. Each call goes to the best candidate, and to the next one if that fails. A call that was maybe delivered is repeated only if it is repeatable. */

import type { TimerWheel } from '@flowgate/async/timer-wheel';
import type { Clock } from '@flowgate/base/clock';
import type { BatchAnswer, CallTerms, NodeAnswer, NodePort } from '../port/node-port.ts';
import {
  batched,
  CallAttempts,
  type CallAttemptsDeps,
  type PoolMembers,
  type Reply,
  single,
  triesInTime,
  type Way,
} from './call-attempts.ts';
import type { PooledNode } from './candidates.ts';
import { completeBatch, openPlaces } from './complete-batch.ts';
import { HedgeBudget } from './hedge-budget.ts';
import { HedgedCallAttempts, type Hedging } from './hedged-call-attempts.ts';
import { createMethodClasses, type MethodClasses } from './node-load.ts';
import { defaultRouting, type HedgeSettings, percentileShare, type RoutingSettings } from './routing-settings.ts';

export type NodePoolDeps = {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Milliseconds for the whole call with all tries. */
  readonly timeoutMs: number;
};

/** Needed only by a pool of several nodes. */
export type PoolRouting = {
  readonly settings: RoutingSettings;
  readonly classes: MethodClasses;
  /** A random number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
  /** With short ticks. */
  readonly timers: Pick<TimerWheel, 'arm' | 'disarm'>;
};

const noClasses = createMethodClasses([]);

/** A pool of fixed nodes. Without `routing`, nodes are asked in their order. */
export function createNodePool(nodes: readonly PooledNode[], deps: NodePoolDeps, routing?: PoolRouting): NodePort {
  return createChangingPool({ nodes }, deps, routing);
}

/** A pool of nodes that may change. A call takes at most the pool's time, or its own if that is shorter. `node-faults` defines the meaning of each failure. */
export function createChangingPool(members: PoolMembers, pool: NodePoolDeps, routing?: PoolRouting): NodePort {
  const { strategy, attempts, hedge } = routing?.settings ?? { ...defaultRouting, strategy: 'ordered' };
  const ofEveryCall: CallAttemptsDeps = {
    ...pool,
    attempts,
    choice: { strategy, random: routing?.random ?? (() => 0) },
    classes: routing?.classes ?? noClasses,
    timers: routing?.timers,
  };
  const hedging = routing && hedge && createHedging(hedge, members, routing);
  function ask<Call extends CallTerms, Answer extends NodeAnswer | BatchAnswer>(
    way: Way<Call, Answer>,
    call: Call,
    deps: CallAttemptsDeps = ofEveryCall,
  ): Promise<Reply<Answer>> {
    return hedging !== undefined && call.repeatable && members.nodes.length > 1
      ? new HedgedCallAttempts(members, deps, way, call, hedging).ask()
      : new CallAttempts(members, deps, way, call).tryNext();
  }
  return {
    send: (call) => ask(single, call),
    sendBatch(batch) {
      if (!batch.repeatable || members.nodes.length < 2 || batch.onlyNode !== undefined) return ask(batched, batch);
      const wholeMs = Math.min(batch.timeoutMs ?? pool.timeoutMs, pool.timeoutMs);
      const endMs = pool.clock.monotonic() + wholeMs;
      // Answered elements wait for the repeated ones, so repetition gets only a part of the time.
      const againMs = wholeMs / triesInTime;
      return ask(batched, batch).then((reply) =>
        openPlaces(reply) === undefined
          ? reply
          : completeBatch(batch, reply, {
              attempts,
              leftMs: () => Math.min(againMs, endMs - pool.clock.monotonic()),
              ask: (rest, left) => ask(batched, rest, { ...ofEveryCall, attempts: left }),
            }),
      );
    },
  };
}

function createHedging({ afterMs, maxPercent }: HedgeSettings, members: PoolMembers, { timers }: PoolRouting): Hedging {
  const share = typeof afterMs === 'string' ? percentileShare(afterMs) : undefined;
  const fixedMs = typeof afterMs === 'number' ? afterMs : undefined;
  return {
    budget: new HedgeBudget(maxPercent),
    timers,
    afterMs: (node, methodClass) =>
      share === undefined ? fixedMs : node.load.percentileMs(methodClass, share, loadsOf(members)),
  };
}

function* loadsOf({ nodes }: PoolMembers): Generator<PooledNode['load']> {
  for (const { load } of nodes) yield load;
}
