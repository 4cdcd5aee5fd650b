/** `eth_call` through the nodes of a network, on behalf of a user. Failures of the contract and of the node are different outcomes. */

import { rangeOf } from '@flowgate/bytes/byte-range';
import { isJsonObject } from '@flowgate/json/json-object';
import type { CallTerms, ElementAnswers, NodeAnswer, NodeQuestion } from '../port/node-port.ts';
import type { Network } from './network.ts';

export type ContractCall = {
  /** Absent: `data` is creation code, which the node runs without storing it. */
  readonly to?: string | undefined;
  readonly from?: string | undefined;
  readonly data: string;
};

export type CallOutcome =
  /** `0x` and an even number of hexadecimal digits, in lower case; only `0x` if the address has no code. */
  | { readonly kind: 'returned'; readonly data: string }
  /** The call failed on the chain. `reason` is the contract's text as the node sent it: untrusted. */
  | { readonly kind: 'reverted'; readonly reason: string | undefined }
  /** The result exceeds 64 KiB or is not the result of a call. */
  | { readonly kind: 'invalid' }
  /** No node answered in time, or the node that answered could not run the call. */
  | { readonly kind: 'unavailable' };

/** Milliseconds. */
const timeoutMs = 10_000;

/** Large answers are charged to the user. The call ends only with its timeout, never because a caller disconnects. */
export function callTerms(userId: string, ofTimeMs = timeoutMs): CallTerms {
  return { repeatable: true, timeoutMs: ofTimeMs, caller: { userId, request: { signal: neverAborted } } };
}

const neverAborted = new AbortController().signal;

/** A block's number, or `latest`. */
export type BlockName = `0x${string}` | 'latest';

/** Builds the request for `eth_call`; `outcomeOf` parses its answer. */
export function callQuestion({ to, from, data }: ContractCall, block: BlockName): NodeQuestion {
  return { method: 'eth_call', params: rangeOf(JSON.stringify([{ from, to, data }, block])) };
}

const maxNodes = 3;

/** Calls at the newest block, at one configured node after another, healthy ones first, until one answers. Shared nodes are not called: their answer is no proof. Never throws. */
export async function callOwnNodes(nodes: Network['nodes'], call: ContractCall, userId: string): Promise<CallOutcome> {
  const order = nodes.toSorted((left, right) => rankOf(left) - rankOf(right)).slice(0, maxNodes);
  const terms = callTerms(userId, timeoutMs / Math.max(1, order.length));
  for (const { pool } of order) {
    const reply = await pool.send({ ...callQuestion(call, 'latest'), ...terms });
    const outcome = reply.ok ? outcomeOf(reply.answer) : unavailable;
    if (outcome.kind !== 'unavailable') return outcome;
  }
  return unavailable;
}

function rankOf({ status }: Network['nodes'][number]): number {
  return ['healthy', 'pending', 'unhealthy'].indexOf(status().status);
}

/** Releases the answer if it is too large. */
export function outcomeOf(answer: NodeAnswer | ElementAnswers['answers'][number]): CallOutcome {
  if (answer === undefined || answer.kind === 'failed') return unavailable;
  if (answer.kind === 'buffered') {
    answer.release();
    return { kind: 'invalid' };
  }
  const value: unknown = JSON.parse(answer.raw.text());
  if (answer.kind === 'error') return failureOf(value);
  const isData = typeof value === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(value);
  return isData ? { kind: 'returned', data: value.toLowerCase() } : { kind: 'invalid' };
}

const unavailable: CallOutcome = { kind: 'unavailable' };

/** Error codes for a call that failed on the chain: geth and most others, then Parity's descendants. */
const failureCodes: readonly unknown[] = [3, -32015];
/** Messages about execution, from nodes without such a code. */
const failureWords = new RegExp(
  [
    ...[
      'revert',
      'invalid opcode',
      'invalid code',
      'bad instruction',
      'invalid jump',
      'bad jump',
      'stack (?:under|over)flow',
    ],
    ...['out of gas', 'gas required exceeds', 'gas uint64 overflow', 'execution aborted', 'vm execution', 'evm error'],
    ...['write protection', 'return data out of bounds', 'call depth', 'insufficient (?:balance|funds)'],
  ].join('|'),
  'i',
);

function failureOf(error: unknown): CallOutcome {
  const { code, message, data } = isJsonObject(error) ? error : {};
  const text = typeof message === 'string' ? message : '';
  if (!failureCodes.includes(code) && !failureWords.test(text)) return unavailable;
  return { kind: 'reverted', reason: revertReason(data) };
}

/** Decodes `Error(string)` of Solidity: selector, offset 32, length, UTF-8. Undefined for other data. */
function revertReason(data: unknown): string | undefined {
  if (typeof data !== 'string' || !/^0x08c379a0[0-9a-f]{128}/i.test(data) || data.length > 4_096) return undefined;
  const bytes = Buffer.from(data.slice(10), 'hex');
  const length = Number(BigInt(`0x${bytes.subarray(32, 64).toString('hex')}`));
  if (length === 0 || length > bytes.length - 64) return undefined;
  return bytes.subarray(64, 64 + length).toString('utf8');
}
