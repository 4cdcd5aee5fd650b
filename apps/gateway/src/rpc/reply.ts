/** The outcome of a JSON-RPC body, and the texts that single calls and batches share. */

import { memoized } from '@flowgate/async/bounded-map';
import type { ChunkSource } from '@flowgate/bytes/buffered-body';
import type { ByteContent } from '@flowgate/bytes/byte-content';
import { rangeOf } from '@flowgate/bytes/byte-range';
import type { RefusalReason } from '../api/refusal.ts';
import type { UsageOutcome } from '../api/used.ts';
import type { JsonText, NodeFailure, NodeReply, TextAnswer } from '../upstream/port/node-port.ts';
import type { AnswerForm } from './answer-content.ts';
import type { MethodVerdict } from './method-policy.ts';
import { shownError, shownOnceError } from './shown-error.ts';
import type { RpcTarget } from './target.ts';
import { subscribesElsewhere } from './websocket-address.ts';

/**
 * The nodes that answered, for callers that request a trace (contract/json-rpc#trace). Absent when no node was called.
 */
export type Traced = {
  readonly nodeId?: string;
  /** Only for a batch whose elements come from several nodes. */
  readonly nodeIds?: readonly string[] | undefined;
  readonly from?: 'cache' | 'coalesced' | undefined;
  readonly attempts?: number | undefined;
  readonly sources?: readonly string[] | undefined;
};

export type RpcReply = {
  readonly traced?: Traced | undefined;
  /** The outcome of each element of a batch, in order. */
  readonly outcomes?: readonly UsageOutcome[];
} & RpcOutcome;

type RpcOutcome =
  | {
      readonly kind: 'answer';
      readonly body: ByteContent;
      /** Whether a part of the request must not be repeated and may have been executed. */
      readonly isOnce?: boolean;
    }
  /** Large, and charged to the caller until it has been sent: take or release it in any case. */
  | { readonly kind: 'large'; readonly body: ChunkSource }
  /** Only notifications: HTTP 204. */
  | { readonly kind: 'silent' }
  | {
      readonly kind: 'refused';
      readonly reason: RefusalReason;
      readonly detail?: string;
      readonly rpcId?: JsonText | undefined;
      readonly rpcData?: string;
      /** The answer form of the message, unless it is version 2. */
      readonly rpcForm?: AnswerForm['refusal'] | undefined;
    };

/** Makes a complete JSON-RPC error response. `data` is a JSON text. The edge has the catalog of errors. */
export type RefusalContent = (reason: RefusalReason, id: JsonText, data?: string) => ByteContent;

export const silent: RpcReply = { kind: 'silent' };

/** The answer to methods that list accounts. A gateway has no accounts. */
const noAccounts: TextAnswer = { kind: 'result', raw: rangeOf('[]') };

/** The answer that the gateway itself gives to a method. Undefined when the method is blocked or forwarded. */
export function answeredHere(verdict: MethodVerdict | undefined, target: RpcTarget): TextAnswer | undefined {
  if (verdict === 'no-accounts') return noAccounts;
  return verdict === 'subscription' ? (target.subscribesElsewhere ?? subscribesElsewhere('', '/rpc')) : undefined;
}

/**
 * A result is returned byte for byte. An error is, too, unless it contains a secret of the node's configuration or
 * exceeds the maximum length.
 */
export function answerContent(
  form: AnswerForm,
  id: JsonText,
  answer: TextAnswer,
  target: RpcTarget,
  repeatable = true,
): ByteContent {
  if (answer.kind === 'result') return form.result(id, answer.raw);
  const shown = repeatable ? shownError : shownOnceError;
  return form.error(id, shown(answer.raw, target.hideSecrets));
}

/** In bytes of UTF-8: the maximum part of a method's name that an error repeats (contract/json-rpc#errors). */
const maxShownBytes = 256;
const encoder = new TextEncoder();

function shownMethod(method: string): string {
  return method.slice(0, encoder.encodeInto(method, new Uint8Array(maxShownBytes)).read);
}

type Blocked = { readonly reason: 'method-blocked' | 'method-not-enabled'; readonly data: string };

const maxMemoized = 256;
const maxMemoizedLength = 64;
/** Cached refusals of method names. */
const blockedReplies = {
  'method-blocked': memoized(maxMemoized, (method: string) => blockedFor('method-blocked', method)),
  'method-not-enabled': memoized(maxMemoized, (method: string) => blockedFor('method-not-enabled', method)),
};

/** Reason and `data` for a method that is not forwarded (contract/json-rpc). */
export function blockedAs(verdict: MethodVerdict | undefined, method: string): Blocked {
  const reason = verdict === 'not-enabled' ? 'method-not-enabled' : 'method-blocked';
  return method.length > maxMemoizedLength ? blockedFor(reason, method) : blockedReplies[reason](method);
}

function blockedFor(reason: Blocked['reason'], method: string): Blocked {
  const shown = JSON.stringify(shownMethod(method));
  return { reason, data: `{"reason":"${reason.replaceAll('-', '_')}","method":${shown}}` };
}

export function invalidData(detail: string): string {
  return JSON.stringify({ detail });
}

type FailedReply = Extract<NodeReply<never>, { ok: false }>;

/** Error details for calls that no node answered. */
export const failureDetails: Readonly<Record<NodeFailure, string>> = {
  unreachable: 'The node could not be reached.',
  'wrong-chain': 'No node of this network is on its chain.',
  refused: 'The node did not accept the call.',
  cordoned: 'An administrator has cordoned the node.',
  abandoned: 'The caller left before this was sent.',
  timeout: 'The node did not answer in time.',
  unusable: 'The node did not answer with valid JSON-RPC.',
  'not-reached': 'No node that answered has reached the required block.',
  overloaded: 'Too many calls to this node are in flight.',
  'owner-full': 'Large answers in flight to you leave no room for another one: read them first.',
  'all-full': 'Large answers in flight leave no room for another one.',
};

/**
 * For a call that must not be repeated, the reply says whether it may have been executed. Otherwise a wallet could sign
 * another transaction and pay twice.
 */
export function nodeFailed(reply: FailedReply, repeatable: boolean): RpcReply {
  const { failure, maybeDelivered } = reply;
  const hasUnknownOutcome = maybeDelivered && !repeatable;
  const detail = failedDetail(reply, repeatable);
  return {
    kind: 'refused',
    reason: isOurs(failure) && !hasUnknownOutcome ? 'unavailable' : 'bad-gateway',
    detail,
    traced: reply,
  };
}

/** The error details of a failed call, or of a failed element of a batch. */
export function failedDetail(
  {
    failure,
    maybeDelivered,
    attempts,
    reached,
  }: Pick<FailedReply, 'failure' | 'maybeDelivered' | 'attempts' | 'reached'>,
  repeatable: boolean,
): string {
  if (maybeDelivered && !repeatable)
    return 'The node may have received this but gave no usable answer: look for the transaction by its hash before sending another.';
  // The text before the count describes the last node.
  const count = attempts === undefined || attempts === 0 || isOurs(failure) ? '' : ` Nodes asked: ${attempts}.`;
  const newest = reached === undefined ? '' : ` The newest available block is 0x${reached.toString(16)}.`;
  return failureDetails[failure] + newest + count;
}

/**
 * Whether the cause is not a node: the gateway lacks capacity, an administrator cordoned the node, or the caller has
 * left. A call that may have arrived gets no 503, because proxies repeat after 503.
 */
function isOurs(failure: NodeFailure): boolean {
  return (
    failure === 'cordoned' ||
    failure === 'overloaded' ||
    failure === 'owner-full' ||
    failure === 'all-full' ||
    failure === 'abandoned'
  );
}
