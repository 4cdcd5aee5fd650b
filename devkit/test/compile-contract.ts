/** Compiles a contract of `src/contracts`, so that a test can compare the repository's copy with its source. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installedPackages } from '@flowgate/testing/installed-packages';

export type CompiledContract = { readonly abi: readonly unknown[]; readonly bytecode: `0x${string}` };

type Compiler = { readonly compile: (input: string) => string };

/** All settings that affect the bytecode. Metadata is excluded, so that paths and comments do not affect it. */
const settings = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 200 },
  metadata: { bytecodeHash: 'none', appendCBOR: false },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
};

/** Throws with the compiler's messages when it has any. */
export async function compileContract(file: string, contract: string): Promise<CompiledContract> {
  const compiler = await installedPackages(join(import.meta.dir, 'solc'));
  const solc: Compiler = createRequire(join(compiler, 'package.json'))('solc');
  const content = readFileSync(join(import.meta.dir, '..', 'src', 'contracts', file), 'utf8');
  const input = { language: 'Solidity', sources: { [file]: { content } }, settings };
  const output = JSON.parse(solc.compile(JSON.stringify(input)));
  if (output.errors !== undefined) throw new Error(JSON.stringify(output.errors, null, 2));
  const { abi, evm } = output.contracts[file][contract];
  return { abi, bytecode: `0x${evm.bytecode.object}` };
}

/** The TypeScript of one source's contracts: `<name>Abi` and `<name>Bytecode` of each. */
export function writeCompiled(file: string, compiled: Readonly<Record<string, CompiledContract>>): void {
  const path = join(import.meta.dir, '..', 'src', 'contracts', file.replace(/\.sol$/, '-code.ts'));
  const text = [
    `/** \`${file}\`, compiled: written by \`UPDATE_CONTRACTS=1 npx bun test devkit\`, compared with the source by that test. */`,
    ...Object.entries(compiled).flatMap(([name, { abi, bytecode }]) => [
      `export const ${name}Abi = ${JSON.stringify(abi)} as const;`,
      '/** Creation code. */',
      `export const ${name}Bytecode = '${bytecode}';`,
    ]),
  ].join('\n\n');
  writeFileSync(path, `${text}\n`);
  Bun.spawnSync(['npx', 'biome', 'format', '--write', path]);
}
