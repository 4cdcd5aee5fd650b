/** Contracts at the same addresses on every local chain: two tokens, a staking contract and a factory of contract wallets. */
import { type Address, encodeDeployData, getContractAddress, type Hex, parseUnits } from 'viem';
import { devErc20Abi, devErc20Bytecode } from './contracts/dev-erc20-code.ts';
import { devStakingAbi, devStakingBytecode } from './contracts/dev-staking-code.ts';
import { devWalletFactoryAbi, devWalletFactoryBytecode } from './contracts/dev-wallet-code.ts';
import { clientsOf, devAccount } from './dev-token.ts';

/** The deterministic deployer that every anvil contains. Called with a salt and creation code, it deploys by CREATE2 (EIP-1014) for any caller. */
const deployer: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
const salt: Hex = `0x${'0'.repeat(64)}`;

/** Pays for the deployments; the first accounts remain free for users. */
const payerIndex = 9;

/** Amount of the staked token for each account of users and examples. */
const fundedAccounts = [0, 1, 2, 3, 4, 5, 6, 7];
const funds = parseUnits('10000', 18);

const stakedTokenCode = encodeDeployData({
  abi: devErc20Abi,
  bytecode: devErc20Bytecode,
  args: ['Flowgate Dev Stake', 'DEVS', 18],
});
const rewardsTokenCode = encodeDeployData({
  abi: devErc20Abi,
  bytecode: devErc20Bytecode,
  args: ['Flowgate Dev Reward', 'DEVR', 6],
});
const stakedToken = addressOf(stakedTokenCode);
const rewardsToken = addressOf(rewardsTokenCode);
/** One whole token per second, shared by all stakers. */
const rewardRate = parseUnits('1', 6);
const stakingCode = encodeDeployData({
  abi: devStakingAbi,
  bytecode: devStakingBytecode,
  args: [stakedToken, rewardsToken, rewardRate],
});

export const devContracts = {
  stakedToken,
  rewardsToken,
  staking: addressOf(stakingCode),
  walletFactory: addressOf(devWalletFactoryBytecode),
} as const;

/** Deploys the missing contracts and waits for them. Existing contracts remain unchanged. */
export async function deployDevContracts({ rpcUrl }: { readonly rpcUrl: string }): Promise<typeof devContracts> {
  const isFresh = await deploy(rpcUrl, stakedTokenCode);
  for (const code of [rewardsTokenCode, stakingCode, devWalletFactoryBytecode] as const) await deploy(rpcUrl, code);
  if (isFresh) for (const index of fundedAccounts) await fundStaker({ rpcUrl }, devAccount(index).address, funds);
  return devContracts;
}

/** Mints `amount` base units of the staked token to an account and waits. */
export async function fundStaker({ rpcUrl }: { readonly rpcUrl: string }, to: Address, amount: bigint): Promise<void> {
  const { reader, writer } = await clientsOf(rpcUrl, payerIndex);
  const call = { address: stakedToken, abi: devErc20Abi, functionName: 'mint', args: [to, amount] } as const;
  const hash = await writer.writeContract({ ...call, account: devAccount(payerIndex), chain: writer.chain });
  const { status } = await reader.waitForTransactionReceipt({ hash });
  if (status !== 'success') throw new Error('Minting the staked token failed');
}

/** The address of the owner's wallet, and the factory call that creates it (EIP-6492). */
export async function devWalletOf(
  { rpcUrl }: { readonly rpcUrl: string },
  owner: Address,
  walletSalt: Hex,
): Promise<Address> {
  const { reader } = await clientsOf(rpcUrl, payerIndex);
  const call = { address: devContracts.walletFactory, abi: devWalletFactoryAbi, functionName: 'addressOf' } as const;
  return await reader.readContract({ ...call, args: [owner, walletSalt] });
}

function addressOf(code: Hex): Address {
  return getContractAddress({ opcode: 'CREATE2', from: deployer, salt, bytecode: code });
}

/** Deploys the contract unless it exists; returns whether it deployed. */
async function deploy(rpcUrl: string, code: Hex): Promise<boolean> {
  const { reader, writer } = await clientsOf(rpcUrl, payerIndex);
  const address = addressOf(code);
  if ((await reader.getCode({ address })) !== undefined) return false;
  const data: Hex = `${salt}${code.slice(2)}`;
  const hash = await writer.sendTransaction({
    to: deployer,
    data,
    account: devAccount(payerIndex),
    chain: writer.chain,
  });
  await reader.waitForTransactionReceipt({ hash });
  if ((await reader.getCode({ address })) === undefined)
    throw new Error(`A development contract has no code at ${address}`);
  return true;
}
