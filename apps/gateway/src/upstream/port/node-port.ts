/** The port to the nodes: questions and their outcomes. Transports and pools implement it; caches, retries and the like wrap it (docs/decisions/0060). */

import type { BudgetedBuffer } from '@flowgate/bytes/budgeted-buffer';
import type { BufferedPart } from '@flowgate/bytes/buffered-body';
import type { ByteRange } from '@flowgate/bytes/byte-range';
import type { Caller } from '../../api/caller.ts';
import type { NodeFailure } from './node-faults.ts';

export type { NodeFailure };

/** Valid JSON in UTF-8, unchanged, byte for byte (docs/decisions/0083). It is a range of a whole request or answer: copy what outlives them. `text()` is for whoever looks into it. */
export type JsonText = ByteRange;

export type NodeQuestion = {
  /** Decoded: without escapes. */
  readonly method: string;
  /** An array or an object; undefined when left out. */
  readonly params: JsonText | undefined;
};

/** The caller: large answers are charged to the user, and nothing more is sent once the request's signal is aborted. The signal is checked only when a call has to wait. */
export type NodeCaller = {
  readonly userId: string;
  readonly request: { readonly signal: AbortSignal };
  /** Who calls: nodes that users registered answer only those who may call them. */
  readonly caller?: Caller;
};

export type CallTerms = {
  /** False: once bytes of it were sent, it is never sent again, to no node, so that no transaction is submitted twice. */
  readonly repeatable: boolean;
  /** Undefined for the gateway's own calls, whose answers are never `buffered`. */
  readonly caller?: NodeCaller | undefined;
  /** The gateway asks for itself, although in a caller's name: whether a node has a transaction, which block a tag means. */
  readonly isOwn?: true | undefined;
  /** Milliseconds for the whole call from now on, all tries together. The port's own time applies when this is absent or longer. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds that the call may wait for a connection; the whole time when absent. */
  readonly waitMs?: number | undefined;
  /** Whether the call is returned while it waits if its node begins to rest, because there is another node to ask. */
  readonly canLeave?: boolean | undefined;
  /** The nodeIds of nodes that are not asked. */
  readonly leftOut?: ReadonlySet<string> | undefined;
  /** The nodeIds of nodes that timed out in a try of this call: further tries, also of other questions with the same set, ask the others first. */
  readonly timedOut?: Set<string> | undefined;
  /** The height that a node must have reached to be asked: that of the block which the call names, or of the head that its caller was told. */
  readonly fromHeight?: number | undefined;
  /** No node that a user shares is asked (contract/nodes#what-shared-nodes-are-asked). */
  readonly ownOnly?: true | undefined;
  /** The nodeId of the only node that is asked: the one that keeps what the call is about, such as a filter. */
  readonly onlyNode?: string | undefined;
};

/** Whether the gateway asks for itself. Its own questions neither count at a node's circuit breaker nor probe the node (contract/routing#circuit-breaker). */
export function isOwnQuestion({ caller, isOwn }: Pick<CallTerms, 'caller' | 'isOwn'>): boolean {
  return caller === undefined || isOwn === true;
}

export type NodeCall = NodeQuestion &
  CallTerms & {
    /** Whether a result can be the answer, such as the hash of the transaction that is sent. One that cannot is a failed try. */
    readonly expects?: ((result: JsonText) => boolean) | undefined;
  };

/** Calls that are sent together. `repeatable` only if each of them is. */
export type NodeBatch = CallTerms & { readonly questions: readonly NodeQuestion[] };

export type NodeResult = { readonly kind: 'result'; readonly raw: JsonText };
/** A JSON-RPC error object with an integer `code` and a string `message`. */
export type NodeError = { readonly kind: 'error'; readonly raw: JsonText };

/** A large result: ranges of bytes that are charged to the caller until they are released, and what stands between them. Whoever has the answer must release it or pass it on. */
export type BufferedResult = {
  readonly kind: 'buffered';
  /** All bytes that the parts are of. */
  readonly buffers: readonly BudgetedBuffer[];
  /** Together the JSON text of the result. */
  readonly parts: readonly BufferedPart[];
  readonly release: () => void;
};

/** An answer that is small enough to be read at once: its JSON text. */
export type TextAnswer = NodeResult | NodeError;

export type NodeAnswer = TextAnswer | BufferedResult;

/** What became of a question of a batch that was asked apart from others, and failed. */
export type FailedElement = {
  readonly kind: 'failed';
  readonly failure: NodeFailure;
  readonly maybeDelivered: boolean;
  /** As that of a reply. */
  readonly reached?: number | undefined;
};

/** Answers in the order of the questions; undefined where one is missing, duplicated or invalid. At least one is present and has not failed. */
export type ElementAnswers = {
  readonly kind: 'batch';
  readonly answers: readonly (TextAnswer | FailedElement | undefined)[];
};

/** A large result in a batch. The batch is released as a whole. */
export type BufferedElement = { readonly kind: 'buffered'; readonly parts: readonly BufferedPart[] };

/** The same with large results: ranges of the buffers of one or several answers. Errors are texts, since secrets may have to be masked in them. */
export type BufferedBatch = {
  readonly kind: 'buffered';
  /** All bytes that the parts are of. */
  readonly buffers: readonly BudgetedBuffer[];
  readonly answers: readonly (BufferedElement | TextAnswer | FailedElement | undefined)[];
  readonly release: () => void;
};

/** `NodeError`: the error with which a node refused the whole batch. */
export type BatchAnswer = ElementAnswers | BufferedBatch | NodeError;

/** The operator's nodes that answered and were not known to have `fromHeight` when they were asked, with the newest block that each was known to have, -1 for none. They may have caught up since. */
export type BehindNodes = ReadonlyMap<string, number>;

export type NodeReply<Answer> =
  | {
      readonly ok: true;
      /** The node that gave the answer, now or when it was cached. Empty when no node did, and when several did: no height of a node may be concluded from such an answer. */
      readonly nodeId: string;
      /** Of a batch whose elements come from several nodes: the node of each place, empty as `nodeId` is. Absent when all come from `nodeId`. Read with `nodeOf`. */
      readonly nodeIds?: readonly string[] | undefined;
      readonly answer: Answer;
      /** Where it came from, when no node was asked for this call. */
      readonly from?: 'cache' | 'coalesced' | undefined;
      /** How many nodes were asked; 1 when absent, 0 with `from`. */
      readonly attempts?: number | undefined;
      readonly behind?: BehindNodes | undefined;
      /** Of an answer that was joined from several: where these came from, each nodeId or `from` once. */
      readonly sources?: readonly string[] | undefined;
      /** Of a batch: the places of the answers for which no node was asked; absent when `from` says it of all. */
      readonly fromMemory?: ReadonlySet<number> | undefined;
    }
  | {
      readonly ok: false;
      readonly failure: NodeFailure;
      /** How many nodes were asked; unknown when absent. */
      readonly attempts?: number | undefined;
      /** Whether a node may have received the call, and acted on it, although it did not answer. */
      readonly maybeDelivered: boolean;
      /** With `maybeDelivered`: the node that was sent the call last; the only one when it is not repeatable. */
      readonly sentTo?: string | undefined;
      /** With `not-reached`: the newest block of the nodes that answered, where it is known. */
      readonly reached?: number | undefined;
    };

/** What can be asked: a node, the nodes of a network, or a wrapper around either. Answers exactly once and never throws. */
export type NodePort = {
  readonly send: (call: NodeCall) => Promise<NodeReply<NodeAnswer>>;
  readonly sendBatch: (batch: NodeBatch) => Promise<NodeReply<BatchAnswer>>;
};

type Now<Answer> = NodeReply<Answer> | Promise<NodeReply<Answer>>;

/** A port that may also answer in the same turn, from memory: what callers' calls go through. Every `NodePort` is one. */
export type CallPort = {
  readonly send: (call: NodeCall) => Now<NodeAnswer>;
  readonly sendBatch: (batch: NodeBatch) => Now<BatchAnswer>;
};
