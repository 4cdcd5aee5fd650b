/** Keeps the head that callers are told from going back (contract/heads#the-head-never-goes-back, docs/decisions/0128). Wraps the port of callers' calls to a network. */

import type {
  CallPort,
  CallTerms,
  NodeAnswer,
  NodeBatch,
  NodeCall,
  NodeReply,
} from '../../../upstream/port/node-port.ts';
import { type AskAgainParts, askAgain } from './ask-again.ts';
import { type AskBatchParts, askBatch } from './ask-batch.ts';
import { endOf, within } from './call-time.ts';
import { type HeadReply, headReply, isHeadQuestion } from './head-question.ts';
import { type Judged, judgeAnswer } from './judge-answer.ts';
import { leastHeight, type NeededHeight, neededHeight } from './needed-height.ts';
import { shownFormOf } from './shown-heights.ts';

export type ToldHeadsParts = AskAgainParts & AskBatchParts;

type Reply = NodeReply<NodeAnswer>;
type Now = Reply | Promise<Reply>;

export function createToldHeads(parts: ToldHeadsParts): (port: CallPort) => CallPort {
  const { heads } = parts;
  let kept: { readonly number: number; readonly nodeId: string; readonly reply: HeadReply } | undefined;

  /** The head as the answer to `eth_blockNumber`: never lower than what was reported to callers. Undefined when it is old. */
  function fromMemory(isFresh: boolean): HeadReply | undefined {
    const head = isFresh ? heads.head() : undefined;
    if (head === undefined) return undefined;
    const number = Math.max(head.number, heads.toldHeight() ?? 0);
    // A higher one was shown by an answer, and which node gave that is not remembered.
    const nodeId = number === head.number ? head.nodeId : '';
    heads.noteTold(number);
    if (kept?.number !== number || kept.nodeId !== nodeId) kept = { number, nodeId, reply: headReply(number, nodeId) };
    return kept.reply;
  }

  return (port) => {
    const askOne = (call: NodeCall) => ask(parts, port, call);
    return {
      send(call) {
        if (call.onlyNode !== undefined) return port.send(call);
        // Nodes that the caller may not call have no say in the answer.
        if (!isHeadQuestion(call) || call.leftOut !== undefined) return askOne(call);
        const reply = fromMemory(heads.isFresh());
        if (reply !== undefined) return reply;
        const endMs = endOf(parts, call);
        return within(parts, endMs, heads.refresh(), undefined).then(
          (seen) => fromMemory(seen !== undefined) ?? askOne(inTime(parts, call, endMs)),
        );
      },
      sendBatch(batch) {
        if (batch.onlyNode !== undefined) return port.sendBatch(batch);
        if (batch.leftOut !== undefined || !asksForHead(batch)) return askBatch(parts, port, askOne, batch);
        const head = fromMemory(heads.isFresh());
        if (head !== undefined) return askBatch(parts, port, askOne, batch, head);
        const endMs = endOf(parts, batch);
        return within(parts, endMs, heads.refresh(), undefined).then((seen) =>
          askBatch(parts, port, askOne, inTime(parts, batch, endMs), fromMemory(seen !== undefined)),
        );
      },
    };
  };
}

/** The same call with the time that is left. */
function inTime<Terms extends CallTerms>({ clock }: ToldHeadsParts, terms: Terms, endMs: number): Terms {
  return { ...terms, timeoutMs: Math.max(1, endMs - clock.monotonic()) };
}

function asksForHead({ questions }: NodeBatch): boolean {
  for (const question of questions) if (isHeadQuestion(question)) return true;
  return false;
}

/** No promise more than the port's own, unless the answer may show a head or depend on it. */
function ask(parts: ToldHeadsParts, port: CallPort, call: NodeCall): Now {
  const told = parts.heads.toldHeight();
  const needed = from(neededHeight(parts.family, call), call.fromHeight);
  const showsNone = shownFormOf(call.method) === undefined;
  if (!call.repeatable && showsNone) return port.send(call);
  const least = call.repeatable ? leastHeight(needed, told) : -1;
  const asked = least < 0 ? call : { ...call, fromHeight: least };
  if (showsNone && needed.height <= (told ?? -1) && (needed.of === 'none' || told === undefined))
    return port.send(asked);
  const endMs = endOf(parts, call);
  const sent = port.send(asked);
  return sent instanceof Promise
    ? sent.then((reply) => judged(parts, port, call, needed, endMs, reply))
    : judged(parts, port, call, needed, endMs, sent);
}

/** A wrapper outside of this one may know better how high a node must be. */
function from(needed: NeededHeight, fromHeight: number | undefined): NeededHeight {
  return fromHeight === undefined || fromHeight <= needed.height ? needed : { ...needed, height: fromHeight };
}

/** Most answers are good: these cost nothing more. */
function judged(
  parts: ToldHeadsParts,
  port: CallPort,
  call: NodeCall,
  needed: NeededHeight,
  endMs: number,
  reply: Reply,
): Now {
  if (!reply.ok) return reply;
  const verdict = judgeAnswer(parts, call, needed, reply.nodeId, reply.answer, reply.behind);
  if (verdict === 'good') return reply;
  const after = (is: Judged): Now =>
    is === 'good' || !call.repeatable ? reply : askAgain(parts, { port, call, needed, endMs }, reply, is);
  return verdict instanceof Promise ? within(parts, endMs, verdict, 'wrong').then(after) : after(verdict);
}
