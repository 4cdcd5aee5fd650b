/** Builds the JSON-RPC texts that leave the gateway: requests to nodes, answers to callers, raw parts put in as they came. */

import type { Call } from './message.ts';

/** The gateway's own envelope around the caller's `params` text; `id` is the gateway's. */
export function requestFor(call: Pick<Call, 'method' | 'params'>, id: number): string {
  const head = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(call.method)}`;
  return call.params === undefined ? `${head}}` : `${head},"params":${call.params}}`;
}

/** A batch whose ids count up from `firstId`, in the calls' order. */
export function batchRequestFor(calls: readonly Pick<Call, 'method' | 'params'>[], firstId: number): string {
  let text = '[';
  for (const [index, call] of calls.entries()) text += (index === 0 ? '' : ',') + requestFor(call, firstId + index);
  return `${text}]`;
}

/** `id` and `rawResult` are JSON texts. */
export function answerResult(id: string, rawResult: string): string {
  return `${resultHead(id)}${rawResult}${resultEnd}`;
}

/** What stands before a result. */
export function resultHead(id: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":`;
}

/** What stands behind it. */
export const resultEnd = '}';

/** `id` and `rawError` are JSON texts. */
export function answerError(id: string, rawError: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${rawError}}`;
}
