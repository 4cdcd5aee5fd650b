/** The compiled contracts in the repository match their sources. */
import { expect, test } from 'bun:test';
import { type CompiledContract, compileContract, writeCompiled } from '../../test/compile-contract.ts';

const sources: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'dev-erc20.sol': { devErc20: 'DevErc20' },
  'dev-game-forwarder.sol': { devGameForwarder: 'DevGameForwarder' },
  'dev-pool.sol': { devPool: 'DevPool' },
  'dev-staking.sol': { devStaking: 'DevStaking' },
  'dev-wallet.sol': { devWallet: 'DevWallet', devWalletFactory: 'DevWalletFactory' },
};

test.each(Object.entries(sources))('the compiled copy of %s matches its source', async (file, contracts) => {
  const compiled: Record<string, CompiledContract> = {};
  for (const [name, contract] of Object.entries(contracts)) compiled[name] = await compileContract(file, contract);
  if (process.env['UPDATE_CONTRACTS'] === '1') writeCompiled(file, compiled);
  const carried: Readonly<Record<string, unknown>> = await import(`./${file.replace(/\.sol$/, '-code.ts')}`);
  for (const [name, { abi, bytecode }] of Object.entries(compiled)) {
    expect(carried[`${name}Bytecode`]).toBe(bytecode);
    expect(carried[`${name}Abi`]).toEqual(abi);
  }
});
