/** The port to the nodes. Transports and pools implement it; caches, retries and other wrappers decorate it (docs/decisions/0060). */

import type { BudgetedBuffer } from '@flowgate/bytes/budgeted-buffer';
import type { BufferedPart } from '@flowgate/bytes/buffered-body';
import type { ByteRange } from '@flowgate/bytes/byte-range';
import type { Caller } from '../../api/caller.ts';
import type { NodeFailure } from './node-faults.ts';

export type { NodeFailure };

/** Valid JSON in UTF-8, byte for byte as received (docs/decisions/0083). It is a range of a larger request or answer, so a copy is needed to retain it. `text()` decodes it. */
export type JsonText = ByteRange;

export type NodeQuestion = {
  /** Decoded, without escapes. */
  readonly method: string;
  /** An array or an object; undefined if the request has none. */
  readonly params: JsonText | undefined;
};

/** The caller. Large answers are charged to the user. After the request's signal is aborted nothing more is sent; the signal is checked only when a call has to wait. */
export type NodeCaller = {
  readonly userId: string;
  readonly request: { readonly signal: AbortSignal };
  /** Checked by registered nodes, which answer only callers with access to them. */
  readonly caller?: Caller;
};

export type CallTerms = {
  /** False: once bytes of it were sent, it is not sent again to any node. So no transaction is submitted twice. */
  readonly repeatable: boolean;
  /** Undefined for the gateway's own calls, whose answers are never buffered. */
  readonly caller?: NodeCaller | undefined;
  /** The gateway's own request on behalf of a caller, for example whether a node has a transaction, or which block a tag means. */
  readonly isOwn?: true | undefined;
  /** Milliseconds for the whole call with all tries, from now on. The port's own time applies if this is absent or longer. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds that the call may wait for a connection; the whole time if absent. */
  readonly waitMs?: number | undefined;
  /** Whether a waiting call is returned when its node's circuit opens, because another node is left. */
  readonly canLeave?: boolean | undefined;
  /** The nodeIds of nodes that are not asked. */
  readonly leftOut?: ReadonlySet<string> | undefined;
  /** The nodeIds of nodes that timed out in a try of this call. Further tries ask other nodes first, as do other calls with the same set. */
  readonly timedOut?: Set<string> | undefined;
  /** The height that a node must have reached: that of the block which the call names, or of the head that was reported to its caller. */
  readonly fromHeight?: number | undefined;
  /** No shared node is asked (contract/nodes#what-shared-nodes-are-asked). */
  readonly ownOnly?: true | undefined;
  /** The nodeId of the only node that is asked, for example the one that stores a filter. */
  readonly onlyNode?: string | undefined;
};

/** Whether it is a request of the gateway itself. These neither count at a node's circuit breaker nor probe the node (contract/routing#circuit-breaker). */
export function isOwnQuestion({ caller, isOwn }: Pick<CallTerms, 'caller' | 'isOwn'>): boolean {
  return caller === undefined || isOwn === true;
}

export type NodeCall = NodeQuestion &
  CallTerms & {
    /** Whether a result is plausible, for example the hash of the sent transaction. An implausible result is a failed try. */
    readonly expects?: ((result: JsonText) => boolean) | undefined;
  };

/** Calls that are sent together. `repeatable` only if each of them is. */
export type NodeBatch = CallTerms & { readonly questions: readonly NodeQuestion[] };

export type NodeResult = { readonly kind: 'result'; readonly raw: JsonText };
/** A JSON-RPC error object with an integer `code` and a string `message`. */
export type NodeError = { readonly kind: 'error'; readonly raw: JsonText };

/** A large result: ranges of bytes that are charged to the caller until release, and the text between them. The owner of the answer must release it or pass it on. */
export type BufferedResult = {
  readonly kind: 'buffered';
  /** The buffers of all parts. */
  readonly buffers: readonly BudgetedBuffer[];
  /** Together they are the JSON text of the result. */
  readonly parts: readonly BufferedPart[];
  readonly release: () => void;
};

/** The JSON text of a small answer. */
export type TextAnswer = NodeResult | NodeError;

export type NodeAnswer = TextAnswer | BufferedResult;

/** A failed element of a batch that was sent separately from the others. */
export type FailedElement = {
  readonly kind: 'failed';
  readonly failure: NodeFailure;
  readonly maybeDelivered: boolean;
  /** As in a failed reply. */
  readonly reached?: number | undefined;
};

/** Answers in the order of the questions; undefined if one is missing, duplicate or invalid. At least one is present and has not failed. */
export type ElementAnswers = {
  readonly kind: 'batch';
  readonly answers: readonly (TextAnswer | FailedElement | undefined)[];
};

/** A large result in a batch. The batch is released as a whole. */
export type BufferedElement = { readonly kind: 'buffered'; readonly parts: readonly BufferedPart[] };

/** Answers of a batch with large results: ranges of buffered bytes, of one answer or of several. Errors are texts, because secrets may have to be masked in them. */
export type BufferedBatch = {
  readonly kind: 'buffered';
  /** The buffers of all parts. */
  readonly buffers: readonly BudgetedBuffer[];
  readonly answers: readonly (BufferedElement | TextAnswer | FailedElement | undefined)[];
  readonly release: () => void;
};

/** `NodeError`: the error with which a node refused the whole batch. */
export type BatchAnswer = ElementAnswers | BufferedBatch | NodeError;

/** The operator's nodes that answered without being known to have `fromHeight`, with the newest block that each was known to have, -1 for none. They may have caught up since. */
export type BehindNodes = ReadonlyMap<string, number>;

export type NodeReply<Answer> =
  | {
      readonly ok: true;
      /** The node that gave the answer, now or when it was cached. Empty if no node or several nodes did: such an answer says nothing about a node's height. */
      readonly nodeId: string;
      /** For a batch whose elements come from several nodes: the node of each place, empty like `nodeId`. Absent if all come from `nodeId`. Read with `nodeOf`. */
      readonly nodeIds?: readonly string[] | undefined;
      readonly answer: Answer;
      /** The source, if no node was asked for this call. */
      readonly from?: 'cache' | 'coalesced' | undefined;
      /** The number of nodes asked; 1 if absent, 0 with `from`. */
      readonly attempts?: number | undefined;
      readonly behind?: BehindNodes | undefined;
      /** For an answer that was joined from several: their sources, each nodeId or `from` once. */
      readonly sources?: readonly string[] | undefined;
      /** For a batch: the places of answers for which no node was asked; absent if `from` applies to all. */
      readonly fromMemory?: ReadonlySet<number> | undefined;
    }
  | {
      readonly ok: false;
      readonly failure: NodeFailure;
      /** The number of nodes asked; unknown if absent. */
      readonly attempts?: number | undefined;
      /** Whether a node may have received and executed the call although it did not answer. */
      readonly maybeDelivered: boolean;
      /** With `maybeDelivered`: the last node that was sent the call; the only one if it is not repeatable. */
      readonly sentTo?: string | undefined;
      /** With `not-reached`: the newest block of the nodes that answered, if known. */
      readonly reached?: number | undefined;
    };

/** A node, the nodes of a network, or a wrapper around either. Answers exactly once and never throws. */
export type NodePort = {
  readonly send: (call: NodeCall) => Promise<NodeReply<NodeAnswer>>;
  readonly sendBatch: (batch: NodeBatch) => Promise<NodeReply<BatchAnswer>>;
};

type Now<Answer> = NodeReply<Answer> | Promise<NodeReply<Answer>>;

/** A port for callers' calls, which may answer synchronously, from memory. Each `NodePort` is one. */
export type CallPort = {
  readonly send: (call: NodeCall) => Now<NodeAnswer>;
  readonly sendBatch: (batch: NodeBatch) => Now<BatchAnswer>;
};
