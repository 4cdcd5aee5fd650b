/** The OP Stack's contracts, compiled: copies from their npm package (op-contracts/README.md). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Abi, Hex } from 'viem';

export type OpContract = { readonly abi: Abi; readonly bytecode: Hex; readonly deployedBytecode: Hex };

/** @throws when there is no such contract. */
export function opContract(name: string): OpContract {
  const contract: OpContract = JSON.parse(readFileSync(join(import.meta.dir, 'op-contracts', `${name}.json`), 'utf8'));
  return contract;
}
