/** How a node proves that it serves the chain that its network is configured with. */

/** The cheapest call that every node of the EVM family answers. Its id is used for no caller's call. */
export const chainQuestion = chainQuestionUnder(0);

/** The same question under another id. */
export function chainQuestionUnder(id: number): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"eth_chainId","params":[]}`;
}

export type ChainProof =
  | { readonly kind: 'right' }
  /** `found`: the other chain's id, a decimal number. */
  | { readonly kind: 'wrong'; readonly found: string }
  /** Not a valid answer; `detail` says why and quotes nothing of it. */
  | { readonly kind: 'none'; readonly detail: string };

/** A valid answer is far shorter: longer ones are not parsed. */
const mostAnswerChars = 4_096;
const none = (detail: string): ChainProof => ({ kind: 'none', detail });

/** What the answer to `chainQuestion`, or to the same question under `id`, proves: only HTTP 200 with a valid JSON-RPC result under the question's id proves anything. */
export function proveChain(chainId: number, status: number, body: string, id = 0): ChainProof {
  if (status !== 200) return none(`answered eth_chainId with HTTP ${status}`);
  const result = resultOf(body, id);
  if (result === undefined) return none('answered eth_chainId with no valid JSON-RPC result');
  const found = BigInt(result);
  return found === BigInt(chainId) ? { kind: 'right' } : { kind: 'wrong', found: String(found) };
}

const otherChain = 'chain id ';

/** A description of what is wrong with the answer; undefined when it proves the chain. */
export function chainProblem(chainId: number, status: number, body: string): string | undefined {
  const proof = proveChain(chainId, status, body);
  if (proof.kind === 'right') return undefined;
  return proof.kind === 'wrong' ? otherChain + proof.found : proof.detail;
}

/** The id of the other chain, if `problem` (from `chainProblem`) names one. */
export function otherChainIn(problem: string): string | undefined {
  return problem.startsWith(otherChain) ? problem.slice(otherChain.length) : undefined;
}

/** The result, a hexadecimal quantity; undefined when there is none. */
function resultOf(body: string, id: number): string | undefined {
  if (body.length > mostAnswerChars) return undefined;
  try {
    const answer: unknown = JSON.parse(body);
    if (typeof answer !== 'object' || answer === null || !('id' in answer) || answer.id !== id) return undefined;
    if (('error' in answer && answer.error !== null) || !('result' in answer)) return undefined;
    const { result } = answer;
    return typeof result === 'string' && /^0x[0-9a-f]{1,64}$/i.test(result) ? result : undefined;
  } catch {
    return undefined;
  }
}
