/** Multicall3 at its well-known address: clients expect it there, and anvil does not deploy it. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Hex } from 'viem';
import { rollupAccounts } from './rollup-accounts.ts';
import type { RollupChain } from './rollup-chain.ts';

export const multicall3Address = '0xcA11bde05977b3631167028862bE2a173976CA11';

export async function putMulticall3(chain: RollupChain): Promise<void> {
  if ((await chain.reader.getCode({ address: multicall3Address })) !== undefined) return;
  const deployed = await chain.deploy(rollupAccounts.deployer, { abi: [], bytecode: creationCode() });
  const code = await chain.reader.getCode({ address: deployed });
  await chain.ask('anvil_setCode', [multicall3Address, code]);
}

/** viem contains it without exporting it. */
function creationCode(): Hex {
  const require = createRequire(import.meta.url);
  const { multicall3Bytecode }: { multicall3Bytecode: Hex } = require(
    join(dirname(require.resolve('viem')), 'constants', 'contracts.js'),
  );
  return multicall3Bytecode;
}
