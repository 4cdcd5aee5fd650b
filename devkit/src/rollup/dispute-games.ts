/** The rollup's proposer, challenger and guardian: posts state roots as dispute games, disputes and resolves them. */
import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  parseAbi,
  parseEventLogs,
  zeroHash,
} from 'viem';
import { gameType, type L1Contracts } from './deploy-l1.ts';
import { predeploys } from './deploy-l2.ts';
import { rollupAccounts } from './rollup-accounts.ts';
import type { RollupChain } from './rollup-chain.ts';
import { rollupDelays } from './rollup-delays.ts';

const { proposer, challenger, guardian } = rollupAccounts;

const factoryAbi = parseAbi([
  'function create(uint32 gameType, bytes32 rootClaim, bytes extraData) payable returns (address)',
  'function initBonds(uint32 gameType) view returns (uint256)',
  'function gameCount() view returns (uint256)',
  'function gameAtIndex(uint256 index) view returns (uint32 gameType, uint64 timestamp, address game)',
  'event DisputeGameCreated(address indexed disputeProxy, uint32 indexed gameType, bytes32 indexed rootClaim)',
]);
const gameAbi = parseAbi([
  'function rootClaim() view returns (bytes32)',
  'function claimDataLen() view returns (uint256)',
  'function getRequiredBond(uint128 position) view returns (uint256)',
  'function attack(bytes32 disputed, uint256 parentIndex, bytes32 claim) payable',
  'function resolveClaim(uint256 claimIndex, uint256 numToResolve)',
  'function resolvedSubgames(uint256 claimIndex) view returns (bool)',
  'function resolve() returns (uint8)',
  'function status() view returns (uint8)',
  'function createdAt() view returns (uint64)',
]);
const portalAbi = parseAbi(['function blacklistDisputeGame(address game)']);
const superchainAbi = parseAbi(['function pause(string identifier)', 'function unpause()']);

/** The position of a claim that attacks the root. */
const attackPosition = 2n;
const maxResolvedAtOnce = 512n;

export type PostedRoot = { readonly game: Address; readonly root: Hex; readonly l2BlockNumber: number };

/** Mines a block on L2, because a root can be posted for a block only once, and posts its root. */
export async function propose(l1: RollupChain, l2: RollupChain, contracts: L1Contracts): Promise<PostedRoot> {
  await l2.ask('evm_mine', []);
  const { number, stateRoot, hash } = await l2.reader.getBlock();
  const passer = predeploys.L2ToL1MessagePasser;
  const { storageHash } = await l2.reader.getProof({ address: passer, storageKeys: [], blockNumber: number });
  const root = keccak256(concat([zeroHash, stateRoot, storageHash, hash]));
  const factory = { address: contracts.disputeGameFactory, abi: factoryAbi } as const;
  const value = await l1.reader.readContract({ ...factory, functionName: 'initBonds', args: [gameType] });
  const extraData = encodeAbiParameters([{ type: 'uint256' }], [number]);
  const data = encodeFunctionData({ abi: factoryAbi, functionName: 'create', args: [gameType, root, extraData] });
  const { logs } = await l1.send(proposer, { to: contracts.disputeGameFactory, data, value });
  const [created] = parseEventLogs({ abi: factoryAbi, logs });
  if (created === undefined) throw new Error('The game was not created');
  // A proof is valid only if it is younger than its game, and both may be created within one second.
  for (const chain of [l1, l2]) await chain.later(1);
  await l1.ask('evm_mine', []);
  return { game: created.args.disputeProxy, root, l2BlockNumber: Number(number) };
}

/** Attacks the root: without an answer the game is lost when its clock runs out. */
export async function challenge(l1: RollupChain, game: Address): Promise<void> {
  const contract = { address: game, abi: gameAbi } as const;
  const disputed = await l1.reader.readContract({ ...contract, functionName: 'rootClaim' });
  const value = await l1.reader.readContract({ ...contract, functionName: 'getRequiredBond', args: [attackPosition] });
  const data = encodeFunctionData({ abi: gameAbi, functionName: 'attack', args: [disputed, 0n, keccak256(disputed)] });
  await l1.send(challenger, { to: game, data, value });
}

const outcomes = ['in_progress', 'challenger_wins', 'defender_wins'] as const;

/** Ends the game; @throws while its clock runs. */
export async function resolveGame(l1: RollupChain, game: Address): Promise<(typeof outcomes)[number]> {
  const contract = { address: game, abi: gameAbi } as const;
  const outcome = async () => outcomes[await l1.reader.readContract({ ...contract, functionName: 'status' })];
  if ((await outcome()) === 'in_progress') {
    const claims = await l1.reader.readContract({ ...contract, functionName: 'claimDataLen' });
    for (let nth = claims - 1n; nth >= 0n; nth--) {
      // A reorganization may have left a claim resolved and its game unresolved.
      if (await l1.reader.readContract({ ...contract, functionName: 'resolvedSubgames', args: [nth] })) continue;
      const args = [nth, maxResolvedAtOnce] as const;
      await l1.send(proposer, {
        to: game,
        data: encodeFunctionData({ abi: gameAbi, functionName: 'resolveClaim', args }),
      });
    }
    await l1.send(proposer, { to: game, data: encodeFunctionData({ abi: gameAbi, functionName: 'resolve' }) });
  }
  return (await outcome()) ?? 'in_progress';
}

export async function gameCount(l1: RollupChain, { disputeGameFactory }: L1Contracts): Promise<bigint> {
  return await l1.reader.readContract({ address: disputeGameFactory, abi: factoryAbi, functionName: 'gameCount' });
}

const maxLookedAt = 50n;

/** The unresolved ones of the newest games. */
export async function unresolvedGames(l1: RollupChain, contracts: L1Contracts): Promise<readonly Address[]> {
  const factory = { address: contracts.disputeGameFactory, abi: factoryAbi } as const;
  const count = await gameCount(l1, contracts);
  const found: Address[] = [];
  for (let nth = count - 1n; nth >= 0n && nth >= count - maxLookedAt; nth--) {
    const [, , game] = await l1.reader.readContract({ ...factory, functionName: 'gameAtIndex', args: [nth] });
    const status = await l1.reader.readContract({ address: game, abi: gameAbi, functionName: 'status' });
    if (outcomes[status] === 'in_progress') found.push(game);
  }
  return found;
}

/** Whether the clock of an unchallenged game has run out. */
export async function canBeResolved(l1: RollupChain, game: Address): Promise<boolean> {
  const createdAt = await l1.reader.readContract({ address: game, abi: gameAbi, functionName: 'createdAt' });
  const { timestamp } = await l1.reader.getBlock();
  return timestamp > createdAt + BigInt(rollupDelays.clock);
}

export async function blacklist(l1: RollupChain, { portal }: L1Contracts, game: Address): Promise<void> {
  const data = encodeFunctionData({ abi: portalAbi, functionName: 'blacklistDisputeGame', args: [game] });
  await l1.send(guardian, { to: portal, data });
}

export async function pausePortal(l1: RollupChain, { superchainConfig }: L1Contracts): Promise<void> {
  const data = encodeFunctionData({ abi: superchainAbi, functionName: 'pause', args: ['local'] });
  await l1.send(guardian, { to: superchainConfig, data });
}

export async function unpausePortal(l1: RollupChain, { superchainConfig }: L1Contracts): Promise<void> {
  const data = encodeFunctionData({ abi: superchainAbi, functionName: 'unpause' });
  await l1.send(guardian, { to: superchainConfig, data });
}
