/**
 * Filters of nodes: callers receive sealed ids that name the node and the owner. Every call with such an id goes to
 * that node (contract/filters). Wraps the port that serves callers.
 */

import { memoized } from '@flowgate/async/bounded-map';
import { rangeOf } from '@flowgate/bytes/byte-range';
import type {
  CallPort,
  NodeAnswer,
  NodeCall,
  NodeError,
  NodeFailure,
  NodeQuestion,
  NodeReply,
} from '../../../upstream/port/node-port.ts';
import type { SplitBatch } from '../split-batch.ts';
import { FilterIds, filterIdMissing, filterNotFound } from './filter-id.ts';
import type { SealedHex } from './sealed-hex.ts';

export type FiltersDeps = {
  readonly sealed: SealedHex;
  /** For example `ethereum/mainnet`. An id is valid only on the network where it was created. */
  readonly network: string;
  readonly splitBatch: SplitBatch;
};

type Reply = NodeReply<NodeAnswer>;
type Now = Reply | Promise<Reply>;

/** The node is unreachable, on the wrong chain or cordoned. Its filters are lost, and callers create new ones on another node. */
const lostNode: ReadonlySet<NodeFailure> = new Set(['unreachable', 'wrong-chain', 'cordoned']);

/** `creates`: the result is the node's id of a new filter. `asks`: the first parameter is a filter id. */
type FilterUse = 'creates' | 'asks';

/**
 * Any namespace matches: Kaia, Harmony and other chains have the same filters under their own prefix. Case is ignored
 * because some servers ignore it.
 */
const creates = /^[a-z0-9]+_new[a-z]*filter$/i;
const asks = /^[a-z0-9]+_(?:getfilter[a-z]*|uninstallfilter)$/i;

/** Clients use a few dozen method names. */
const maxMemoized = 512;

/** How a method uses filters of nodes (contract/filters#methods). Undefined for all other methods. */
export const filterUseOf = memoized(maxMemoized, (method: string): FilterUse | undefined =>
  creates.test(method) ? 'creates' : asks.test(method) ? 'asks' : undefined,
);

/**
 * Calls about filters are never retried: a repeated creation would leave a second filter on the node, and
 * `eth_getFilterChanges` returns each change only once. The gateway's own calls have no caller and pass unchanged.
 */
export function createFilters(deps: FiltersDeps): (port: CallPort) => CallPort {
  const ids = new FilterIds(deps.sealed, deps.network);
  return (port) => {
    const ask = (call: NodeCall, use: FilterUse): Now => {
      const userId = call.caller?.userId;
      if (userId === undefined) return port.send(call);
      return use === 'creates' ? createFilter(port, call, ids, userId) : askFilter(port, call, ids, userId);
    };
    return {
      send(call) {
        const use = filterUseOf(call.method);
        return use === undefined ? port.send(call) : ask(call, use);
      },
      sendBatch: (batch) =>
        deps.splitBatch(batch, {
          takes: isAboutFilter,
          single: (call) => ask(call, filterUseOf(call.method) ?? 'asks'),
          rest: (rest) => port.sendBatch(rest),
        }),
    };
  };
}

function isAboutFilter({ method }: NodeQuestion): boolean {
  return filterUseOf(method) !== undefined;
}

function createFilter(port: CallPort, call: NodeCall, ids: FilterIds, userId: string): Now {
  return mapped(port.send({ ...call, repeatable: false }), (reply) => {
    if (!reply.ok || reply.answer.kind === 'error') return reply;
    const raw = reply.answer.kind === 'result' ? ids.sealedResult(reply.answer.raw, reply.nodeId, userId) : undefined;
    if (raw !== undefined) return { ...reply, answer: { kind: 'result', raw } };
    if (reply.answer.kind === 'buffered') reply.answer.release();
    return { ok: false, failure: 'unusable', maybeDelivered: true, attempts: reply.attempts };
  });
}

function askFilter(port: CallPort, call: NodeCall, ids: FilterIds, userId: string): Now {
  const named = ids.named(call.params, userId);
  if (named === 'missing') return answered(filterIdMissing);
  if (named === 'unknown' || call.leftOut?.has(named.nodeId) === true) return answered(filterNotFound);
  const params = rangeOf(`["${named.id}"]`);
  const sent = port.send({ ...call, params, onlyNode: named.nodeId, repeatable: false });
  return mapped(sent, (reply) => {
    const isLost = !reply.ok && !reply.maybeDelivered && lostNode.has(reply.failure);
    return isLost ? answered(filterNotFound, reply.attempts) : reply;
  });
}

function mapped(reply: Now, map: (reply: Reply) => Reply): Now {
  return reply instanceof Promise ? reply.then(map) : map(reply);
}

/** A reply that the gateway creates itself; no node was involved in its text. */
function answered(raw: NodeError['raw'], attempts = 0): Reply {
  return { ok: true, nodeId: '', answer: { kind: 'error', raw }, attempts };
}
