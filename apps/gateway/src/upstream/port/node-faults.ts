/** The table of node failures: their consequences for the node, for the call and for the caller. */

import type { NoRoom } from '@flowgate/bytes/budgeted-buffer';

/** JSON-RPC errors about the node, not about the call (`error-faults`). */
export type ErrorFault = 'limited' | 'unready' | 'too-much' | 'no-state' | 'unknown-block' | 'no-method' | 'internal';

/** The outcomes of a try without an answer. Transports map their own failures to these. */
export type NodeFault =
  | ErrorFault
  | 'connect'
  | 'unfit'
  | 'wrong-chain'
  | 'broken'
  | 'timeout'
  | 'malformed'
  | 'refused'
  | 'unusable'
  | 'not-understood'
  | 'size-refused'
  | 'too-large'
  | 'overloaded'
  | 'released'
  | 'abandoned'
  | NoRoom;

/** The failure that the caller receives if no node answered. */
export type NodeFailure =
  | 'unreachable'
  | 'wrong-chain'
  | 'timeout'
  | 'refused'
  | 'unusable'
  | 'overloaded'
  | 'abandoned'
  | 'cordoned'
  | 'not-reached'
  | NoRoom;

export type FaultMeaning = {
  /** A description for docs/reference/errors.md. */
  readonly what: string;
  /** `nothing`: says nothing about the node. `counts`: counts at its circuit breaker, and a `Retry-After` applies. `out`: the node receives no calls until a health check succeeds. */
  readonly node: 'nothing' | 'counts' | 'out';
  /** Whether a repeatable call goes to the next node although bytes of it were sent. If none were sent, it always does. */
  readonly elsewhere: boolean;
  readonly failure: NodeFailure;
  /** It is a JSON-RPC error. The caller receives it if no other node answers. */
  readonly isError?: true;
};

/** Whether the node works and could not answer only this call. */
export function isAnswer({ node, isError }: FaultMeaning): boolean {
  return isError === true && node === 'nothing';
}

/** Callers can provoke most of these errors. So they do not count against the node, except those that only its own state or plan can cause. */
const ofAnError = { elsewhere: true, failure: 'refused', isError: true } as const;

export const nodeFaults: Readonly<Record<NodeFault, FaultMeaning>> = {
  connect: {
    what: 'No connection: refused, unknown host, TLS failure, or no response to the chain check on a new connection',
    node: 'counts',
    elsewhere: true,
    failure: 'unreachable',
  },
  unfit: {
    what: 'The chain check on a new connection received no valid response',
    node: 'counts',
    elsewhere: true,
    failure: 'unreachable',
  },
  'wrong-chain': { what: 'The node is on another chain', node: 'out', elsewhere: true, failure: 'wrong-chain' },
  broken: {
    what: 'The connection closed before the response was complete',
    node: 'counts',
    elsewhere: true,
    failure: 'unreachable',
  },
  timeout: {
    what: 'No complete response within the time of one attempt',
    node: 'counts',
    elsewhere: true,
    failure: 'timeout',
  },
  malformed: {
    what: 'Not valid HTTP or WebSocket, compressed, or not UTF-8',
    node: 'counts',
    elsewhere: true,
    failure: 'unusable',
  },
  refused: {
    what: 'HTTP 401, 402, 403, 407, 408, 421, 425, 429, 502, 503 or 504 without a JSON-RPC result',
    node: 'counts',
    elsewhere: true,
    failure: 'refused',
  },
  unusable: {
    what: 'No valid JSON-RPC response to this call: HTML, empty, a redirect, another id, neither result nor error, or the hash of another transaction',
    node: 'counts',
    elsewhere: true,
    failure: 'unusable',
  },
  'not-understood': {
    what: 'JSON-RPC error -32700 or -32600 without an id: the node could not read the request',
    node: 'nothing',
    elsewhere: true,
    failure: 'unusable',
  },
  'size-refused': {
    what: 'HTTP 413 without a JSON-RPC response',
    node: 'nothing',
    elsewhere: true,
    failure: 'unusable',
  },
  'too-large': {
    what: 'The response exceeds `outbound.maxResponseBytes`',
    node: 'nothing',
    elsewhere: false,
    failure: 'unusable',
  },
  'owner-full': {
    what: "A large response that exceeds the user's share of `limits.maxAnswerBytesInFlight`",
    node: 'nothing',
    elsewhere: false,
    failure: 'owner-full',
  },
  'all-full': {
    what: 'A large response that exceeds `limits.maxAnswerBytesInFlight`',
    node: 'nothing',
    elsewhere: false,
    failure: 'all-full',
  },
  overloaded: {
    what: "All connections of this gateway to the node, or this user's share of them, are busy, and the queue is full or did not advance in time",
    node: 'nothing',
    elsewhere: true,
    failure: 'overloaded',
  },
  released: {
    what: 'The circuit breaker opened while the call waited for a connection',
    node: 'nothing',
    elsewhere: true,
    failure: 'unreachable',
  },
  abandoned: {
    what: 'The caller left while the call waited for a connection',
    node: 'nothing',
    elsewhere: false,
    failure: 'abandoned',
  },
  limited: {
    what: 'JSON-RPC error: too many requests, an exhausted plan, a rejected key',
    node: 'counts',
    ...ofAnError,
  },
  unready: {
    what: 'JSON-RPC error: the node is starting or not synchronized',
    node: 'counts',
    ...ofAnError,
  },
  'too-much': {
    what: "JSON-RPC error: beyond the node's own limit for the range, size or time of one call, or for batches",
    node: 'nothing',
    ...ofAnError,
  },
  'no-state': {
    what: 'JSON-RPC error: state, blocks or an index that this node does not store (pruned, missing trie node)',
    node: 'nothing',
    ...ofAnError,
  },
  'unknown-block': {
    what: 'JSON-RPC error: a block, header or transaction that this node does not know',
    node: 'nothing',
    ...ofAnError,
  },
  'no-method': {
    what: 'JSON-RPC error: a method that this node or its plan does not offer',
    node: 'nothing',
    ...ofAnError,
  },
  internal: {
    what: 'JSON-RPC error: internal error, or a dependency of the node did not answer; any -32603 that says nothing about the call',
    node: 'nothing',
    ...ofAnError,
  },
};
