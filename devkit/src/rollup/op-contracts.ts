/** The OP Stack's contracts as their npm package carries them, compiled. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Abi, Hex } from 'viem';

export type OpContract = { readonly abi: Abi; readonly bytecode: Hex; readonly deployedBytecode: Hex };

type Artifact = {
  readonly abi: Abi;
  readonly bytecode: { readonly object: Hex };
  readonly deployedBytecode: { readonly object: Hex };
};

/** @throws when the package is not installed, or has no such contract. */
export function opContract(name: string): OpContract {
  const manifest = createRequire(import.meta.url).resolve('@eth-optimism/contracts-bedrock/package.json');
  const file = join(dirname(manifest), 'forge-artifacts', `${name}.sol`, `${name}.json`);
  const { abi, bytecode, deployedBytecode }: Artifact = JSON.parse(readFileSync(file, 'utf8'));
  return { abi, bytecode: bytecode.object, deployedBytecode: deployedBytecode.object };
}
