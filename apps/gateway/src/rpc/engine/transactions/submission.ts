/**
 * Sends one signed transaction. It goes at most once to each node, is looked up before it is reported lost, and is
 * reported sent only when a node has it (contract/transactions). The file is long because each next step depends on all
 * earlier attempts.
 */

import type { Clock } from '@flowgate/base/clock';
import { rangeOf } from '@flowgate/bytes/byte-range';
import type {
  JsonText,
  NodeAnswer,
  NodeCall,
  NodeError,
  NodePort,
  NodeReply,
} from '../../../upstream/port/node-port.ts';
import type { SignedTransaction, TransactionKind } from './transaction-kind.ts';

/** The nodes that may receive a transaction, besides the node that the port chooses. */
export type SubmissionNodes = {
  /** Configured nodes that are not cordoned. */
  readonly own: readonly string[];
  /**
   * Nodes that users registered. Such a node receives a transaction only when the port chooses it, and only then is
   * asked whether it has the transaction.
   */
  readonly ofUsers: readonly string[];
};

export type SubmissionDeps = {
  readonly port: NodePort;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly kind: TransactionKind;
  /** Milliseconds. Limits a call's own timeout, and is the default. */
  readonly timeoutMs: number;
  /** The number of nodes that receive the transaction at once. */
  readonly broadcast: number;
  readonly nodes: SubmissionNodes;
};

/** The maximum number of nodes for one transaction; a larger `broadcast` replaces it. */
const maxNodes = 3;
/** The maximum number of nodes that one look-up asks. */
const maxLookedAt = 8;
/** With several configured nodes, one attempt takes at most 1/`triesInTime` of the whole time. */
const triesInTime = 3;
/** The maximum time of one look-up, in milliseconds. */
const maxLookUpMs = 2_000;

type Sent = NodeReply<NodeAnswer>;
type Failed = Extract<Sent, { ok: false }>;
type ErrorReply = Extract<Sent, { ok: true }> & { readonly answer: NodeError };

/**
 * Of two errors with the same weight, the later one is returned. An error of a node that may have the transaction
 * outweighs a refusal.
 */
const weights = { 'not-taken': 1, invalid: 2, refused: 2, unclear: 3 } as const;

export class Submission {
  readonly #startedMs: number;
  readonly #wholeMs: number;
  /** Nodes that received the transaction or may have received it. */
  readonly #sentTo = new Set<string>();
  #attempts = 0;
  /** The error with the highest weight so far. */
  #error: ErrorReply | undefined;
  #errorWeight = 0;
  /** The last failure after which a node may have received the transaction. */
  #lost: Failed | undefined;
  /** The last failure that sent nothing. */
  #unsent: Failed | undefined;
  /** A node may have the transaction, but the gateway does not know which node. */
  #isAnywhere = false;
  #wasLookedFor = true;

  constructor(
    private readonly deps: SubmissionDeps,
    private readonly call: NodeCall,
    private readonly transaction: SignedTransaction,
  ) {
    const { clock, timeoutMs } = deps;
    this.#startedMs = clock.monotonic();
    this.#wholeMs = Math.min(call.timeoutMs ?? timeoutMs, timeoutMs);
  }

  /** `onlyNode`: the first node to try; in a batch, the node that accepted the previous transaction. */
  async run(onlyNode: string | undefined): Promise<Sent> {
    const first = await this.#first(onlyNode);
    if (first !== undefined) return first;
    for (;;) {
      const mayContinue = this.#mayContinue();
      // A node that did not examine the transaction cannot have it, so the next node is tried without a look-up.
      const isUntouched = this.#lost === undefined && this.#errorWeight <= weights['not-taken'];
      const found = mayContinue && isUntouched ? undefined : await this.#find();
      if (found !== undefined) return found;
      if (!mayContinue) break;
      const before = this.#sentTo.size;
      const next = await this.#send({ leftOut: this.#taken() });
      if (next !== undefined) return next;
      if (this.#sentTo.size === before) break;
    }
    return (await this.#find()) ?? this.#verdict();
  }

  /** The first success is the reply; later replies are discarded. Undefined when all nodes fail. */
  async #first(onlyNode: string | undefined): Promise<Sent | undefined> {
    if (onlyNode !== undefined) {
      const reply = await this.#send({ onlyNode });
      if (reply !== undefined || this.#wasSent()) return reply;
    }
    const lanes = lanesOf(this.deps, this.call.leftOut);
    const reply =
      lanes.length < 2
        ? await this.#send({ leftOut: this.call.leftOut })
        : await firstDefined(
            lanes.map((leftOut) => this.#send({ leftOut })),
            release,
          );
    // No configured node could be reached; a registered node of a user may be reachable.
    return reply ?? (lanes.length < 2 || this.#wasSent() ? undefined : this.#send({ leftOut: this.call.leftOut }));
  }

  #wasSent(): boolean {
    return this.#sentTo.size > 0 || this.#isAnywhere;
  }

  /** Returns the reply when the call succeeds. Otherwise stores the outcome and returns undefined. */
  async #send(terms: Pick<NodeCall, 'leftOut' | 'onlyNode'>): Promise<Sent | undefined> {
    const sendingMs = this.#leftMs() - this.#lookUpMs();
    const tryMs = this.deps.nodes.own.length > 1 ? this.#wholeMs / triesInTime : sendingMs;
    const timeoutMs = Math.max(1, Math.min(sendingMs, tryMs));
    const { kind, port } = this.deps;
    const expects = (result: JsonText) => kind.isId(result, this.transaction.id());
    const reply = await port.send({ ...this.call, ...terms, timeoutMs, expects });
    this.#attempts += reply.attempts ?? (reply.ok ? 1 : 0);
    return reply.ok ? this.#evaluate(reply) : this.#note(reply);
  }

  #note(failed: Failed): undefined {
    if (!failed.maybeDelivered) {
      this.#unsent = failed;
      // A node may have the transaction from an earlier call. Other failures that sent nothing cause no look-up.
      if (failed.failure === 'unreachable') this.#wasLookedFor = false;
      return undefined;
    }
    this.#lost = failed;
    this.#wasLookedFor = false;
    if (failed.sentTo === undefined) this.#isAnywhere = true;
    else this.#sentTo.add(failed.sentTo);
    return undefined;
  }

  #evaluate(reply: Extract<Sent, { ok: true }>): Sent | undefined {
    const { answer, nodeId } = reply;
    this.#sentTo.add(nodeId);
    if (answer.kind === 'buffered') answer.release();
    if (answer.kind !== 'error') return this.#success(nodeId);
    const verdict = this.transaction.verdict(answer.raw);
    if (verdict === 'known') return this.#success(nodeId);
    if (weights[verdict] >= this.#errorWeight) {
      this.#error = { ...reply, answer };
      this.#errorWeight = weights[verdict];
    }
    // No node has an invalid transaction, so it needs no look-up.
    if (verdict !== 'invalid') this.#wasLookedFor = false;
    return undefined;
  }

  #success(nodeId: string): Sent {
    const raw = rangeOf(`"${this.transaction.id()}"`);
    return { ok: true, nodeId, answer: { kind: 'result', raw }, attempts: this.#attempts };
  }

  /**
   * Whether another node may receive the transaction: an attempt failed through a fault of its node, and time, attempts
   * and untried nodes remain.
   */
  #mayContinue(): boolean {
    const mayTake =
      this.#lost !== undefined || this.#errorWeight === weights.unclear || this.#errorWeight === weights['not-taken'];
    const max = Math.max(maxNodes, this.deps.broadcast);
    const isLeft = this.call.caller?.request.signal.aborted === true;
    return (
      mayTake &&
      !isLeft &&
      !this.#isAnywhere &&
      this.#sentTo.size < max &&
      this.#leftMs() > 2 * this.#lookUpMs() &&
      this.#hasUntaken()
    );
  }

  #hasUntaken(): boolean {
    const taken = this.#taken();
    return this.deps.nodes.own.some((nodeId) => !taken.has(nodeId));
  }

  #taken(): ReadonlySet<string> {
    return new Set([...this.#sentTo, ...(this.call.leftOut ?? []), ...this.deps.nodes.ofUsers]);
  }

  /** Asks the nodes whether they have the transaction. Success, if one of them has it. */
  async #find(): Promise<Sent | undefined> {
    if (this.#wasLookedFor) return undefined;
    this.#wasLookedFor = true;
    const id = this.transaction.id();
    const { own, ofUsers } = this.deps.nodes;
    const mayAnswer = [...own, ...ofUsers.filter((nodeId) => this.#sentTo.has(nodeId))];
    const asked = mayAnswer.filter((nodeId) => this.call.leftOut?.has(nodeId) !== true).slice(0, maxLookedAt);
    return firstDefined((asked.length === 0 ? [undefined] : asked).map((nodeId) => this.#lookAt(nodeId, id)));
  }

  async #lookAt(onlyNode: string | undefined, id: string): Promise<Sent | undefined> {
    const { kind, port } = this.deps;
    const { caller, leftOut } = this.call;
    const timeoutMs = Math.max(1, Math.min(this.#lookUpMs(), this.#leftMs()));
    const reply = await port.send({
      ...kind.lookUp(id),
      repeatable: true,
      isOwn: true,
      caller,
      leftOut,
      onlyNode,
      timeoutMs,
    });
    if (!reply.ok || reply.answer.kind === 'error') return undefined;
    const { answer } = reply;
    if (answer.kind === 'result') return kind.isFound(answer.raw, id) ? this.#success(reply.nodeId) : undefined;
    // A result this long is the transaction itself.
    answer.release();
    return this.#success(reply.nodeId);
  }

  #leftMs(): number {
    return this.#startedMs + this.#wholeMs - this.deps.clock.monotonic();
  }

  #lookUpMs(): number {
    return Math.min(maxLookUpMs, this.#wholeMs / 6);
  }

  /** The reply when no node is known to have the transaction. */
  #verdict(): Sent {
    const attempts = this.#attempts;
    if (this.#lost !== undefined) return { ...this.#lost, attempts };
    if (this.#error !== undefined) return { ...this.#error, attempts };
    return { ...(this.#unsent ?? { ok: false, failure: 'unreachable', maybeDelivered: false }), attempts };
  }
}

/**
 * One set of excluded nodes for each concurrent attempt. Together they assign each configured node to exactly one
 * attempt.
 */
function lanesOf(
  { broadcast, nodes }: SubmissionDeps,
  leftOut: ReadonlySet<string> | undefined,
): ReadonlySet<string>[] {
  const own = nodes.own.filter((nodeId) => leftOut?.has(nodeId) !== true);
  const count = Math.min(broadcast, own.length);
  return Array.from({ length: count }, (_, lane) => {
    const others = own.filter((_id, at) => at % count !== lane);
    return new Set([...(leftOut ?? []), ...nodes.ofUsers, ...others]);
  });
}

/**
 * Resolves with the first defined reply, or with undefined when there is none. `drop` receives defined replies that
 * arrive later.
 */
function firstDefined(
  promises: readonly Promise<Sent | undefined>[],
  drop: (late: Sent) => void = () => {},
): Promise<Sent | undefined> {
  return new Promise((resolve, reject) => {
    let left = promises.length;
    let isDone = false;
    const done = (reply: Sent | undefined) => {
      left--;
      if (isDone && reply !== undefined) drop(reply);
      if (reply === undefined && left > 0) return;
      isDone = true;
      resolve(reply);
    };
    for (const each of promises) each.then(done, reject);
  });
}

function release(reply: Sent): void {
  if (reply.ok && reply.answer.kind === 'buffered') reply.answer.release();
}
