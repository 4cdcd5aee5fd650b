/** The port to the nodes: what is asked, and what comes of it. Transports and pools implement it; caches, retries and the like wrap it (docs/decisions/0060). */

import type { HeldBytes } from '../platform/bytes/held-bytes.ts';
import type { HeldRange } from '../platform/bytes/held-parts.ts';
import type { NodeFailure } from './node-faults.ts';

export type { NodeFailure };

/** Valid JSON, character for character as it came. It may be a view into a whole request or answer: copy what outlives them. */
export type JsonText = string;

export type NodeQuestion = {
  /** Decoded: no escape is left in it. */
  readonly method: string;
  /** An array or an object; undefined when left out. */
  readonly params: JsonText | undefined;
};

/** Whose call it is: large answers are counted for the user, and nothing more is sent once the request's signal is aborted, which is looked at only when a call has to wait. */
export type NodeCaller = { readonly userId: string; readonly request: { readonly signal: AbortSignal } };

export type CallTerms = {
  /** False: once bytes of it left, it is never sent again, to no node: a transaction is not submitted twice. */
  readonly repeatable: boolean;
  /** Undefined for the gateway's own calls, whose answers are never `held`. */
  readonly caller?: NodeCaller | undefined;
  /** The whole call from now on, all tries together. The port's own time where that is shorter, or this is left out. */
  readonly timeoutMs?: number | undefined;
  /** The part of it that the call may wait for a connection; all of it where left out. */
  readonly waitMs?: number | undefined;
  /** Whether a node that begins to rest sends the call away while it waits: there is another one to ask. */
  readonly canLeave?: boolean | undefined;
};

export type NodeCall = NodeQuestion & CallTerms;

/** Asked together. `repeatable` only if each of them is. */
export type NodeBatch = CallTerms & { readonly questions: readonly NodeQuestion[] };

export type NodeResult = { readonly kind: 'result'; readonly raw: JsonText };
/** A JSON-RPC error object with an integer `code` and a string `message`. */
export type NodeError = { readonly kind: 'error'; readonly raw: JsonText };

/** A large result: a stretch of bytes that are counted for the caller until they are released, by whoever has the answer and does not pass it on. */
export type HeldResult = {
  readonly kind: 'held';
  readonly held: HeldBytes;
  readonly range: HeldRange;
  readonly release: () => void;
};

/** What is small enough to be text. */
export type TextAnswer = NodeResult | NodeError;

export type NodeAnswer = TextAnswer | HeldResult;

/** Answers in the order of the questions; undefined in the place of one that is missing, doubled or rubbish. At least one is there. */
export type ElementAnswers = {
  readonly kind: 'batch';
  readonly answers: readonly (TextAnswer | undefined)[];
};

/** The same of a large answer: results are where they stand in the bytes, errors are text, since they may hold secrets that have to be hidden. */
export type HeldBatch = {
  readonly kind: 'held';
  readonly held: HeldBytes;
  readonly answers: readonly (HeldRange | NodeError | undefined)[];
  readonly release: () => void;
};

/** `NodeError`: the one with which a node refused all of it. */
export type BatchAnswer = ElementAnswers | HeldBatch | NodeError;

export type NodeReply<Answer> =
  | { readonly ok: true; readonly nodeId: string; readonly answer: Answer }
  | {
      readonly ok: false;
      readonly failure: NodeFailure;
      /** Whether a node may have received the call, and acted on it, although it gave no answer. */
      readonly mayHaveArrived: boolean;
    };

/** Whatever can be asked: a node, the nodes of a network, or a wrapper around either. Answers exactly once and never throws. */
export type NodePort = {
  readonly send: (call: NodeCall) => Promise<NodeReply<NodeAnswer>>;
  readonly sendBatch: (batch: NodeBatch) => Promise<NodeReply<BatchAnswer>>;
};
