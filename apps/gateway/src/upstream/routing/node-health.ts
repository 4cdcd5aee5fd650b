/** Watches a node: its health checks, the circuit breaker that its calls decide, and whether it is on its chain. */

import { backOffMs } from '@flowgate/async/back-off';
import type { TimerWheel } from '@flowgate/async/timer-wheel';
import type { Clock } from '@flowgate/base/clock';
import type { Log } from '@flowgate/telemetry/log';
import { isAnswer, nodeFaults } from '../port/node-faults.ts';
import { createNodeStatus, type NodeStatus } from '../port/node-status.ts';
import type { FailedTry, NodeTransport, TryReply } from '../port/node-transport.ts';
import { Breaker, type Ticket, uncounted } from './breaker.ts';
import { NodeLoad } from './latency.ts';
import type { Circuit, NodeFigures } from './node-figures.ts';

export type WatchedNode = Pick<NodeTransport, 'nodeId' | 'send' | 'sendBatch'> & {
  /** Those of a higher tier are asked when none of a lower one is a candidate. */
  readonly tier: number;
  /** How quick it is, and how many calls it has. */
  readonly load: NodeLoad;
  /** Whether it is asked only when no other is left: its breaker is open or lets no further call through, or it has asked not to be called yet. */
  readonly isCircuitOpen: () => boolean;
  /** Whether the next call may probe it. */
  readonly isDue: (nowMs: number) => boolean;
  /** Milliseconds that it rests: the longer, the less likely it is to work. 0 while it does not. */
  readonly restMs: () => number;
  /** Whether its last call failed, or the gateway's own last question. */
  readonly isDoubtful: () => boolean;
  /** Whether its health checks fail. */
  readonly isUnhealthy: () => boolean;
  /** Whether it was last found on another chain: it is not asked at all. */
  readonly isOut: () => boolean;
  /** Whether it is too far behind the other nodes of its network; they decide that. */
  readonly isBehind: () => boolean;
  readonly setBehind: (isBehind: boolean, lagBlocks: number) => void;
  /** A caller's try begins. Its ticket is to be passed to `note` or `drop` once; for a question of the gateway itself, pass `uncounted`. */
  readonly take: (nowMs: number) => Ticket;
  /** Notes the outcome of a try. */
  readonly note: (reply: TryReply<unknown>, ticket: Ticket) => void;
  /** Ends a try whose outcome says nothing about the node. */
  readonly drop: (ticket: Ticket) => void;
  /** The height of its newest block as it last told it; undefined before that. */
  readonly head: () => number | undefined;
  /** Notes a height that it told in an answer. Only a health check lowers it: answers may come out of order. */
  readonly noteHead: (height: number) => void;
  /** `told` is told each height that it tells from now on, and undefined when it was found on another chain. One at a time. */
  readonly followHead: (reported: (height: number | undefined) => void) => void;
  /** What its health checks have found. */
  readonly status: () => NodeStatus;
  readonly circuit: () => Circuit;
  readonly figures: () => NodeFigures;
  /** Checks it now, and from then on at every interval. */
  readonly start: () => void;
  readonly close: () => void;
};

/** A check that failed is repeated after `firstMs`, which doubles with every further one that fails. */
const checks = { firstMs: 1_000, maxMs: 30_000 };
/** A provider's `Retry-After` is honoured up to this. */
const maxCoolDownMs = 300_000;
/** Of a node that fails now and then, one line of the log in this time. */
const quietMs = 10_000;

export type NodeHealthDeps = {
  readonly log: Log;
  readonly timerWheel: TimerWheel;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** The identity of its chain, for the log. */
  readonly identity: string;
  readonly intervalMs: number;
  readonly tier?: number | undefined;
};

export function watchNode(
  transport: NodeTransport,
  { log, timerWheel, clock, identity, intervalMs, tier = 0 }: NodeHealthDeps,
): WatchedNode {
  const { nodeId } = transport;
  const status = createNodeStatus(clock);
  const breaker = new Breaker();
  let isOut = false;
  let isDoubtful = false;
  /** Whether the gateway's own latest question failed. */
  let failsOwn = false;
  let isBehind = false;
  let lagBlocks: number | undefined;
  /** 0 when it has not asked for a rest. */
  let openUntilMs = 0;
  let quietUntilMs = 0;
  /** Checks that failed in a row. */
  let failedChecks = 0;
  let head: number | undefined;
  let headReported: (height: number | undefined) => void = () => {};
  let started = false;
  let closed = false;
  let cancel = () => {};
  let nextCheckMs = Number.POSITIVE_INFINITY;

  const checkIn = (ms: number) => {
    cancel();
    if (closed) return;
    nextCheckMs = clock.monotonic() + ms;
    const deadline = timerWheel.arm(ms, () => void check());
    cancel = () => timerWheel.disarm(deadline);
  };

  const setHead = (height: number | undefined) => {
    head = height;
    headReported(height);
  };

  const check = async () => {
    const reply = await transport.probe();
    if (closed) return;
    status.note(reply);
    if (reply.ok) {
      failedChecks = 0;
      if (isOut) log.info('node.recovered', { nodeId });
      isOut = false;
      if (reply.blockHeight !== undefined) setHead(reply.blockHeight);
      checkIn(intervalMs);
    } else if (reply.foundChain !== undefined) keepOut(reply.foundChain);
    else {
      failedChecks++;
      if (failedChecks === 1 && !isDoubtful) log.warn('node.failed', reported(reply));
      checkIn(Math.max(requestedDelayMs(reply), backOffMs(checks, failedChecks)));
    }
  };

  const keepOut = (found: string) => {
    failedChecks = isOut ? failedChecks + 1 : 1;
    if (!isOut) log.error('node.wrong-chain', { nodeId, expected: identity, found });
    isOut = true;
    // What it told of another chain compares with nothing.
    setHead(undefined);
    transport.release(true);
    checkIn(backOffMs(checks, failedChecks));
  };

  const reported = ({ fault, maybeDelivered, detail }: FailedTry) => ({
    ...{ nodeId, failure: fault, sent: maybeDelivered, detail },
  });

  const fail = (failed: FailedTry, ticket: Ticket) => {
    const nowMs = clock.monotonic();
    const coolDownMs = requestedDelayMs(failed);
    if (coolDownMs > 0) {
      if (!breaker.isOpen && !isCoolingDown()) transport.release(false);
      openUntilMs = Math.max(openUntilMs, nowMs + coolDownMs);
    }
    if (ticket === uncounted) {
      if (!failsOwn && !isDoubtful) log.warn('node.failed', reported(failed));
      failsOwn = true;
      return;
    }
    const opens = breaker.failed(ticket, nowMs, failed.maybeDelivered);
    if (opens) {
      log.warn('node.resting', reported(failed));
      // When a node hangs, its open connections may hang as well.
      transport.release(failed.fault === 'timeout');
      // Whoever looks at its status learns sooner what calls have found; the breaker goes by calls alone.
      if (started && nextCheckMs - nowMs > checks.firstMs) checkIn(checks.firstMs);
    } else if (!isDoubtful && nowMs >= quietUntilMs) {
      log.warn('node.failed', reported(failed));
      quietUntilMs = nowMs + quietMs;
    }
    isDoubtful = true;
  };

  const isCoolingDown = () => openUntilMs !== 0 && clock.monotonic() < openUntilMs;
  const isCircuitOpen = () => breaker.isAvoided || isCoolingDown();

  const circuit = (): Circuit => {
    const nowMs = clock.monotonic();
    const state = breaker.stateAt(nowMs);
    const coolsDownMs = openUntilMs === 0 ? 0 : Math.max(0, openUntilMs - nowMs);
    if (state === 'closed') return coolsDownMs === 0 ? { state } : { state: 'cooling-down', retryAfterMs: coolsDownMs };
    const retryAfterMs = Math.max(coolsDownMs, state === 'open' ? breaker.probeAtMs - nowMs : 0);
    return retryAfterMs === 0 ? { state } : { state: 'open', retryAfterMs };
  };
  const load = new NodeLoad();

  return {
    nodeId,
    tier,
    load,
    send: transport.send,
    sendBatch: transport.sendBatch,
    isCircuitOpen,
    isDue: (nowMs) => breaker.isDue(nowMs) && !isCoolingDown(),
    restMs: () => Math.max(breaker.waitMs, openUntilMs === 0 ? 0 : openUntilMs - clock.monotonic()),
    isDoubtful: () => isDoubtful || failsOwn,
    isUnhealthy: () => status.current().status === 'unhealthy',
    isOut: () => isOut,
    isBehind: () => isBehind,
    setBehind: (now, blocks) => {
      isBehind = now;
      lagBlocks = blocks;
    },
    take: (nowMs) => breaker.begin(nowMs),
    note(reply, ticket) {
      if (reply.ok || isAnswer(nodeFaults[reply.fault])) {
        if (ticket === uncounted) {
          failsOwn = false;
          return;
        }
        isDoubtful = false;
        if (breaker.succeeded(ticket)) log.info('node.recovered', { nodeId });
      } else if (reply.foundChain !== undefined) {
        breaker.dropped(ticket);
        if (!isOut) keepOut(reply.foundChain);
      } else if (isOut || nodeFaults[reply.fault].node === 'nothing') breaker.dropped(ticket);
      else fail(reply, ticket);
    },
    drop: (ticket) => breaker.dropped(ticket),
    head: () => head,
    noteHead: (height) => setHead(head === undefined ? height : Math.max(head, height)),
    followHead: (reported) => {
      headReported = reported;
    },
    status: status.current,
    circuit,
    figures: () => ({
      ...load.recent.figures(clock.monotonic()),
      circuit: circuit(),
      head,
      lagBlocks: head === undefined ? undefined : lagBlocks,
    }),
    start: () => {
      started = true;
      checkIn(0);
    },
    close: () => {
      closed = true;
      cancel();
    },
  };
}

function requestedDelayMs({ retryAfterMs = 0 }: FailedTry): number {
  return Math.min(maxCoolDownMs, retryAfterMs);
}
