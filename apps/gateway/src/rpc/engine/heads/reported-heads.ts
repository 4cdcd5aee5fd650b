/** Ensures that the head reported to callers never decreases (contract/heads#the-head-never-goes-back, docs/decisions/0128). Wraps the port of callers' calls to a network. */

import type {
  CallPort,
  CallTerms,
  NodeAnswer,
  NodeBatch,
  NodeCall,
  NodeReply,
} from '../../../upstream/port/node-port.ts';
import { type AskAgainDeps, askAgain } from './ask-again.ts';
import { type AskBatchDeps, askBatch } from './ask-batch.ts';
import { endOf, within } from './call-time.ts';
import { type Evaluated, evaluateAnswer } from './evaluate-answer.ts';
import { type HeadReply, headReply, isHeadQuestion } from './head-question.ts';
import { minHeight, type NeededHeight, neededHeight } from './needed-height.ts';
import { shownFormOf } from './shown-heights.ts';

export type ReportedHeadsDeps = AskAgainDeps & AskBatchDeps;

type Reply = NodeReply<NodeAnswer>;
type Now = Reply | Promise<Reply>;

export function createReportedHeads(deps: ReportedHeadsDeps): (port: CallPort) => CallPort {
  const { heads } = deps;
  let cached: { readonly number: number; readonly nodeId: string; readonly reply: HeadReply } | undefined;

  /** The head as the answer to `eth_blockNumber`: never lower than what was reported to callers. Undefined when it is old. */
  function fromMemory(isFresh: boolean): HeadReply | undefined {
    const head = isFresh ? heads.head() : undefined;
    if (head === undefined) return undefined;
    const number = Math.max(head.number, heads.reportedHeight() ?? 0);
    // An answer showed a higher head; its node is not stored.
    const nodeId = number === head.number ? head.nodeId : '';
    heads.noteReported(number);
    if (cached?.number !== number || cached.nodeId !== nodeId)
      cached = { number, nodeId, reply: headReply(number, nodeId) };
    return cached.reply;
  }

  return (port) => {
    const askOne = (call: NodeCall) => ask(deps, port, call);
    return {
      send(call) {
        if (call.onlyNode !== undefined) return port.send(call);
        // Nodes that the caller may not call do not contribute to the answer.
        if (!isHeadQuestion(call) || call.leftOut !== undefined) return askOne(call);
        const reply = fromMemory(heads.isFresh());
        if (reply !== undefined) return reply;
        const endMs = endOf(deps, call);
        return within(deps, endMs, heads.refresh(), undefined).then(
          (seen) => fromMemory(seen !== undefined) ?? askOne(inTime(deps, call, endMs)),
        );
      },
      sendBatch(batch) {
        if (batch.onlyNode !== undefined) return port.sendBatch(batch);
        if (batch.leftOut !== undefined || !asksForHead(batch)) return askBatch(deps, port, askOne, batch);
        const head = fromMemory(heads.isFresh());
        if (head !== undefined) return askBatch(deps, port, askOne, batch, head);
        const endMs = endOf(deps, batch);
        return within(deps, endMs, heads.refresh(), undefined).then((seen) =>
          askBatch(deps, port, askOne, inTime(deps, batch, endMs), fromMemory(seen !== undefined)),
        );
      },
    };
  };
}

/** The same call with the remaining time. */
function inTime<Terms extends CallTerms>({ clock }: ReportedHeadsDeps, terms: Terms, endMs: number): Terms {
  return { ...terms, timeoutMs: Math.max(1, endMs - clock.monotonic()) };
}

function asksForHead({ questions }: NodeBatch): boolean {
  for (const question of questions) if (isHeadQuestion(question)) return true;
  return false;
}

/** Returns the port's own promise, unless the answer may show a head or depend on it. */
function ask(deps: ReportedHeadsDeps, port: CallPort, call: NodeCall): Now {
  const reported = deps.heads.reportedHeight();
  const needed = from(neededHeight(deps.family, call), call.fromHeight);
  const showsNone = shownFormOf(call.method) === undefined;
  if (!call.repeatable && showsNone) return port.send(call);
  const min = call.repeatable ? minHeight(needed, reported) : -1;
  const asked = min < 0 ? call : { ...call, fromHeight: min };
  if (showsNone && needed.height <= (reported ?? -1) && (needed.of === 'none' || reported === undefined))
    return port.send(asked);
  const endMs = endOf(deps, call);
  const sent = port.send(asked);
  return sent instanceof Promise
    ? sent.then((reply) => evaluated(deps, port, call, needed, endMs, reply))
    : evaluated(deps, port, call, needed, endMs, sent);
}

/** An outer wrapper may have set a more precise height. */
function from(needed: NeededHeight, fromHeight: number | undefined): NeededHeight {
  return fromHeight === undefined || fromHeight <= needed.height ? needed : { ...needed, height: fromHeight };
}

/** Most answers are good: they cost no further promise. */
function evaluated(
  deps: ReportedHeadsDeps,
  port: CallPort,
  call: NodeCall,
  needed: NeededHeight,
  endMs: number,
  reply: Reply,
): Now {
  if (!reply.ok) return reply;
  const verdict = evaluateAnswer(deps, call, needed, reply.nodeId, reply.answer, reply.behind);
  if (verdict === 'good') return reply;
  const after = (is: Evaluated): Now =>
    is === 'good' || !call.repeatable ? reply : askAgain(deps, { port, call, needed, endMs }, reply, is);
  return verdict instanceof Promise ? within(deps, endMs, verdict, 'wrong').then(after) : after(verdict);
}
