/** The assets for bridging and swapping: a token on L1, its counterpart on L2, and a pool of the counterpart and wrapped ether. */
import { type Address, encodeFunctionData, erc20Abi, parseEther, parseEventLogs, parseUnits } from 'viem';
import { devErc20Abi, devErc20Bytecode } from '../contracts/dev-erc20-code.ts';
import { devPoolAbi, devPoolBytecode } from '../contracts/dev-pool-code.ts';
import { predeploys } from './deploy-l2.ts';
import { opContract } from './op-contracts.ts';
import { peoplesAccounts, rollupAccounts } from './rollup-accounts.ts';
import type { RollupChain } from './rollup-chain.ts';

export type Tokens = { readonly l1Token: Address; readonly l2Token: Address; readonly pool: Address };

const { deployer } = rollupAccounts;
const name = 'Flowgate Bridge Token';
const symbol = 'FBT';
const decimals = 18;
const eachPerson = parseUnits('100000', decimals);
/** One ether for 2,000 tokens. */
const reserves = { token: parseUnits('200000', decimals), ether: parseEther('100') };

export async function deployL1Token(l1: RollupChain): Promise<Address> {
  const contract = { abi: devErc20Abi, bytecode: devErc20Bytecode } as const;
  const token = await l1.deploy(deployer, contract, [name, symbol, decimals]);
  for (const { address } of peoplesAccounts) {
    const data = encodeFunctionData({ abi: devErc20Abi, functionName: 'mint', args: [address, eachPerson] });
    await l1.send(deployer, { to: token, data });
  }
  return token;
}

export async function createL2Token(l2: RollupChain, l1Token: Address): Promise<Address> {
  const { abi } = opContract('OptimismMintableERC20Factory');
  const args = [l1Token, name, symbol];
  const data = encodeFunctionData({ abi, functionName: 'createOptimismMintableERC20', args });
  const { logs } = await l2.send(deployer, { to: predeploys.OptimismMintableERC20Factory, data });
  const [created] = parseEventLogs({ abi: createdEvent, logs });
  if (created === undefined) throw new Error('The token on L2 was not created');
  return created.args.localToken;
}

/** The pool's reserves are minted and wrapped on L2 instead of bridged. */
export async function deployPool(l2: RollupChain, l2Token: Address): Promise<Address> {
  const contract = { abi: devPoolAbi, bytecode: devPoolBytecode } as const;
  const pool = await l2.deploy(deployer, contract, [l2Token, predeploys.WETH]);
  await mintOnL2(l2, l2Token, pool, reserves.token);
  await l2.send(deployer, { to: predeploys.WETH, value: reserves.ether });
  const toPool = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [pool, reserves.ether] });
  await l2.send(deployer, { to: predeploys.WETH, data: toPool });
  await l2.send(deployer, { to: pool, data: encodeFunctionData({ abi: devPoolAbi, functionName: 'sync' }) });
  return pool;
}

/** Mints like a deposit of the bridge, before any user can make one. */
async function mintOnL2(l2: RollupChain, token: Address, to: Address, amount: bigint): Promise<void> {
  const { abi } = opContract('OptimismMintableERC20');
  const data = encodeFunctionData({ abi, functionName: 'mint', args: [to, amount] });
  const bridge = predeploys.L2StandardBridge;
  await l2.ask('anvil_impersonateAccount', [bridge]);
  await l2.ask('anvil_setBalance', [bridge, '0xde0b6b3a7640000']);
  const hash = await l2.ask('eth_sendTransaction', [{ from: bridge, to: token, data }]);
  if (typeof hash !== 'string' || !hash.startsWith('0x')) throw new Error('no hash');
  const { status } = await l2.reader.waitForTransactionReceipt({ hash: `0x${hash.slice(2)}` });
  if (status !== 'success') throw new Error('Minting on L2 failed');
  await l2.ask('anvil_setBalance', [bridge, '0x0']);
  await l2.ask('anvil_stopImpersonatingAccount', [bridge]);
}

const createdEvent = [
  {
    type: 'event',
    name: 'OptimismMintableERC20Created',
    inputs: [
      { name: 'localToken', type: 'address', indexed: true },
      { name: 'remoteToken', type: 'address', indexed: true },
      { name: 'deployer', type: 'address', indexed: false },
    ],
  },
] as const;
