/** Repeats a call whose answer is older than the reported head: first at another node, then at growing intervals, in which nodes catch up. */

import type { TimerWheel } from '@flowgate/async/timer-wheel';
import type {
  CallPort,
  JsonText,
  NodeAnswer,
  NodeCall,
  NodeFailure,
  NodeReply,
} from '../../../upstream/port/node-port.ts';
import { type TimeDeps, within } from './call-time.ts';
import { type EvaluateAnswerDeps, type Evaluated, evaluateAnswer } from './evaluate-answer.ts';
import { minHeight, type NeededHeight } from './needed-height.ts';

export type AskAgainDeps = EvaluateAnswerDeps &
  TimeDeps & {
    /** Whether an error is about the node and not about the call. */
    readonly isNodeError: (error: JsonText) => boolean;
  };

/** A call whose answer is evaluated. `endMs`: the end of its time. */
export type EvaluatedCall = {
  readonly port: CallPort;
  readonly call: NodeCall;
  readonly needed: NeededHeight;
  readonly endMs: number;
};

type Reply = NodeReply<NodeAnswer>;

/** Milliseconds before each repeated call. Nodes of every chain catch up with each other within these intervals. */
const pauses: Readonly<Record<Exclude<Evaluated, 'good'>, readonly number[]>> = {
  wrong: [0, 100, 250, 500, 1_000, 2_000, 4_000],
  // No caller has seen the block: the caller repeats the call once it exists.
  beyond: [],
  absent: [0, 100, 250],
};

/** Failures after which another node may answer, or the same node later. */
const passing: ReadonlySet<NodeFailure> = new Set(['unreachable', 'timeout', 'refused', 'unusable']);

/** The part of the remaining time for the other nodes while one is excluded: all of them may hang. */
const shareWithout = 1 / 3;

/** A result that is still absent at the end is returned; an answer older than the reported head never is. */
export async function askAgain(
  deps: AskAgainDeps,
  { port, call, needed, endMs }: EvaluatedCall,
  first: Reply,
  evaluated: Exclude<Evaluated, 'good'>,
): Promise<Reply> {
  const { heads, clock } = deps;
  let reply = first;
  let verdict: Evaluated = evaluated;
  let attempts = first.attempts ?? 1;
  let lacked = reachedBy(deps, first, needed);
  let reached = lacked;
  for (const pauseMs of pauses[evaluated]) {
    if (clock.monotonic() + pauseMs >= endMs) break;
    if (pauseMs > 0) await pause(deps.timerWheel, pauseMs);
    if (call.caller?.request.signal.aborted === true) {
      release(reply);
      return { ok: false, failure: 'abandoned', maybeDelivered: true, attempts };
    }
    // Meanwhile the chain may have been rolled back, and other nodes may have caught up.
    await within(deps, endMs, heads.refresh(), undefined);
    const leftMs = endMs - clock.monotonic();
    if (leftMs <= 0) break;
    const min = minHeight(needed, heads.reportedHeight());
    release(reply);
    const wasBehind = reply.ok && (lacked !== undefined || reply.behind?.has(reply.nodeId) === true);
    const leftOut = reply.ok ? without(deps, call.leftOut, reply.nodeId, min, wasBehind) : call.leftOut;
    const timeoutMs = leftOut === call.leftOut ? leftMs : leftMs * shareWithout;
    reply = await port.send({ ...call, leftOut, fromHeight: min < 0 ? undefined : min, timeoutMs });
    attempts += reply.attempts ?? 1;
    if (!reply.ok) {
      if (passing.has(reply.failure)) continue;
      return { ...reply, attempts };
    }
    lacked = reachedBy(deps, reply, needed);
    reached = lacked ?? reached;
    const found = evaluateAnswer(deps, call, needed, reply.nodeId, reply.answer, reply.behind);
    verdict = found instanceof Promise ? await within(deps, endMs, found, 'wrong') : found;
    // A node that cannot answer now says nothing about the block: another node may have it.
    if (verdict === 'good' && !(evaluated === 'wrong' && isRefusal(deps, reply))) return { ...reply, attempts };
  }
  if (verdict === 'good') return { ...reply, attempts };
  if (verdict === 'absent') return { ...reply, attempts };
  release(reply);
  if (verdict === 'beyond') reached = heads.head()?.number;
  return { ok: false, failure: 'not-reached', maybeDelivered: true, attempts, reached };
}

function isRefusal({ isNodeError }: AskAgainDeps, reply: Reply): boolean {
  return reply.ok && reply.answer.kind === 'error' && isNodeError(reply.answer.raw);
}

/** The newest block of a node that lacks the block that the call needs. */
function reachedBy({ heads }: AskAgainDeps, reply: Reply, needed: NeededHeight): number | undefined {
  const height = reply.ok ? heads.heightOf(reply.nodeId) : undefined;
  return height !== undefined && height < minHeight(needed, heads.reportedHeight()) ? height : undefined;
}

/**
 * Excludes the node that has just answered, if another node has the needed height. `wasBehind`: the node was known to lack this height when it answered, so it
 * is excluded only until it has caught up.
 */
function without(
  { heads, ownNodes }: AskAgainDeps,
  leftOut: ReadonlySet<string> | undefined,
  nodeId: string,
  min: number,
  wasBehind: boolean,
): ReadonlySet<string> | undefined {
  const has = (id: string) => (heads.heightOf(id) ?? -1) >= min;
  if (wasBehind && has(nodeId)) return leftOut;
  const hasOther = ownNodes().some(
    (other) => other.nodeId !== nodeId && leftOut?.has(other.nodeId) !== true && has(other.nodeId),
  );
  return hasOther ? new Set([...(leftOut ?? []), nodeId]) : leftOut;
}

function release(reply: Reply): void {
  if (reply.ok && reply.answer.kind === 'buffered') reply.answer.release();
}

function pause(timerWheel: TimerWheel, ms: number): Promise<void> {
  return new Promise((resolve) => {
    timerWheel.arm(ms, resolve);
  });
}
