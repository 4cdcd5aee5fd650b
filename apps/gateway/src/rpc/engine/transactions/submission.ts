/** One signed transaction in flight to the nodes: never sent twice to one of them, looked for before it is reported lost, and reported sent only when a node has it (contract/transactions). Longer than other files, because what may still be done follows from all that was tried. */

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

/** The nodes that a transaction may be sent to, besides the one that the port chooses. */
export type SubmissionNodes = {
  /** Those of the configuration that take calls. */
  readonly own: readonly string[];
  /** Those of users: they get a transaction only when the port chooses one, and their word is asked for only then. */
  readonly ofUsers: readonly string[];
};

export type SubmissionDeps = {
  readonly port: NodePort;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly kind: TransactionKind;
  /** Milliseconds for a call that says no time of its own. */
  readonly timeoutMs: number;
  /** To how many nodes it is sent at once. */
  readonly broadcast: number;
  readonly nodes: SubmissionNodes;
};

/** Nodes that one transaction is sent to, besides those that it is sent to at once. */
const maxNodes = 3;
/** Nodes that are asked for one transaction at a time. */
const maxLookedAt = 8;
/** Of the whole time: what one node has for its answer, when there are others. */
const triesInTime = 3;
/** Milliseconds that a look-up has. */
const maxLookUpMs = 2_000;

type Sent = NodeReply<NodeAnswer>;
type Failed = Extract<Sent, { ok: false }>;
type ErrorReply = Extract<Sent, { ok: true }> & { readonly answer: NodeError };

/** Of errors that have the same weight the last one counts. A node that may have it counts more than one that refuses it. */
const weights = { 'not-taken': 1, invalid: 2, refused: 2, unclear: 3 } as const;

export class Submission {
  readonly #startedMs: number;
  readonly #wholeMs: number;
  /** Nodes that have it, may have it, or have refused it. */
  readonly #sentTo = new Set<string>();
  #attempts = 0;
  /** The best JSON-RPC error so far. */
  #error: ErrorReply | undefined;
  #errorWeight = 0;
  /** A node may have received it and gave no answer. */
  #lost: Failed | undefined;
  /** Nothing of it was sent. */
  #unsent: Failed | undefined;
  /** Some node may have it, but it is not known which one. */
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

  /** `onlyNode`: the node that took the transaction before this one, which is asked first. */
  async run(onlyNode: string | undefined): Promise<Sent> {
    const first = await this.#first(onlyNode);
    if (first !== undefined) return first;
    for (;;) {
      const mayContinue = this.#mayContinue();
      // A node that did not look at it cannot have it: the next one is asked at once.
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

  /** The first success answers; what the other nodes say then is no one's business. Undefined when all have failed. */
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
    // Not one of them could be reached: a user's may be.
    return reply ?? (lanes.length < 2 || this.#wasSent() ? undefined : this.#send({ leftOut: this.call.leftOut }));
  }

  #wasSent(): boolean {
    return this.#sentTo.size > 0 || this.#isAnywhere;
  }

  /** The reply with which the call succeeds. Otherwise undefined, and the findings are stored. */
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
      // A node that was not tried may have it from before. Without room of our own, no one is asked more.
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
    // What no node can take is at none.
    if (verdict !== 'invalid') this.#wasLookedFor = false;
    return undefined;
  }

  #success(nodeId: string): Sent {
    const raw = rangeOf(`"${this.transaction.id()}"`);
    return { ok: true, nodeId, answer: { kind: 'result', raw }, attempts: this.#attempts };
  }

  /** Whether another node may get it: no one has refused it for what it is, and a node that may have it is not asked again. */
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

  /** Success, if a node has it. */
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
    // Only what is there is so long.
    answer.release();
    return this.#success(reply.nodeId);
  }

  #leftMs(): number {
    return this.#startedMs + this.#wholeMs - this.deps.clock.monotonic();
  }

  #lookUpMs(): number {
    return Math.min(maxLookUpMs, this.#wholeMs / 6);
  }

  /** The reply for a transaction that no node is known to have. */
  #verdict(): Sent {
    const attempts = this.#attempts;
    if (this.#lost !== undefined) return { ...this.#lost, attempts };
    if (this.#error !== undefined) return { ...this.#error, attempts };
    return { ...(this.#unsent ?? { ok: false, failure: 'unreachable', maybeDelivered: false }), attempts };
  }
}

/** For each of the nodes that get it at once, the nodes that are left to the others. No node is in two lanes. */
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

/** The first one that is something, as soon as it is there; undefined when none is. `drop` gets those that come later. */
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
