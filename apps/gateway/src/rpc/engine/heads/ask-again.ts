/** Asks again for an answer that is from before the head that callers were told: another node first, then at growing intervals, in which nodes catch up. */

import type { TimerWheel } from '@flowgate/async/timer-wheel';
import type {
  CallPort,
  JsonText,
  NodeAnswer,
  NodeCall,
  NodeFailure,
  NodeReply,
} from '../../../upstream/port/node-port.ts';
import { type TimeParts, within } from './call-time.ts';
import { type Judged, type JudgeParts, judgeAnswer } from './judge-answer.ts';
import { leastHeight, type NeededHeight } from './needed-height.ts';

export type AskAgainParts = JudgeParts &
  TimeParts & {
    /** Whether an error speaks of the node and not of the call. */
    readonly isNodeError: (error: JsonText) => boolean;
  };

/** A call whose answer is judged. `endMs`: the end of its time. */
export type JudgedCall = {
  readonly port: CallPort;
  readonly call: NodeCall;
  readonly needed: NeededHeight;
  readonly endMs: number;
};

type Reply = NodeReply<NodeAnswer>;

/** Milliseconds before each further question: within them every chain's nodes catch up with each other. */
const pauses: Readonly<Record<Exclude<Judged, 'good'>, readonly number[]>> = {
  wrong: [0, 100, 250, 500, 1_000, 2_000, 4_000],
  // No caller has seen it: the caller asks again when it is there.
  beyond: [],
  absent: [0, 100, 250],
};

/** Failures of nodes, after which another node may still answer, or the same one later. */
const passing: ReadonlySet<NodeFailure> = new Set(['unreachable', 'timeout', 'refused', 'unusable']);

/** The others have this part of the remaining time while a node is left out: all of them may hang. */
const shareWithout = 1 / 3;

/** What is still absent at the end is passed on; an answer from before what was reported never is. */
export async function askAgain(
  parts: AskAgainParts,
  { port, call, needed, endMs }: JudgedCall,
  first: Reply,
  judged: Exclude<Judged, 'good'>,
): Promise<Reply> {
  const { heads, clock } = parts;
  let reply = first;
  let verdict: Judged = judged;
  let attempts = first.attempts ?? 1;
  let lacked = reachedBy(parts, first, needed);
  let reached = lacked;
  for (const pauseMs of pauses[judged]) {
    if (clock.monotonic() + pauseMs >= endMs) break;
    if (pauseMs > 0) await pause(parts.timerWheel, pauseMs);
    if (call.caller?.request.signal.aborted === true) {
      release(reply);
      return { ok: false, failure: 'abandoned', mayHaveArrived: true, attempts };
    }
    // The chain may have gone back meanwhile, and other nodes may be known to have caught up.
    await within(parts, endMs, heads.refresh(), undefined);
    const leftMs = endMs - clock.monotonic();
    if (leftMs <= 0) break;
    const least = leastHeight(needed, heads.toldHeight());
    release(reply);
    const wasBehind = reply.ok && (lacked !== undefined || reply.behind?.has(reply.nodeId) === true);
    const leftOut = reply.ok ? without(parts, call.leftOut, reply.nodeId, least, wasBehind) : call.leftOut;
    const timeoutMs = leftOut === call.leftOut ? leftMs : leftMs * shareWithout;
    reply = await port.send({ ...call, leftOut, fromHeight: least < 0 ? undefined : least, timeoutMs });
    attempts += reply.attempts ?? 1;
    if (!reply.ok) {
      if (passing.has(reply.failure)) continue;
      return { ...reply, attempts };
    }
    lacked = reachedBy(parts, reply, needed);
    reached = lacked ?? reached;
    const found = judgeAnswer(parts, call, needed, reply.nodeId, reply.answer, reply.behind);
    verdict = found instanceof Promise ? await within(parts, endMs, found, 'wrong') : found;
    // A node that cannot answer now says nothing about the block: another one may have it.
    if (verdict === 'good' && !(judged === 'wrong' && isRefusal(parts, reply))) return { ...reply, attempts };
  }
  if (verdict === 'good') return { ...reply, attempts };
  if (verdict === 'absent') return { ...reply, attempts };
  release(reply);
  if (verdict === 'beyond') reached = heads.head()?.number;
  return { ok: false, failure: 'not-reached', mayHaveArrived: true, attempts, reached };
}

function isRefusal({ isNodeError }: AskAgainParts, reply: Reply): boolean {
  return reply.ok && reply.answer.kind === 'error' && isNodeError(reply.answer.raw);
}

/** The newest block of a node that lacks what the call needs. */
function reachedBy({ heads }: AskAgainParts, reply: Reply, needed: NeededHeight): number | undefined {
  const height = reply.ok ? heads.heightOf(reply.nodeId) : undefined;
  return height !== undefined && height < leastHeight(needed, heads.toldHeight()) ? height : undefined;
}

/** Without the node that has just answered, if another one has what is needed. `wasBehind`: it was known to lack that when it answered, so it is left out only until it has caught up. */
function without(
  { heads, ownNodes }: AskAgainParts,
  leftOut: ReadonlySet<string> | undefined,
  nodeId: string,
  least: number,
  wasBehind: boolean,
): ReadonlySet<string> | undefined {
  const has = (id: string) => (heads.heightOf(id) ?? -1) >= least;
  if (wasBehind && has(nodeId)) return leftOut;
  const hasOther = ownNodes().some(
    (other) => other.nodeId !== nodeId && leftOut?.has(other.nodeId) !== true && has(other.nodeId),
  );
  return hasOther ? new Set([...(leftOut ?? []), nodeId]) : leftOut;
}

function release(reply: Reply): void {
  if (reply.ok && reply.answer.kind === 'held') reply.answer.release();
}

function pause(timerWheel: TimerWheel, ms: number): Promise<void> {
  return new Promise((resolve) => {
    timerWheel.arm(ms, resolve);
  });
}
