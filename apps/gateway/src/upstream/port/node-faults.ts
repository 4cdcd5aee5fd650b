/** The table of node failures: what the node did, and what that means for the node, for the call, and for its caller. */

import type { NoRoom } from '@flowgate/bytes/held-bytes';

/** JSON-RPC errors that speak of the node and not of the call (`error-faults`). */
export type ErrorFault = 'limited' | 'unready' | 'too-much' | 'no-state' | 'unknown-block' | 'no-method' | 'internal';

/** The outcomes of a try without an answer to the call; transports map their own failures to these. */
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

/** What the caller is told when no node answered. */
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
  /** A description for docs/operations.md. */
  readonly what: string;
  /**
   * - `nothing`: the failure says nothing about the node. - `counts`: its circuit breaker counts it, and the node rests when it asks for that.
   * - `out`: it is not asked at all until a health check has succeeded.
   */
  readonly node: 'nothing' | 'counts' | 'out';
  /** Whether a repeatable call goes to the next node although bytes of it were sent. When none were sent, it always does. */
  readonly elsewhere: boolean;
  readonly failure: NodeFailure;
  /** It came as a JSON-RPC error, which its caller gets when no other node answers. */
  readonly isError?: true;
};

/** Whether the node works, and only could not answer this call. */
export function isAnswer({ node, isError }: FaultMeaning): boolean {
  return isError === true && node === 'nothing';
}

/** Callers can provoke most of these, so that they say nothing about the node to others, but for those that the node's own state or plan alone can cause. */
const ofAnError = { elsewhere: true, failure: 'refused', isError: true } as const;

export const nodeFaults: Readonly<Record<NodeFault, FaultMeaning>> = {
  connect: {
    what: 'No connection: refused, unknown host, TLS, or no answer to the first question on a new connection',
    node: 'counts',
    elsewhere: true,
    failure: 'unreachable',
  },
  unfit: {
    what: 'A new connection gave no real answer to the question for its chain',
    node: 'counts',
    elsewhere: true,
    failure: 'unreachable',
  },
  'wrong-chain': { what: 'Another chain', node: 'out', elsewhere: true, failure: 'wrong-chain' },
  broken: { what: 'Closed before the answer was whole', node: 'counts', elsewhere: true, failure: 'unreachable' },
  timeout: { what: 'No whole answer in the time of a try', node: 'counts', elsewhere: true, failure: 'timeout' },
  malformed: {
    what: 'No valid HTTP or WebSocket, compressed, or not UTF-8',
    node: 'counts',
    elsewhere: true,
    failure: 'unusable',
  },
  refused: {
    what: 'HTTP 401, 402, 403, 407, 408, 421, 425, 429, 502, 503 or 504, unless with a JSON-RPC result',
    node: 'counts',
    elsewhere: true,
    failure: 'refused',
  },
  unusable: {
    what: 'Any other status without a valid JSON-RPC answer to this very call: HTML, empty, a redirect, another id, neither result nor error; or the hash of another transaction than the one that was sent',
    node: 'counts',
    elsewhere: true,
    failure: 'unusable',
  },
  'not-understood': {
    what: 'The JSON-RPC error -32700 or -32600, naming no call: servers answer so what they cannot read',
    node: 'nothing',
    elsewhere: true,
    failure: 'unusable',
  },
  'size-refused': {
    what: 'HTTP 413 without a JSON-RPC answer',
    node: 'nothing',
    elsewhere: true,
    failure: 'unusable',
  },
  'too-large': {
    what: 'More than `outbound.maxResponseBytes`',
    node: 'nothing',
    elsewhere: false,
    failure: 'unusable',
  },
  'owner-full': {
    what: "A large answer, and no room among those on their way to this call's user",
    node: 'nothing',
    elsewhere: false,
    failure: 'owner-full',
  },
  'all-full': {
    what: 'A large answer, and no room among those on their way to everybody',
    node: 'nothing',
    elsewhere: false,
    failure: 'all-full',
  },
  overloaded: {
    what: "All of this gateway's connections to it are busy, or this user's share of them is, and the queue is full or did not move in time",
    node: 'nothing',
    elsewhere: true,
    failure: 'overloaded',
  },
  released: {
    what: 'It began to rest while the call waited for a connection',
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
    what: 'JSON-RPC error: too many requests, a plan that is used up, a key that is not accepted',
    node: 'counts',
    ...ofAnError,
  },
  unready: {
    what: 'JSON-RPC error: the node starts, or is not synchronised',
    node: 'counts',
    ...ofAnError,
  },
  'too-much': {
    what: "JSON-RPC error: beyond the node's own limit for the range, size or time of one call, or for batches",
    node: 'nothing',
    ...ofAnError,
  },
  'no-state': {
    what: 'JSON-RPC error: state, blocks or an index that this node does not keep (pruned, missing trie node)',
    node: 'nothing',
    ...ofAnError,
  },
  'unknown-block': {
    what: 'JSON-RPC error: a block, header or transaction that this node does not know',
    node: 'nothing',
    ...ofAnError,
  },
  'no-method': {
    what: 'JSON-RPC error: a method that this node does not have, or not on this plan',
    node: 'nothing',
    ...ofAnError,
  },
  internal: {
    what: 'JSON-RPC error: internal error, something behind the node did not answer; any -32603 that tells nothing of the call',
    node: 'nothing',
    ...ofAnError,
  },
};
