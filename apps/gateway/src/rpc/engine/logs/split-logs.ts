/** Asks one question for logs in pieces, within the time of the call and the caller's limit, and joins the answers (contract/logs#split). */

import type { TimeSlices } from '@flowgate/async/time-slices';
import type { Clock } from '@flowgate/base/clock';
import type { ByteBudget } from '@flowgate/bytes/byte-budget';
import type {
  BufferedResult,
  CallPort,
  NodeAnswer,
  NodeCall,
  NodeFailure,
  NodeReply,
  NodeResult,
} from '../../../upstream/port/node-port.ts';
import { JoinedLogs, type PieceOfLogs } from './joined-logs.ts';
import { type BlockRange, beyondHead, blocksOf, questionsLike, tooMuch } from './log-query.ts';
import { piecesOf, smallerPiece } from './pieces.ts';

export type SplitLogsDeps = {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly slices: TimeSlices;
  readonly budget: ByteBudget;
  /** Milliseconds for a call without a time limit of its own. */
  readonly timeoutMs: number;
  readonly maxResults: number;
  /** Whether an error refuses the size of the question, and the allowed number of blocks if the error names it. */
  readonly refusal: (error: string) => { readonly blocks: number | undefined } | undefined;
  /** Charges further requests to the user. Returns how many the limit allows if it does not allow all. */
  readonly charge: (userId: string, requests: number) => true | number | Promise<true | number>;
  /** The hash of a block that may still be replaced; undefined if the block is final or unknown. */
  readonly looseHash: (height: number) => string | undefined;
};

/** The most pieces of one call, and the most of them that are asked at a time. */
export const maxPieces = 100;
const maxAtOnce = 4;

type Reply = NodeReply<NodeAnswer>;
type Piece = { readonly range: BlockRange; readonly logs: PieceOfLogs; readonly looseHash: string | undefined };

/** `blocks`: the first size of a piece. */
export function splitLogs(
  deps: SplitLogsDeps,
  port: CallPort,
  call: NodeCall,
  userId: string,
  range: BlockRange,
  blocks: number,
): Promise<Reply> {
  return new SplitLogs(deps, port, call, userId, range).run(blocks);
}

class SplitLogs {
  readonly #endMs: number;
  readonly #paramsOf: (range: BlockRange) => NonNullable<NodeCall['params']>;
  readonly #joined: JoinedLogs;
  /** Pieces in ascending order: `#done` was answered, `#todo` comes after it. */
  #todo: readonly BlockRange[] = [];
  readonly #done: Piece[] = [];
  /** The number of requests that were charged. The first one is the call itself. */
  #charged = 1;
  #attempts = 0;
  /** Nodes that timed out for one piece. They are asked last for the other pieces. */
  readonly #timedOut = new Set<string>();
  /** The nodes of all answered pieces. */
  readonly #nodeIds = new Set<string>();

  constructor(
    private readonly deps: SplitLogsDeps,
    private readonly port: CallPort,
    private readonly call: NodeCall,
    userId: string,
    private readonly range: BlockRange,
  ) {
    this.#endMs = deps.clock.monotonic() + (call.timeoutMs ?? deps.timeoutMs);
    this.#paramsOf = questionsLike(call.params);
    this.#joined = new JoinedLogs(deps.budget, userId, deps.slices);
    this.#charge = (requests) => deps.charge(userId, requests);
  }

  readonly #charge: (requests: number) => true | number | Promise<true | number>;

  async run(blocks: number): Promise<Reply> {
    const end = (await this.#plan(this.range, blocks, [])) ?? (await this.#askAll()) ?? (await this.#askWhatChanged());
    if (end !== undefined) {
      this.#joined.release();
      return end;
    }
    const answer = this.#joined.answer(this.#done.map(({ logs }) => logs));
    return { ok: true, ...this.#by(), answer, attempts: this.#attempts };
  }

  /** The node of the answer. Empty if several nodes gave pieces; `sources` then lists them. */
  #by(): { readonly nodeId: string; readonly sources?: readonly string[] } {
    const [nodeId = '', ...others] = this.#nodeIds;
    return others.length === 0 ? { nodeId } : { nodeId: '', sources: [nodeId, ...others] };
  }

  /** Charges all pieces before it plans them. Plans nothing if there are too many pieces, or more than the user's limit allows. */
  async #plan(range: BlockRange, blocks: number, behind: readonly BlockRange[]): Promise<Reply | undefined> {
    const pieces = this.#done.length + Math.ceil(blocksOf(range) / blocks) + behind.length;
    const fitting = (count: number) => Math.max(this.#doneTo(), this.range.from + count * blocks - 1);
    if (pieces > maxPieces)
      return this.#refused(`query exceeds max block range ${maxPieces * blocks}`, fitting(maxPieces));
    const further = pieces - this.#charged;
    const charged = further <= 0 ? true : await this.#charge(further);
    if (charged !== true)
      return this.#refused(
        `query counts as ${pieces} requests, more than your limit leaves`,
        fitting(charged + 1),
        ofNoNode,
      );
    this.#charged = Math.max(this.#charged, pieces);
    this.#todo = [...piecesOf(range, blocks), ...behind];
    return undefined;
  }

  /** The last block of the answered part, which begins at the range's start and has no gap. */
  #doneTo(): number {
    return this.#done.at(-1)?.range.to ?? this.range.from - 1;
  }

  /** `by`: `ofNoNode` if the reason concerns this caller only, so that no other caller gets this error. */
  #refused(reason: string, lastBlock: number, by = this.#by()): Reply {
    const { from, to } = this.range;
    const raw = tooMuch(reason, { from, to: Math.max(from, Math.min(to, lastBlock)) });
    return { ok: true, ...by, answer: { kind: 'error', raw }, attempts: this.#attempts };
  }

  /** Asks in rounds: the answers of one round decide the questions of the next. */
  async #askAll(): Promise<Reply | undefined> {
    while (this.#todo.length > 0) {
      const round = this.#todo.slice(0, maxAtOnce);
      this.#todo = this.#todo.slice(maxAtOnce);
      const hashes = round.map(({ to }) => this.deps.looseHash(to));
      const replies = await Promise.all(round.map((piece) => this.#ask(piece)));
      for (const [at, reply] of replies.entries()) {
        const piece = round[at];
        if (piece === undefined) continue;
        this.#attempts += reply.attempts ?? 1;
        const end = await this.#takeIn(piece, hashes[at], reply, round.slice(at + 1));
        if (end === undefined && this.#doneTo() === piece.to) continue;
        // The call ends here, or the piece was cut into smaller ones and the later pieces of this round are asked again after them.
        for (const later of replies.slice(at + 1))
          if (later.ok && later.answer.kind === 'buffered') later.answer.release();
        if (end !== undefined) return end;
        break;
      }
    }
    return undefined;
  }

  #ask(piece: BlockRange): Promise<Reply> | Reply {
    const leftMs = this.#endMs - this.deps.clock.monotonic();
    if (leftMs <= 0) return failed('timeout');
    if (this.call.caller?.request.signal.aborted === true) return failed('abandoned');
    const terms = { timeoutMs: leftMs, fromHeight: piece.to, timedOut: this.#timedOut };
    return this.port.send({ ...this.call, params: this.#paramsOf(piece), ...terms });
  }

  /** `behind`: the later pieces of the same round. */
  async #takeIn(
    piece: BlockRange,
    looseHash: string | undefined,
    reply: Reply,
    behind: readonly BlockRange[],
  ): Promise<Reply | undefined> {
    if (!reply.ok) return this.#failed(reply);
    this.#nodeIds.add(reply.nodeId);
    const { answer } = reply;
    if (answer.kind !== 'error') return this.#takeLogs(piece, looseHash, answer);
    const refusal = this.deps.refusal(answer.raw.text());
    const blocks = refusal === undefined ? undefined : smallerPiece(piece, refusal.blocks);
    if (blocks === undefined) return { ...reply, attempts: this.#attempts };
    // A limit in blocks also applies to the later pieces.
    return blocks === refusal?.blocks
      ? this.#plan({ from: piece.from, to: this.range.to }, blocks, [])
      : this.#plan(piece, blocks, [...behind, ...this.#todo]);
  }

  async #takeLogs(
    piece: BlockRange,
    looseHash: string | undefined,
    answer: NodeResult | BufferedResult,
  ): Promise<Reply | undefined> {
    const logs = await this.#joined.take(answer);
    if (logs === undefined) return failed('unusable', this.#attempts);
    if (typeof logs === 'string') return this.#failed(failed(logs));
    const before = this.#done.reduce((sum, done) => sum + done.logs.count, 0);
    const { maxResults } = this.deps;
    if (before + logs.count > maxResults) {
      const block = await this.#joined.blockOf(logs, maxResults - before + 1);
      return this.#refused(tooManyResults(maxResults), (block ?? piece.from) - 1);
    }
    this.#done.push({ range: piece, logs, looseHash });
    return undefined;
  }

  /** Without time or memory for the rest, the error names the range that was answered. */
  #failed(reply: Extract<Reply, { ok: false }>): Reply {
    if (reply.failure === 'not-reached' && reply.reached !== undefined)
      return unreached(this.range.from, Math.max(reply.reached, this.#doneTo()), this.#attempts);
    const isBounded = reply.failure === 'owner-full' || reply.failure === 'timeout';
    if (!isBounded || this.#done.length === 0) return { ...reply, attempts: this.#attempts };
    return this.#refused(`query ran out of ${reply.failure === 'timeout' ? 'time' : 'room'}`, this.#doneTo(), ofNoNode);
  }

  /** If the last block of a piece was replaced meanwhile, this piece and all later ones are asked again. If the chain changes once more, the call fails. */
  async #askWhatChanged(): Promise<Reply | undefined> {
    for (let round = 0; round < 2; round++) {
      const changed = this.#done.findIndex(({ range, looseHash }) => {
        const now = looseHash === undefined ? undefined : this.deps.looseHash(range.to);
        return now !== undefined && now !== looseHash;
      });
      // The last piece is one answer of one node, so it is consistent.
      if (changed < 0 || changed === this.#done.length - 1) return undefined;
      if (round === 1) break;
      this.#todo = this.#done.splice(changed).map(({ range }) => range);
      const end = await this.#askAll();
      if (end !== undefined) return end;
    }
    return this.#refused('the chain was reorganized while its logs were read', this.#done[0]?.range.to ?? 0);
  }
}

const ofNoNode = { nodeId: '' };

/** The error for a range whose last blocks no node has. It names the available blocks, instead of an incomplete list. */
export function unreached(from: number, reached: number, attempts: number | undefined): Reply {
  return { ok: true, ...ofNoNode, answer: { kind: 'error', raw: beyondHead(from, reached) }, attempts };
}

export function tooManyResults(maxResults: number): string {
  return `query returned more than ${maxResults} results`;
}

function failed(failure: NodeFailure, attempts = 0): Extract<Reply, { ok: false }> {
  return { ok: false, failure, maybeDelivered: false, attempts };
}
