/** The requests with which a node proves that it serves the configured chain, and reports its head. */

import type { FamilyQuestion, LedgerFamily } from '@flowgate/chain/families/ledger-family';

export type Chain = {
  readonly family: LedgerFamily;
  /** As the family parses it: a chain id in decimal digits, or the hash of a genesis block. */
  readonly identity: string;
};

/** The request for the chain's identity. No caller's call has id 0. */
export function chainQuestion({ identity }: LedgerFamily, id = 0): string {
  return textOf(identity, id);
}

export function headQuestion({ head }: LedgerFamily): string {
  return textOf(head, 0);
}

function textOf({ method, params }: FamilyQuestion<unknown>, id: number): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
}

export type ChainProof =
  | { readonly kind: 'right' }
  /** `found`: the other chain's identity. */
  | { readonly kind: 'wrong'; readonly found: string }
  /** Not a valid answer; `detail` says why and quotes nothing of it. */
  | { readonly kind: 'none'; readonly detail: string };

/** Longer answers are not parsed; a valid one is far shorter. */
const maxAnswerChars = 4_096;

/** Verifies the answer to `chainQuestion`. Only HTTP 200 with a valid JSON-RPC result under the request's id is a proof. */
export function proveChain({ family, identity }: Chain, status: number, body: string, id = 0): ChainProof {
  const { method } = family.identity;
  if (status !== 200) return { kind: 'none', detail: `answered ${method} with HTTP ${status}` };
  const found = family.identity.read(resultOf(body, id));
  if (found === undefined) return { kind: 'none', detail: `answered ${method} with no valid JSON-RPC result` };
  return found === identity ? { kind: 'right' } : { kind: 'wrong', found };
}

/** Parses the answer to `headQuestion`; undefined if it is not valid. */
export function readHead(family: LedgerFamily, status: number, body: string): number | undefined {
  return status === 200 ? family.head.read(resultOf(body, 0)) : undefined;
}

const otherChain = 'chain id ';

/** Describes why the answer does not prove the chain; undefined if it does. */
export function chainProblem(chain: Chain, status: number, body: string): string | undefined {
  const proof = proveChain(chain, status, body);
  if (proof.kind === 'right') return undefined;
  return proof.kind === 'wrong' ? otherChain + proof.found : proof.detail;
}

/** The identity of the other chain, if `problem` (from `chainProblem`) contains one. */
export function otherChainIn(problem: string): string | undefined {
  return problem.startsWith(otherChain) ? problem.slice(otherChain.length) : undefined;
}

function resultOf(body: string, id: number): unknown {
  if (body.length > maxAnswerChars) return undefined;
  try {
    const answer: unknown = JSON.parse(body);
    if (typeof answer !== 'object' || answer === null || !('id' in answer) || answer.id !== id) return undefined;
    if (('error' in answer && answer.error !== null) || !('result' in answer)) return undefined;
    return answer.result;
  } catch {
    return undefined;
  }
}
