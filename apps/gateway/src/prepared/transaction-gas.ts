/**
 * Finds gas limits for transactions that are sent one after another, where a later one may work only after an earlier
 * one.
 */

import { rangeOf } from '@flowgate/bytes/byte-range';
import { isJsonObject } from '@flowgate/json/json-object';
import { type ContractCall, outcomeOf } from '../upstream/networks/contract-call.ts';
import type { NodeAnswer } from '../upstream/port/node-port.ts';
import type { ChainView } from './view-chain.ts';

/** `at`: the index of the transaction that fails. */
export type GasFinding =
  | { readonly kind: 'gas'; readonly limits: readonly bigint[] }
  | { readonly kind: 'reverted'; readonly at: number; readonly reason: string | undefined }
  | { readonly kind: 'unavailable' };

/** `value`: `0x` and hexadecimal digits. */
export type TransactionCall = ContractCall & { readonly value?: string };

export type GasTerms = {
  /**
   * The margin above the node's estimate, in tenths of the estimate, because the state may change until the transaction
   * is mined.
   */
  readonly roomInTenths: bigint;
  /**
   * The limit when the node does not simulate: much more than a call after an approval needs. Unused gas is not paid.
   */
  readonly unknownGas: bigint;
};

const defaultTerms: GasTerms = { roomInTenths: 2n, unknownGas: 500_000n };

/**
 * The limit for the gas that a simulation used. It must also cover gas that is refunded afterwards (EIP-3529: at most a
 * fifth) and gas that a call may not pass on (EIP-150).
 */
const ofUsed = (gas: bigint) => (gas * 3n) / 2n;

export async function findGas(
  view: ChainView,
  calls: readonly TransactionCall[],
  { roomInTenths, unknownGas }: GasTerms = defaultTerms,
): Promise<GasFinding> {
  const [first, ...others] = calls;
  if (first === undefined) return { kind: 'gas', limits: [] };
  const answer = await view.ask({ method: 'eth_estimateGas', params: rangeOf(JSON.stringify([first])) });
  const outcome = outcomeOf(quantityAsData(answer));
  if (outcome.kind === 'reverted') return { kind: 'reverted', at: 0, reason: outcome.reason };
  if (outcome.kind !== 'returned' || outcome.data === '0x') return { kind: 'unavailable' };
  const limit = (BigInt(outcome.data) * (10n + roomInTenths)) / 10n;
  if (others.length === 0) return { kind: 'gas', limits: [limit] };
  const simulated = await simulate(view, calls);
  if (simulated.kind === 'reverted') return simulated;
  const rest = others.map((_, at) => {
    const used = simulated.used[at + 1];
    return used === undefined ? unknownGas : ofUsed(used);
  });
  return { kind: 'gas', limits: [limit, ...rest] };
}

/** Pads the digits, because a quantity may have an odd number of them. */
function quantityAsData(answer: NodeAnswer | undefined): NodeAnswer | undefined {
  const digits = answer?.kind === 'result' ? /^"0x([0-9a-f]{1,16})"$/i.exec(answer.raw.text())?.[1] : undefined;
  if (digits === undefined) return answer?.kind === 'result' ? undefined : answer;
  return { kind: 'result', raw: rangeOf(`"0x${digits.padStart(16, '0')}"`) };
}

type Simulation =
  | { readonly kind: 'used'; readonly used: readonly (bigint | undefined)[] }
  | Extract<GasFinding, { kind: 'reverted' }>;

/** Simulates all calls in one block, which is not stored. `used` is empty when the node does not support the method. */
async function simulate(view: ChainView, calls: readonly TransactionCall[]): Promise<Simulation> {
  const params = rangeOf(JSON.stringify([{ blockStateCalls: [{ calls }] }, 'latest']));
  const answer = await view.ask({ method: 'eth_simulateV1', params });
  if (answer?.kind === 'buffered') answer.release();
  if (answer?.kind !== 'result') return { kind: 'used', used: [] };
  const blocks: unknown = JSON.parse(answer.raw.text());
  const block: unknown = Array.isArray(blocks) ? blocks[0] : undefined;
  const results: unknown = isJsonObject(block) ? block['calls'] : undefined;
  const used: (bigint | undefined)[] = [];
  for (const [at, result] of (Array.isArray(results) ? results : []).entries()) {
    const { status, gasUsed, error } = isJsonObject(result) ? result : {};
    if (status === '0x0') {
      const outcome = outcomeOf({ kind: 'error', raw: rangeOf(JSON.stringify(error ?? null)) });
      return { kind: 'reverted', at, reason: outcome.kind === 'reverted' ? outcome.reason : undefined };
    }
    used.push(typeof gasUsed === 'string' && /^0x[0-9a-f]{1,16}$/i.test(gasUsed) ? BigInt(gasUsed) : undefined);
  }
  return { kind: 'used', used };
}
