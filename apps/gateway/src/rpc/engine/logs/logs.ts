/** Questions for logs of more blocks, or with more results, than one answer may have (contract/logs). Wraps the port of callers' calls. */

import type { TimeSlices } from '@flowgate/async/time-slices';
import type { TimerWheel } from '@flowgate/async/timer-wheel';
import type { Clock } from '@flowgate/base/clock';
import type { ByteBudget } from '@flowgate/bytes/byte-budget';
import { rangeOf } from '@flowgate/bytes/byte-range';
import type { NetworkHeads } from '../../../upstream/heads/network-heads.ts';
import type {
  CallPort,
  JsonText,
  NodeAnswer,
  NodeCall,
  NodeQuestion,
  NodeReply,
} from '../../../upstream/port/node-port.ts';
import { within } from '../heads/call-time.ts';
import type { NamedBlock } from '../named-block.ts';
import type { SplitBatch } from '../split-batch.ts';
import { countLogs } from './joined-logs.ts';
import { asksForLogs, type BlockRange, blocksOf, type LogEnds, tooMuch } from './log-query.ts';
import { smallerPiece } from './pieces.ts';
import { rangeHint } from './range-hint.ts';
import { type SplitLogsDeps, splitLogs, tooManyResults, unreached } from './split-logs.ts';

export type LogsDeps = {
  readonly maxBlockRange: number;
  readonly maxResults: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly timerWheel: TimerWheel;
  readonly slices: TimeSlices;
  readonly budget: ByteBudget;
  /** Milliseconds for a call without a time limit of its own. */
  readonly timeoutMs: number;
  readonly splitBatch: SplitBatch;
  /** The blocks that a question names. */
  readonly nameBlock: (question: NodeQuestion) => NamedBlock;
  /** Whether a node's error refuses the number of blocks. */
  readonly refusesRange: (error: JsonText) => 'yes' | 'no' | 'maybe';
  readonly charge: SplitLogsDeps['charge'];
  /** The network's heads; undefined if none are known. */
  readonly heads: () =>
    | Pick<NetworkHeads, 'head' | 'isFresh' | 'refresh' | 'finalHeight' | 'hashAt' | 'reportedHeight'>
    | undefined;
};

type Reply = NodeReply<NodeAnswer>;
type Now = Reply | Promise<Reply>;
type End = LogEnds['from'];

/** The least bytes of a log with its comma. */
const minLogBytes = 3;

/** Wraps a port that evaluates answers against the reported head, so that each piece is evaluated. The gateway's own calls, which have no caller, pass unchanged. */
export function createLogs(deps: LogsDeps): (port: CallPort) => CallPort {
  const { splitBatch } = deps;
  return (port) => {
    const logs = new Logs(deps, port);
    const send = (call: NodeCall) => {
      const ends = asksForLogs(call) ? endsOf(deps, call) : undefined;
      return ends === undefined ? port.send(call) : logs.ask(call, ends);
    };
    return {
      send,
      sendBatch: (batch) =>
        splitBatch(batch, {
          takes: (question) => asksForLogs(question) && endsOf(deps, { ...batch, ...question }) !== undefined,
          single: send,
          rest: (rest) => port.sendBatch(rest),
        }),
    };
  };
}

/** Undefined for a single block, which is answered whole, for an ambiguous range, and for blocks that do not exist yet. */
function endsOf({ nameBlock }: LogsDeps, call: NodeCall): LogEnds | undefined {
  if (call.caller === undefined) return undefined;
  const named = nameBlock(call);
  if (named.kind !== 'range') return undefined;
  const { from, to } = named;
  if (isTag(from, 'pending') || isTag(to, 'pending')) return undefined;
  const isOne = from.kind === 'tag' ? to.kind === 'tag' && from.tag === to.tag : isAt(to, from.height);
  return isOne ? undefined : named;
}

function isTag(end: End, tag: string): boolean {
  return end.kind === 'tag' && end.tag === tag;
}

function isAt(end: End, height: number): boolean {
  return end.kind === 'height' && end.height === height;
}

class Logs {
  readonly #split: SplitLogsDeps;

  constructor(
    private readonly deps: LogsDeps,
    private readonly port: CallPort,
  ) {
    const { refusesRange, heads } = deps;
    this.#split = {
      ...deps,
      refusal(error) {
        const refuses = refusesRange(rangeOf(error));
        if (refuses === 'no') return undefined;
        const blocks = rangeHint(error);
        return blocks !== undefined || refuses === 'yes' ? { blocks } : undefined;
      },
      looseHash(height) {
        const known = heads();
        const final = known?.finalHeight();
        return final === undefined || height <= final ? undefined : known?.hashAt(height);
      },
    };
  }

  ask(call: NodeCall, { from, to }: LogEnds): Now {
    const endMs = this.deps.clock.monotonic() + (call.timeoutMs ?? this.deps.timeoutMs);
    if (from.kind === 'height' && to.kind === 'height') {
      const range = { from: from.height, to: to.height };
      if (blocksOf(range) <= this.deps.maxBlockRange) return this.#whole(call, range, endMs);
    }
    return this.#resolved(call, { kind: 'range', from, to }, endMs);
  }

  /** Tags are resolved once, so that all pieces mean the same blocks. A node must have the last block that it is asked for. */
  async #resolved(call: NodeCall, { from, to }: LogEnds, endMs: number): Promise<Reply> {
    const head = await this.#heightOf({ kind: 'tag', tag: 'latest' }, call, endMs);
    const [first, last] = await Promise.all(
      [from, to].map((end) => (isTag(end, 'latest') ? head : this.#heightOf(end, call, endMs))),
    );
    if (endMs <= this.deps.clock.monotonic()) return timedOut;
    if (first === undefined || last === undefined) return this.port.send(this.#inTime(call, endMs));
    const range = { from: first, to: head === undefined ? last : Math.min(last, head) };
    if (range.to < last && this.deps.heads()?.head() !== undefined) return unreached(first, range.to, 0);
    if (blocksOf(range) < 1) return this.port.send(this.#inTime(call, endMs));
    const resolved = { ...this.#inTime(call, endMs), fromHeight: range.to };
    if (blocksOf(range) < 2) return reachedOnly(range, await this.port.send(resolved));
    if (blocksOf(range) <= this.deps.maxBlockRange) return this.#whole(resolved, range, endMs);
    return splitLogs(this.#split, this.port, resolved, userOf(call), range, this.deps.maxBlockRange);
  }

  #whole(call: NodeCall, range: BlockRange, endMs: number): Now {
    const reply = this.port.send(call);
    return reply instanceof Promise
      ? reply.then((come) => this.#evaluated(call, range, come, endMs))
      : this.#evaluated(call, range, reply, endMs);
  }

  #evaluated(call: NodeCall, range: BlockRange, reply: Reply, endMs: number): Now {
    if (!reply.ok) return reachedOnly(range, reply);
    const { answer } = reply;
    if (answer.kind === 'error') {
      const refusal = this.#split.refusal(answer.raw.text());
      const blocks = refusal === undefined ? undefined : smallerPiece(range, refusal.blocks);
      if (blocks === undefined) return reply;
      return splitLogs(this.#split, this.port, this.#inTime(call, endMs), userOf(call), range, blocks);
    }
    const { maxResults, slices } = this.deps;
    if (answer.kind === 'result' && answer.raw.length <= maxResults * minLogBytes) return reply;
    return countLogs(answer, slices, maxResults + 1).then(({ count, block }) => {
      if (count <= maxResults) return reply;
      if (answer.kind === 'buffered') answer.release();
      const fits = { from: range.from, to: Math.max(range.from, (block ?? range.from) - 1) };
      return { ...reply, answer: { kind: 'error', raw: tooMuch(tooManyResults(maxResults), fits) } };
    });
  }

  #inTime(call: NodeCall, endMs: number): NodeCall {
    return { ...call, timeoutMs: Math.max(1, endMs - this.deps.clock.monotonic()) };
  }

  /** Undefined when no node reports the height. */
  async #heightOf(end: End, call: NodeCall, endMs: number): Promise<number | undefined> {
    if (end.kind === 'height') return end.height;
    const heads = end.tag === 'latest' ? this.deps.heads() : undefined;
    if (heads !== undefined) {
      const block = heads.isFresh() ? heads.head() : await within(this.deps, endMs, heads.refresh(), undefined);
      if (block !== undefined) return Math.max(block.number, heads.reportedHeight() ?? 0);
    }
    const question =
      end.tag === 'latest'
        ? { method: 'eth_blockNumber', params: noParams }
        : { method: 'eth_getBlockByNumber', params: rangeOf(`["${end.tag}",false]`) };
    const reply = await this.port.send({ ...this.#inTime(call, endMs), ...question, repeatable: true, isOwn: true });
    return reply.ok ? heightIn(reply.answer) : undefined;
  }
}

/** When no node has the last block, the error names the available blocks. */
function reachedOnly({ from }: BlockRange, reply: Reply): Reply {
  if (reply.ok || reply.failure !== 'not-reached' || reply.reached === undefined) return reply;
  return unreached(from, reply.reached, reply.attempts);
}

const timedOut: Reply = { ok: false, failure: 'timeout', maybeDelivered: false, attempts: 0 };
const noParams = rangeOf('[]');
/** For a block with hashes only: a thousand transactions take 70 KiB. */
const maxBlockLength = 1_048_576;

/** The height in the answer to `eth_blockNumber`, or of a block. */
function heightIn(answer: NodeAnswer): number | undefined {
  if (answer.kind === 'error') return undefined;
  const text = answer.kind === 'result' ? answer.raw.text() : blockText(answer.parts);
  if (answer.kind === 'buffered') answer.release();
  const found = /^"0x([0-9a-f]{1,13})"$/i.exec(text) ?? /"number"\s{0,8}:\s{0,8}"0x([0-9a-f]{1,13})"/i.exec(text);
  return found?.[1] === undefined ? undefined : Number.parseInt(found[1], 16);
}

function blockText(parts: Extract<NodeAnswer, { kind: 'buffered' }>['parts']): string {
  const [part] = parts;
  if (part === undefined || typeof part === 'string' || part instanceof Uint8Array) return '';
  return part.source.text(part.start, Math.min(part.end, part.start + maxBlockLength));
}

/** Calls without a caller are not split, so they never get here. */
function userOf({ caller }: NodeCall): string {
  if (caller === undefined) throw new Error('logs are split for callers only');
  return caller.userId;
}
