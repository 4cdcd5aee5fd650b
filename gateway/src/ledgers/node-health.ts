/** Watches a node: probes it regularly, rests it after a failure, and excludes it while it is on another chain. */

import { backOffMs } from '../platform/back-off.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { TimerWheel } from '../platform/timer-wheel.ts';
import { nodeFaults } from './node-faults.ts';
import { createNodeStatus, type NodeStatus } from './node-status.ts';
import type { FailedTry, NodeTransport, TryReply } from './node-transport.ts';

export type WatchedNode = Pick<NodeTransport, 'nodeId' | 'send' | 'sendBatch'> & {
  /** Whether it has failed and not answered since: other nodes are asked first. */
  readonly isResting: () => boolean;
  /** Milliseconds from a failure to the next probe: the longer, the less likely the node is to work. 0 while healthy. */
  readonly restMs: () => number;
  /** Whether it was last found on another chain: it is not asked at all. */
  readonly isOut: () => boolean;
  /** The number of its latest outage. Read it before a try, and pass it to `note` with the outcome. */
  readonly outage: () => number;
  /** Notes the outcome of a try that began during or after the given outage. */
  readonly note: (reply: TryReply<unknown>, outage: number) => void;
  /** The height of its newest block as it last told it; undefined before that. */
  readonly head: () => number | undefined;
  /** Notes a height that it told in an answer. Only a probe lowers it: answers may come out of order. */
  readonly noteHead: (height: number) => void;
  /** What its probes have found. */
  readonly status: () => NodeStatus;
  /** Probes it now, and from then on at every interval. */
  readonly start: () => void;
  readonly close: () => void;
};

/** A failed node is probed after `firstMs`, which doubles with every failed probe, and with every failure that follows another without an answered call in between. */
const rests = { firstMs: 1_000, longestMs: 30_000 };
/** A provider's `Retry-After` is honoured up to this. */
const longestToldRestMs = 300_000;

export type NodeHealthParts = {
  readonly log: Log;
  readonly timerWheel: TimerWheel;
  readonly clock: Pick<Clock, 'now'>;
  /** The identity of its chain, for the log. */
  readonly identity: string;
  readonly intervalMs: number;
};

export function watchNode(
  transport: NodeTransport,
  { log, timerWheel, clock, identity, intervalMs }: NodeHealthParts,
): WatchedNode {
  const { nodeId } = transport;
  const status = createNodeStatus(clock);
  let state: 'healthy' | 'resting' | 'out' = 'healthy';
  let outages = 0;
  /** Failures since the last answered call. */
  let strikes = 0;
  /** Determines the length of the next rest; counts failures in a row, from 1. */
  let nthRest = 1;
  /** Whether the provider named the duration: then an answered call does not end the rest. */
  let isTold = false;
  let head: number | undefined;
  let closed = false;
  let cancel = () => {};

  const probeIn = (ms: number) => {
    cancel();
    if (closed) return;
    const deadline = timerWheel.arm(ms, () => void probe());
    cancel = () => timerWheel.disarm(deadline);
  };

  const probe = async () => {
    const before = outages;
    const reply = await transport.probe();
    if (closed) return;
    status.note(reply);
    if (reply.ok && reply.blockHeight !== undefined) head = reply.blockHeight;
    // An outage that began meanwhile has its own probe.
    if (outages !== before) return;
    if (reply.ok) recover();
    else if (reply.foundChain !== undefined) keepOut(reply.foundChain);
    else if (state === 'healthy') rest(reply);
    else restLonger(reply);
  };

  const restMs = () => backOffMs(rests, nthRest);

  const recover = () => {
    if (state !== 'healthy') log.info('node.recovered', { nodeId });
    state = 'healthy';
    probeIn(intervalMs);
  };

  const rest = (failed: FailedTry) => {
    const { fault, mayHaveArrived, detail } = failed;
    state = 'resting';
    outages++;
    strikes++;
    const told = toldMs(failed);
    isTold = told > 0;
    nthRest = strikes;
    const isFirstSlowness = nodeFaults[fault].node === 'probed' && strikes === 1;
    log.warn('node.failed', { nodeId, failure: fault, sent: mayHaveArrived, detail });
    // When a node hangs, its open connections may hang as well.
    transport.release(fault === 'timeout');
    probeIn(Math.max(told, isFirstSlowness ? 0 : restMs()));
  };

  const restLonger = (failed: FailedTry) => {
    nthRest++;
    const told = toldMs(failed);
    isTold ||= told > 0;
    probeIn(Math.max(told, restMs()));
  };

  const keepOut = (found: string) => {
    if (state === 'out') nthRest++;
    else {
      outages++;
      nthRest = 1;
      log.error('node.wrong-chain', { nodeId, expected: identity, found });
    }
    state = 'out';
    transport.release(true);
    probeIn(restMs());
  };

  return {
    nodeId,
    send: transport.send,
    sendBatch: transport.sendBatch,
    isResting: () => state !== 'healthy',
    restMs: () => (state === 'healthy' ? 0 : restMs()),
    isOut: () => state === 'out',
    outage: () => outages,
    note(reply, outage) {
      if (reply.ok) {
        strikes = 0;
        // An answer to a call from before the outage proves nothing.
        if (state === 'resting' && outage === outages && !isTold) recover();
      } else if (reply.foundChain !== undefined) {
        if (state !== 'out') keepOut(reply.foundChain);
      } else if (state === 'healthy' && outage === outages && nodeFaults[reply.fault].node !== 'nothing') rest(reply);
    },
    head: () => head,
    noteHead(height) {
      if (head === undefined || height > head) head = height;
    },
    status: status.current,
    start: () => probeIn(0),
    close: () => {
      closed = true;
      cancel();
    },
  };
}

function toldMs({ retryAfterMs = 0 }: FailedTry): number {
  return Math.min(longestToldRestMs, retryAfterMs);
}
