/** What a node is asked, and one try of asking it. */

import type { HeldBytes } from '../platform/bytes/held-bytes.ts';
import type { Http1Call } from '../platform/http1/http1-call.ts';

/** What can be read of a node's text. */
export type ReadableAnswer = {
  /** `error` for a JSON-RPC error to the whole call. */
  readonly kind: string;
  /** False when something in it answered what was not asked: its connection is dropped. */
  readonly inStep?: boolean;
  /** Gives back what it holds; to be called by whoever has the answer and does not pass it on. */
  readonly release?: () => void;
};

export type NodeCall<Answer extends ReadableAnswer> = {
  /** One JSON-RPC message or batch, under ids of the gateway's own. */
  readonly body: string;
  /** False: once bytes of it left, it is never sent again, to no node: a transaction is not submitted twice. */
  readonly repeatable: boolean;
  /** Undefined when the text does not answer this very call. */
  readonly read: (text: string) => Answer | undefined;
  /** Where large answers are counted for their user: they come undecoded, and are released by whoever reads them. */
  readonly large?: {
    readonly owner: string;
    readonly read: (held: HeldBytes) => Answer | undefined | Promise<Answer | undefined>;
  };
  /** The request that the call came in by; once its signal is aborted, nothing more is sent. Undefined for the gateway's own calls. */
  readonly caller?: { readonly signal: AbortSignal } | undefined;
};

/** One try at one node: the terms of its transport, and what was read of the answer. */
export class Attempt<Answer extends ReadableAnswer> implements Http1Call {
  answer: Answer | undefined;

  constructor(
    private readonly call: NodeCall<Answer>,
    readonly timeoutMs: number,
    readonly waitMs: number | undefined,
    readonly canLeave: boolean,
  ) {}

  get signal(): AbortSignal | undefined {
    return this.call.caller?.signal;
  }

  get owner(): string | undefined {
    return this.call.large?.owner;
  }

  accepts(_status: number, body: string): boolean {
    this.answer = this.call.read(body);
    return this.answer !== undefined && this.answer.inStep !== false;
  }
}
