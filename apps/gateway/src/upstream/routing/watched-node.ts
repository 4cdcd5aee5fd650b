/** Watches a node: its health checks, its circuit breaker, and whether it is on the configured chain. */

import { backOffMs } from '@flowgate/async/back-off';
import type { TimerWheel } from '@flowgate/async/timer-wheel';
import type { Clock } from '@flowgate/base/clock';
import type { Log } from '@flowgate/telemetry/log';
import { isAnswer, nodeFaults } from '../port/node-faults.ts';
import { createNodeStatus, type NodeStatus } from '../port/node-status.ts';
import type { FailedTry, NodeTransport, TryReply } from '../port/node-transport.ts';
import { CircuitBreaker, type Ticket, uncounted } from './circuit-breaker.ts';
import type { Circuit, NodeFigures } from './node-figures.ts';
import { NodeLoad } from './node-load.ts';

export type WatchedNode = Pick<NodeTransport, 'nodeId' | 'send' | 'sendBatch'> & {
  /** Nodes of a higher tier are asked if no node of a lower tier is a candidate. */
  readonly tier: number;
  readonly load: NodeLoad;
  /** Whether the node is asked only if no other is left: its circuit is open, the ramp's limit is reached, or it is cooling down. */
  readonly isCircuitOpen: () => boolean;
  /** Whether the next call may be the circuit breaker's probe. */
  readonly isDue: (nowMs: number) => boolean;
  /** Milliseconds for which the circuit is open or the node cools down; 0 otherwise. A longer time means less hope. */
  readonly coolDownMs: () => number;
  /** Whether its last call failed, or the gateway's own last request. */
  readonly hasFailedLast: () => boolean;
  /** Whether its health checks fail. */
  readonly isUnhealthy: () => boolean;
  /** Whether the node was last found on another chain. It then receives no calls. */
  readonly isOut: () => boolean;
  /** Whether it is too far behind the other nodes of its network. */
  readonly isBehind: () => boolean;
  readonly setBehind: (isBehind: boolean, lagBlocks: number) => void;
  /** Begins a caller's try. Its ticket must be passed to `note` or `drop` exactly once. Requests of the gateway itself use `uncounted`. */
  readonly take: (nowMs: number) => Ticket;
  /** Records the outcome of a try. */
  readonly note: (reply: TryReply<unknown>, ticket: Ticket) => void;
  /** Ends a try whose outcome says nothing about the node. */
  readonly drop: (ticket: Ticket) => void;
  /** The height of the newest block that the node reported; undefined before the first. */
  readonly head: () => number | undefined;
  /** Records a height that an answer showed. Only a health check lowers it, because answers may arrive out of order. */
  readonly noteHead: (height: number) => void;
  /** Calls `reported` with each new height, and with undefined after the node was found on another chain. There is one follower. */
  readonly followHead: (reported: (height: number | undefined) => void) => void;
  /** The result of its health checks. */
  readonly status: () => NodeStatus;
  readonly circuit: () => Circuit;
  readonly figures: () => NodeFigures;
  /** Checks the node now and at each interval. */
  readonly start: () => void;
  readonly close: () => void;
};

/** Pause after a failed check; it doubles with each further failure. */
const checks = { firstMs: 1_000, maxMs: 30_000 };
/** Upper bound of a node's `Retry-After`. */
const maxCoolDownMs = 300_000;
/** Minimum time between two log lines about single failures of a node. */
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
  const breaker = new CircuitBreaker();
  let isOut = false;
  let hasFailedLast = false;
  /** Whether the gateway's own last request failed. */
  let hasOwnRequestFailed = false;
  let isBehind = false;
  let lagBlocks: number | undefined;
  /** 0 if the node has sent no `Retry-After`. */
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
    } else if (reply.foundChain !== undefined) exclude(reply.foundChain);
    else {
      failedChecks++;
      if (failedChecks === 1 && !hasFailedLast) log.warn('node.failed', reported(reply));
      checkIn(Math.max(requestedDelayMs(reply), backOffMs(checks, failedChecks)));
    }
  };

  const exclude = (found: string) => {
    failedChecks = isOut ? failedChecks + 1 : 1;
    if (!isOut) log.error('node.wrong-chain', { nodeId, expected: identity, found });
    isOut = true;
    // A head of another chain cannot be compared.
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
      if (!hasOwnRequestFailed && !hasFailedLast) log.warn('node.failed', reported(failed));
      hasOwnRequestFailed = true;
      return;
    }
    const opens = breaker.failed(ticket, nowMs, failed.maybeDelivered);
    if (opens) {
      log.warn('node.circuit-open', reported(failed));
      // If a node hangs, its open connections may hang as well.
      transport.release(failed.fault === 'timeout');
      // An early check updates the displayed status; only calls affect the circuit breaker.
      if (started && nextCheckMs - nowMs > checks.firstMs) checkIn(checks.firstMs);
    } else if (!hasFailedLast && nowMs >= quietUntilMs) {
      log.warn('node.failed', reported(failed));
      quietUntilMs = nowMs + quietMs;
    }
    hasFailedLast = true;
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
    coolDownMs: () => Math.max(breaker.waitMs, openUntilMs === 0 ? 0 : openUntilMs - clock.monotonic()),
    hasFailedLast: () => hasFailedLast || hasOwnRequestFailed,
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
          hasOwnRequestFailed = false;
          return;
        }
        hasFailedLast = false;
        if (breaker.succeeded(ticket)) log.info('node.recovered', { nodeId });
      } else if (reply.foundChain !== undefined) {
        breaker.dropped(ticket);
        if (!isOut) exclude(reply.foundChain);
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
