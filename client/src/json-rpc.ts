/** JSON-RPC calls, single or in batches, to a network or to one node (contract/json-rpc#paths). */

import { pathSegment } from './ask.ts';
import type { AnswerFacts, FlowgateError } from './flowgate-error.ts';
import { isJsonRpcError, jsonRpcFailure, unreadable } from './read-answer.ts';
import { isRepeatableMethod } from './repeatable-method.ts';
import { isObject } from './shape.ts';
import type { CallOptions, Send } from './transport.ts';

/** The network; default: the gateway's default network. */
export type RpcTarget =
  | { readonly network?: { readonly dlt: string; readonly networkId: string } | undefined; readonly node?: undefined }
  | { readonly node?: { readonly dlt: string; readonly nodeId: string } | undefined; readonly network?: undefined };

export type RpcOptions = RpcTarget &
  CallOptions & {
    /** Requests a trace: `servedBy` and `attempts` in `onAnswer` and in errors then say which nodes answered. */
    readonly trace?: boolean | undefined;
  };

export type RpcParams = readonly unknown[] | Readonly<Record<string, unknown>>;
export type RpcCall = { readonly method: string; readonly params?: RpcParams | undefined };

/** The outcome of one call in a batch, independent of the others. */
export type RpcOutcome =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: FlowgateError };

export type JsonRpc = {
  /**
   * The call's `result`. Needs an API key. Throws `FlowgateError`: kind `json-rpc` for problems of the call (status 200: the node's own error), `standard` for
   * problems of route, limits or node (404, 413, 429, 502, 503).
   */
  rpc(method: string, params?: RpcParams, options?: RpcOptions): Promise<unknown>;
  /**
   * One outcome for each call, in their order. Counts as one request per call, all or none; an empty batch sends nothing. Throws only for problems of the whole
   * batch, for example 413 when it is too long.
   */
  rpcBatch(calls: readonly RpcCall[], options?: RpcOptions): Promise<readonly RpcOutcome[]>;
};

export function createJsonRpc(send: Send): JsonRpc {
  const post = (body: unknown, repeatable: boolean, { trace, ...options }: RpcOptions) => {
    const headers = trace === true ? { 'X-Flowgate-Trace': '1' } : {};
    return send({ method: 'POST', path: rpcPath(options), body, headers, repeatable, options });
  };
  return {
    async rpc(method, params, options = {}) {
      const answer = await post(message({ method, params }, 1), isRepeatableMethod(method), options);
      const outcome = outcomeOf(answer.body, answer.facts);
      if (!outcome.ok) throw outcome.error;
      return outcome.result;
    },
    async rpcBatch(calls, options = {}) {
      if (calls.length === 0) return [];
      const body = calls.map((call, index) => message(call, index));
      const repeatable = calls.every(({ method }) => isRepeatableMethod(method));
      const answer = await post(body, repeatable, options);
      if (!Array.isArray(answer.body)) throw unreadable(answer.facts);
      const byId = new Map(answer.body.map((each: unknown) => [isObject(each) ? each['id'] : undefined, each]));
      return calls.map((_call, index) => outcomeOf(byId.get(index), answer.facts));
    },
  };
}

/** `JSON.stringify` omits `params` that are undefined. */
function message({ method, params }: RpcCall, id: number) {
  return { jsonrpc: '2.0', id, method, params };
}

function outcomeOf(body: unknown, facts: AnswerFacts): RpcOutcome {
  if (!isObject(body)) return { ok: false, error: unreadable(facts) };
  if (isJsonRpcError(body['error'])) return { ok: false, error: jsonRpcFailure(body['error'], facts) };
  return Object.hasOwn(body, 'result') ? { ok: true, result: body['result'] } : { ok: false, error: unreadable(facts) };
}

export function rpcPath({ network, node }: RpcTarget): string {
  if (network !== undefined) return `/dlts/${pathSegment(network.dlt)}/networks/${pathSegment(network.networkId)}/rpc`;
  return node === undefined ? '/rpc' : `/dlts/${pathSegment(node.dlt)}/nodes/${pathSegment(node.nodeId)}/rpc`;
}
