/** Watches a node: probes it now and then, lets one that failed rest, and keeps one of another chain out until it is right. */

import type { Clock } from '../platform/clock.ts';
import type { Http1Call } from '../platform/http1/http1-call.ts';
import type { Http1Reply } from '../platform/http1/http1-reply.ts';
import type { Log } from '../platform/log.ts';
import type { TimerWheel } from '../platform/timer-wheel.ts';
import { otherChainIn, proveChain } from './chain-proof.ts';
import { faultOf, type NodeFault, nodeFaults } from './node-faults.ts';
import type { NodeTransport } from './node-transport.ts';
import { retryAfterMs } from './retry-after.ts';

export type WatchedNode = {
  readonly nodeId: string;
  readonly send: (body: string, call: Http1Call) => Promise<Http1Reply>;
  /** Whether it failed and has not answered since: others are asked first. */
  readonly isResting: () => boolean;
  /** How long it rests until the next probe, in milliseconds: the longer, the less is to be expected of it. 0 while healthy. */
  readonly restMs: () => number;
  /** Whether it was last found on another chain: it is not asked at all. */
  readonly isOut: () => boolean;
  /** Which of its outages was the last to begin: to be read before a try and told with what came of it. */
  readonly outage: () => number;
  /** What came of a try that began after the given outage had begun: undefined for an answer. */
  readonly note: (fault: NodeFault | undefined, reply: Http1Reply, outage: number) => void;
  /** No connection that is open now carries another call: an answer did not fit, and nobody knows any more which one it came on. */
  readonly distrust: () => void;
  /** Probes it, and from then on at every interval. */
  readonly start: () => void;
  readonly close: () => void;
};

/** A failed node is probed after this long; doubling with every probe that fails, and with every failure without an answered call in between. */
const firstRestMs = 1_000;
const longestRestMs = 30_000;
/** A provider's `Retry-After` is honoured up to this. */
const longestToldRestMs = 300_000;

export type NodeHealthParts = {
  readonly log: Log;
  readonly timerWheel: TimerWheel;
  readonly clock: Pick<Clock, 'now'>;
  readonly chainId: number;
  readonly intervalMs: number;
};

export function watchNode(
  transport: NodeTransport,
  { log, timerWheel, clock, chainId, intervalMs }: NodeHealthParts,
): WatchedNode {
  const { nodeId } = transport;
  let state: 'healthy' | 'resting' | 'out' = 'healthy';
  let outages = 0;
  /** Failures since it last answered a call. */
  let strikes = 0;
  let restMs = firstRestMs;
  /** Whether the provider said how long: then an answered call does not end the rest. */
  let isTold = false;
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
    // An outage that began meanwhile has its own probe.
    if (closed || outages !== before) return;
    const proof = reply.ok ? proveChain(chainId, reply.status, reply.body) : undefined;
    if (proof?.kind === 'right') recover();
    else if (proof?.kind === 'wrong') keepOut(proof.found);
    else if (state === 'healthy') rest(faultOf(reply, undefined) ?? 'unusable', reply, proof?.detail);
    else restLonger(reply);
  };

  const recover = () => {
    if (state !== 'healthy') log.info('node.recovered', { nodeId });
    state = 'healthy';
    probeIn(intervalMs);
  };

  const rest = (fault: NodeFault, reply: Http1Reply, detail = detailOf(reply)) => {
    state = 'resting';
    outages++;
    strikes++;
    const told = toldMs(reply);
    isTold = told > 0;
    restMs = Math.min(longestRestMs, firstRestMs * 2 ** (strikes - 1));
    const isFirstSlowness = nodeFaults[fault].node === 'probed' && strikes === 1;
    log.warn('node.failed', { nodeId, failure: fault, sent: reply.ok || reply.sent, detail });
    // What a node that hangs was connected by may hang with it.
    transport.release(fault === 'timeout');
    probeIn(Math.max(told, isFirstSlowness ? 0 : restMs));
  };

  const restLonger = (reply: Http1Reply) => {
    restMs = Math.min(longestRestMs, restMs * 2);
    const told = toldMs(reply);
    isTold ||= told > 0;
    probeIn(Math.max(told, restMs));
  };

  const keepOut = (found: string) => {
    if (state === 'out') restMs = Math.min(longestRestMs, restMs * 2);
    else {
      outages++;
      restMs = firstRestMs;
      log.error('node.wrong-chain', { nodeId, expected: String(chainId), found });
    }
    state = 'out';
    transport.release(true);
    probeIn(restMs);
  };

  const toldMs = (reply: Http1Reply): number =>
    reply.ok && reply.retryAfter !== undefined
      ? Math.min(longestToldRestMs, retryAfterMs(reply.retryAfter, clock.now()))
      : 0;

  return {
    nodeId,
    send: transport.send,
    isResting: () => state !== 'healthy',
    restMs: () => (state === 'healthy' ? 0 : restMs),
    isOut: () => state === 'out',
    outage: () => outages,
    note(fault, reply, outage) {
      const found = fault === 'unfit' && !reply.ok ? otherChainIn(reply.detail) : undefined;
      if (fault === undefined) {
        strikes = 0;
        // Answers to what was sent before the outage began prove nothing.
        if (state === 'resting' && outage === outages && !isTold) recover();
      } else if (found !== undefined) {
        if (state !== 'out') keepOut(found);
      } else if (state === 'healthy' && outage === outages && nodeFaults[fault].node !== 'nothing') rest(fault, reply);
    },
    distrust: () => transport.release(true),
    start: () => probeIn(0),
    close: () => {
      closed = true;
      cancel();
    },
  };
}

function detailOf(reply: Http1Reply): string {
  return reply.ok ? `HTTP ${reply.status}` : reply.detail;
}
