/** The state roots of L2 that were posted on L1 as dispute games: which of them proves a withdrawal, and how. */
import { type Address, concat, getAddress, type Hex, keccak256, slice, zeroHash } from 'viem';
import { buildProveWithdrawal } from 'viem/op-stack';
import { type BridgePlace, gameAbi, gameFactoryAbi, portalAbi, type Withdrawal } from './bridge-place.ts';
import { isRefusalOfChain } from './prepared-transaction.ts';

export type Game = {
  readonly address: Address;
  readonly outcome: 'in_progress' | 'challenger_wins' | 'defender_wins';
  readonly isChallenged: boolean;
  readonly isBlacklisted: boolean;
  /** Whether the game has the type that the portal accepts, and was created since then. */
  readonly isRespected: boolean;
  /** Seconds, like all times here. */
  readonly createdAt: bigint;
  readonly resolvedAt: bigint;
  readonly clock: bigint;
};

const outcomes = ['in_progress', 'challenger_wins', 'defender_wins'] as const;

export async function readGame(place: BridgePlace, address: Address, blockNumber: bigint): Promise<Game> {
  const { l1, contracts } = place;
  const game = { address, abi: gameAbi, blockNumber } as const;
  const portal = { address: contracts.portal, abi: portalAbi, blockNumber } as const;
  const [status, type, createdAt, resolvedAt, claims, clock, isBlacklisted, respected, since] = await Promise.all([
    l1.readContract({ ...game, functionName: 'status' }),
    l1.readContract({ ...game, functionName: 'gameType' }),
    l1.readContract({ ...game, functionName: 'createdAt' }),
    l1.readContract({ ...game, functionName: 'resolvedAt' }),
    l1.readContract({ ...game, functionName: 'claimDataLen' }),
    l1.readContract({ ...game, functionName: 'maxClockDuration' }),
    l1.readContract({ ...portal, functionName: 'disputeGameBlacklist', args: [address] }),
    l1.readContract({ ...portal, functionName: 'respectedGameType' }),
    l1.readContract({ ...portal, functionName: 'respectedGameTypeUpdatedAt' }),
  ]);
  return {
    ...{ address, isBlacklisted, createdAt, resolvedAt, clock },
    outcome: outcomes[status] ?? 'challenger_wins',
    isChallenged: claims > 1n,
    isRespected: type === respected && createdAt >= since,
  };
}

/** Whether the portal will accept a proof against this game once its delays have passed. */
export function isUsable({ outcome, isBlacklisted, isRespected }: Game): boolean {
  return outcome !== 'challenger_wins' && !isBlacklisted && isRespected;
}

export type RootProof = {
  readonly gameIndex: bigint;
  readonly outputRootProof: {
    readonly version: Hex;
    readonly stateRoot: Hex;
    readonly messagePasserStorageRoot: Hex;
    readonly latestBlockhash: Hex;
  };
  readonly withdrawalProof: readonly Hex[];
  readonly isChallenged: boolean;
};

/** Roots are posted for the newest blocks, and each of them contains an old withdrawal. */
const maxSearched = 20n;

/** A proof against the newest usable root that contains the withdrawal, preferably an unchallenged one; undefined when none is posted. */
export async function provableRoot(
  place: BridgePlace,
  withdrawal: Withdrawal,
  l2BlockNumber: bigint,
  blockNumber: bigint,
): Promise<RootProof | undefined> {
  const found = await latestGames(place, blockNumber);
  const covering = found.filter(({ extraData }) => BigInt(slice(extraData, 0, 32)) >= l2BlockNumber);
  const read = covering.map(async (posted) => {
    const game = await readGame(place, getAddress(slice(posted.metadata, 12)), blockNumber);
    return { game, posted };
  });
  const usable = (await Promise.all(read)).filter(({ game }) => isUsable(game));
  for (const { game, posted } of usable.sort((a, b) => Number(isOpen(a.game)) - Number(isOpen(b.game)))) {
    const proof = await proofAgainst(place, withdrawal, posted);
    if (proof !== undefined) return { ...proof, isChallenged: isOpen(game) };
  }
  return undefined;
}

const isOpen = ({ isChallenged, outcome }: Game): boolean => isChallenged && outcome === 'in_progress';

type PostedGame = {
  readonly index: bigint;
  readonly metadata: Hex;
  readonly timestamp: bigint;
  readonly rootClaim: Hex;
  readonly extraData: Hex;
};

/** Newest first. */
async function latestGames({ l1, contracts }: BridgePlace, blockNumber: bigint): Promise<readonly PostedGame[]> {
  const factory = { address: contracts.disputeGameFactory, abi: gameFactoryAbi, blockNumber } as const;
  const portal = { address: contracts.portal, abi: portalAbi, blockNumber } as const;
  const [count, type] = await Promise.all([
    l1.readContract({ ...factory, functionName: 'gameCount' }),
    l1.readContract({ ...portal, functionName: 'respectedGameType' }),
  ]);
  if (count === 0n) return [];
  const args = [type, count - 1n, count < maxSearched ? count : maxSearched] as const;
  return await l1.readContract({ ...factory, functionName: 'findLatestGames', args });
}

/** Undefined when the root does not match L2's block: any account may post a root, and L2 may have been reorganized. */
async function proofAgainst(
  { l2 }: BridgePlace,
  withdrawal: Withdrawal,
  posted: PostedGame,
): Promise<Omit<RootProof, 'isChallenged'> | undefined> {
  const l2BlockNumber = BigInt(slice(posted.extraData, 0, 32));
  const game = { ...posted, l2BlockNumber, usesSuperRoots: false };
  try {
    const built = await buildProveWithdrawal(l2, { game, withdrawal, account: withdrawal.sender, chain: null });
    const { outputRootProof, withdrawalProof } = built;
    const { stateRoot, messagePasserStorageRoot, latestBlockhash } = outputRootProof;
    const root = keccak256(concat([zeroHash, stateRoot, messagePasserStorageRoot, latestBlockhash]));
    return root === posted.rootClaim ? { gameIndex: posted.index, outputRootProof, withdrawalProof } : undefined;
  } catch (error) {
    // The block is gone, or the node has pruned its state.
    if (isRefusalOfChain(error) || (error instanceof Error && error.name === 'BlockNotFoundError')) return undefined;
    throw error;
  }
}
