/** The predeploys on L2: code at their addresses without storage, so that an ordinary transaction can initialize each. */
import { type Address, encodeFunctionData } from 'viem';
import type { L1Contracts } from './deploy-l1.ts';
import { opContract } from './op-contracts.ts';
import { rollupAccounts } from './rollup-accounts.ts';
import type { RollupChain } from './rollup-chain.ts';

export const predeploys = {
  L2CrossDomainMessenger: '0x4200000000000000000000000000000000000007',
  L2StandardBridge: '0x4200000000000000000000000000000000000010',
  OptimismMintableERC20Factory: '0x4200000000000000000000000000000000000012',
  L2ToL1MessagePasser: '0x4200000000000000000000000000000000000016',
  L1Block: '0x4200000000000000000000000000000000000015',
  GasPriceOracle: '0x420000000000000000000000000000000000000F',
  WETH: '0x4200000000000000000000000000000000000006',
} as const satisfies Record<string, Address>;

const { deployer } = rollupAccounts;

export async function deployL2(chain: RollupChain, l1: L1Contracts): Promise<void> {
  for (const [name, address] of Object.entries(predeploys))
    await chain.ask('anvil_setCode', [address, opContract(name).deployedBytecode]);
  const initialize = async (name: keyof typeof predeploys, arg: Address) => {
    const { abi } = opContract(name);
    const data = encodeFunctionData({ abi, functionName: 'initialize', args: [arg] });
    await chain.send(deployer, { to: predeploys[name], data });
  };
  await initialize('L2CrossDomainMessenger', l1.l1CrossDomainMessenger);
  await initialize('L2StandardBridge', l1.l1StandardBridge);
  await initialize('OptimismMintableERC20Factory', predeploys.L2StandardBridge);
}
