/** Calls of contracts that the gateway makes for a user: `eth_call` through the nodes of a network, bounded, with the contract's failures apart from the node's. */

import { rangeOf } from '@flowgate/bytes/byte-range';
import { isJsonObject } from '@flowgate/json/json-object';
import type { CallTerms, ElementAnswers, NodeAnswer, NodeQuestion } from '../port/node-port.ts';
import type { Network } from './network.ts';

export type ContractCall = {
  /** Absent: `data` is the code of a contract that is run and kept nowhere. */
  readonly to?: string | undefined;
  readonly from?: string | undefined;
  readonly data: string;
};

export type CallOutcome =
  /** `0x` and an even number of hexadecimal digits, in lower case; `0x` alone where there is no contract. */
  | { readonly kind: 'returned'; readonly data: string }
  /** The call failed on the chain. `reason`: the contract's own, as the node wrote it; text from outside. */
  | { readonly kind: 'reverted'; readonly reason: string | undefined }
  /** It returned more than 64 KiB or what is no result of a call. */
  | { readonly kind: 'invalid' }
  /** No node answered in time, or the one that did could not serve the call. */
  | { readonly kind: 'unavailable' };

/** Milliseconds for the gateway's questions to a network. */
const timeoutMs = 10_000;

/** Large answers are charged to the user. No one waits for such a call to be given up: it ends with its own time. */
export function callTerms(userId: string, ofTimeMs = timeoutMs): CallTerms {
  return { repeatable: true, timeoutMs: ofTimeMs, caller: { userId, request: { signal: neverAborted } } };
}

const neverAborted = new AbortController().signal;

/** A number of a block, or `latest`. */
export type BlockName = `0x${string}` | 'latest';

/** @returns the question whose answer `outcomeOf` reads. */
export function callQuestion({ to, from, data }: ContractCall, block: BlockName): NodeQuestion {
  return { method: 'eth_call', params: rangeOf(JSON.stringify([{ from, to, data }, block])) };
}

const maxNodes = 3;

/**
 * At the newest block, of one node of the configuration after another, those that are healthy first, until one answers. The pool of a network may have nodes of
 * users, too, whose word is not enough for a proof. Never throws.
 */
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

/** Releases an answer that is too large. */
export function outcomeOf(answer: NodeAnswer | ElementAnswers['answers'][number]): CallOutcome {
  if (answer === undefined || answer.kind === 'failed') return unavailable;
  if (answer.kind === 'held') {
    answer.release();
    return { kind: 'invalid' };
  }
  const value: unknown = JSON.parse(answer.raw.text());
  if (answer.kind === 'error') return failureOf(value);
  const isData = typeof value === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(value);
  return isData ? { kind: 'returned', data: value.toLowerCase() } : { kind: 'invalid' };
}

const unavailable: CallOutcome = { kind: 'unavailable' };

/** Codes that nodes give to a call that failed on the chain: geth and most others, and Parity's descendants. */
const failureCodes: readonly unknown[] = [3, -32015];
/** What nodes without such a code write: of the call in the virtual machine, not of the node. */
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

/** `Error(string)` as Solidity encodes it: selector, offset 32, length, UTF-8. Anything else has no words. */
function revertReason(data: unknown): string | undefined {
  if (typeof data !== 'string' || !/^0x08c379a0[0-9a-f]{128}/i.test(data) || data.length > 4_096) return undefined;
  const bytes = Buffer.from(data.slice(10), 'hex');
  const length = Number(BigInt(`0x${bytes.subarray(32, 64).toString('hex')}`));
  if (length === 0 || length > bytes.length - 64) return undefined;
  return bytes.subarray(64, 64 + length).toString('utf8');
}
