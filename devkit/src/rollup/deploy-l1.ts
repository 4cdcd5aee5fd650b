/** The OP Stack's contracts on L1: all proxies first, because their addresses refer to each other, then the implementations. */
import { type Address, encodeFunctionData, parseEther, toHex, zeroAddress } from 'viem';
import { devGameForwarderAbi, devGameForwarderBytecode } from '../contracts/dev-game-forwarder-code.ts';
import { type OpContract, opContract } from './op-contracts.ts';
import { rollupAccounts } from './rollup-accounts.ts';
import type { RollupChain } from './rollup-chain.ts';
import { rollupDelays } from './rollup-delays.ts';

export type L1Contracts = {
  readonly portal: Address;
  readonly l1StandardBridge: Address;
  readonly l1CrossDomainMessenger: Address;
  readonly disputeGameFactory: Address;
  readonly superchainConfig: Address;
};

const { deployer, guardian } = rollupAccounts;
const proxied = [
  'SuperchainConfig',
  'SystemConfig',
  'DisputeGameFactory',
  'AnchorStateRegistry',
  'DelayedWETH',
  'OptimismPortal2',
  'L1CrossDomainMessenger',
  'L1StandardBridge',
] as const;
type Proxied = (typeof proxied)[number];

/** Any account may propose and dispute. */
export const gameType = 0;
/** A proposer's bond for a root. */
const gameBond = parseEther('0.08');
/** Any value except zero: games here have no steps, so no VM is called. */
const someHash = '0x0000000000000000000000000000000000000000000000000000000000000001';
/** SystemConfig's name for ether as the gas token. */
const ether = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
const l2GasLimit = 30_000_000n;
const resources = {
  maxResourceLimit: 20_000_000,
  elasticityMultiplier: 10,
  baseFeeMaxChangeDenominator: 8,
  minimumBaseFee: 1_000_000_000,
  systemTxMaxGas: 1_000_000,
  maximumBaseFee: 2n ** 128n - 1n,
};
/** The portal's balance pays withdrawals of ether, and anvil's accounts have ether on L2 that was never deposited. */
const portalFunds = parseEther('1000000');

export async function deployL1(chain: RollupChain, l2ChainId: number): Promise<L1Contracts> {
  const proxy = opContract('Proxy');
  const contracts: Partial<Record<Proxied, OpContract>> = {};
  const addresses: Partial<Record<Proxied, Address>> = {};
  for (const name of proxied) {
    contracts[name] = opContract(name);
    addresses[name] = await chain.deploy(deployer, proxy, [deployer.address]);
  }
  const at = (name: Proxied): Address => addresses[name] ?? zeroAddress;
  const install = async (name: Proxied, constructorArgs: readonly unknown[], args: readonly unknown[]) => {
    const contract = contracts[name] ?? opContract(name);
    const implementation = await chain.deploy(deployer, contract, constructorArgs);
    const initialize = encodeFunctionData({ abi: contract.abi, functionName: 'initialize', args });
    await call(chain, at(name), proxy, 'upgradeToAndCall', [implementation, initialize]);
  };

  await install('SuperchainConfig', [], [guardian.address, false]);
  await install('SystemConfig', [], systemConfig(at));
  await install('DisputeGameFactory', [], [deployer.address]);
  const anchor = [{ gameType, outputRoot: { root: someHash, l2BlockNumber: 0n } }];
  await install('AnchorStateRegistry', [at('DisputeGameFactory')], [anchor]);
  await install('DelayedWETH', [1n], [deployer.address, at('SuperchainConfig')]);
  await installGame(chain, at, l2ChainId);
  await install(
    'OptimismPortal2',
    [BigInt(rollupDelays.proofMaturity), BigInt(rollupDelays.finality)],
    [at('DisputeGameFactory'), at('SystemConfig'), at('SuperchainConfig'), gameType],
  );
  const messenger = [at('SuperchainConfig'), at('OptimismPortal2'), at('SystemConfig')];
  await install('L1CrossDomainMessenger', [], messenger);
  const bridge = [at('L1CrossDomainMessenger'), at('SuperchainConfig'), at('SystemConfig')];
  await install('L1StandardBridge', [], bridge);
  await chain.ask('anvil_setBalance', [at('OptimismPortal2'), toHex(portalFunds)]);
  return {
    portal: at('OptimismPortal2'),
    l1StandardBridge: at('L1StandardBridge'),
    l1CrossDomainMessenger: at('L1CrossDomainMessenger'),
    disputeGameFactory: at('DisputeGameFactory'),
    superchainConfig: at('SuperchainConfig'),
  };
}

function systemConfig(at: (name: Proxied) => Address): readonly unknown[] {
  const batcherHash = `0x${deployer.address.slice(2).padStart(64, '0')}`;
  const addresses = {
    l1CrossDomainMessenger: at('L1CrossDomainMessenger'),
    l1ERC721Bridge: zeroAddress,
    l1StandardBridge: at('L1StandardBridge'),
    disputeGameFactory: at('DisputeGameFactory'),
    optimismPortal: at('OptimismPortal2'),
    optimismMintableERC20Factory: zeroAddress,
    gasPayingToken: ether,
  };
  const scalars = [1368, 810_949];
  return [
    deployer.address,
    ...scalars,
    batcherHash,
    l2GasLimit,
    deployer.address,
    resources,
    deployer.address,
    addresses,
  ];
}

/** The game behind a forwarder, from which clients can read its block under the current name. */
async function installGame(chain: RollupChain, at: (name: Proxied) => Address, l2ChainId: number): Promise<void> {
  const [maxDepth, splitDepth, clockExtension] = [73n, 30n, 1n];
  const depths = [maxDepth, splitDepth, clockExtension, BigInt(rollupDelays.clock)];
  const places = [zeroAddress, at('DelayedWETH'), at('AnchorStateRegistry'), BigInt(l2ChainId)];
  const game = await chain.deploy(deployer, opContract('FaultDisputeGame'), [gameType, someHash, ...depths, ...places]);
  const forwarder = { abi: devGameForwarderAbi, bytecode: devGameForwarderBytecode } as const;
  const implementation = await chain.deploy(deployer, forwarder, [game]);
  const factory = opContract('DisputeGameFactory');
  await call(chain, at('DisputeGameFactory'), factory, 'setImplementation', [gameType, implementation]);
  await call(chain, at('DisputeGameFactory'), factory, 'setInitBond', [gameType, gameBond]);
}

async function call(
  chain: RollupChain,
  to: Address,
  { abi }: Pick<OpContract, 'abi'>,
  functionName: string,
  args: readonly unknown[],
): Promise<void> {
  await chain.send(deployer, { to, data: encodeFunctionData({ abi, functionName, args }) });
}
