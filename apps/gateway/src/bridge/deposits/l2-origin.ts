/** The L1 block that L2 has reached, as L2 itself reports it (specs.optimism.io, L1 attributes predeployed contract). */

import type { ChainReader } from '../chain/chain-reader.ts';

type Question = Parameters<ChainReader['ask']>[0][number];

/** `L1Block`, a predeploy of every OP Stack chain, and the selector of its `number()`. */
const l1Block = '0x4200000000000000000000000000000000000015';
const numberCall = '0x8381f58a';

/** `block`: the L2 block, by number or tag. */
export function originQuestion(block: number | 'latest'): Question {
  const at = block === 'latest' ? block : `0x${block.toString(16)}`;
  return { method: 'eth_call', params: [{ to: l1Block, data: numberCall }, at] };
}

/** Undefined when L2 does not report it: the contract is absent or was never set, or the node has dropped the block's state. */
export function readOrigin(answer: unknown): number | undefined {
  if (typeof answer !== 'string' || !/^0x[0-9a-f]{64}$/i.test(answer)) return undefined;
  const number = Number(answer);
  return number > 0 && Number.isSafeInteger(number) ? number : undefined;
}
