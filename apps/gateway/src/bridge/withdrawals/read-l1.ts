/** Reads from L1, at one block, what decides the status of withdrawals: the portal's terms, the state of games, and the game of each proof. */

import type { Address, Hex } from 'viem';
import type { Bridge } from '../bridges/bridge.ts';
import { ChainAway, type ChainReader } from '../chain/chain-reader.ts';
import { type BlockRead, callAtBlock } from '../chain/read-at-block.ts';
import type { GameState, GameStatus } from './classify-withdrawal.ts';
import {
  blacklistCall,
  callOf,
  finalizedCall,
  type L1Call,
  messageCalls,
  numberOf,
  provenCall,
  provenOf,
} from './l1-calls.ts';
import type { PortalState, StoredGame, UnboundProof, WithdrawalChanges } from './withdrawal-store.ts';

/** L1 at the head that the stream has read. */
export type L1Head = { readonly chain: ChainReader; readonly block: BlockRead };

const portalFunctions = [
  'paused',
  'proofMaturityDelaySeconds',
  'disputeGameFinalityDelaySeconds',
  'respectedGameType',
  'respectedGameTypeUpdatedAt',
] as const;

/** Throws `ChainAway` when the address does not answer as a portal. */
export async function readPortal({ chain, block }: L1Head, bridge: Bridge): Promise<Omit<PortalState, 'coveredTo'>> {
  const calls = portalFunctions.map((name) => callOf(bridge.contracts.portal, name));
  const [paused, maturitySeconds, airGapSeconds, respectedType, respectedAt = 0] = (
    await callAtBlock(chain, block, calls)
  ).map(numberOf);
  if (paused === undefined || maturitySeconds === undefined || airGapSeconds === undefined)
    throw new ChainAway(`the portal of the bridge ${bridge.bridgeId} does not answer as one`);
  if (respectedType === undefined)
    throw new ChainAway(`the portal of the bridge ${bridge.bridgeId} names no type of games`);
  const isPaused = paused === 1;
  return { bridgeId: bridge.bridgeId, isPaused, maturitySeconds, airGapSeconds, respectedType, respectedAt };
}

export type ReadGame = NonNullable<WithdrawalChanges['games']>[number];

const gameStatuses: readonly GameStatus[] = ['in_progress', 'challenger_wins', 'defender_wins'];
const gameFunctions = ['status', 'resolvedAt', 'claimDataLen', 'maxClockDuration'] as const;

/** The games at the block, in the same order. Throws `ChainAway` when one of them does not answer as a game. */
export async function readGames(
  { chain, block }: L1Head,
  { contracts: { portal } }: Pick<Bridge, 'contracts'>,
  games: readonly StoredGame[],
): Promise<readonly ReadGame[]> {
  const answers = await callAtBlock(chain, block, gameCalls(portal, games));
  return statesOf(games, answers).map((state) => ({ ...state, blockNumber: block.number }));
}

/** The same at the node's newest block. */
export async function readGamesNow(
  chain: ChainReader,
  { contracts: { portal } }: Pick<Bridge, 'contracts'>,
  games: readonly StoredGame[],
): Promise<readonly Omit<ReadGame, 'blockNumber'>[]> {
  const questions = gameCalls(portal, games).map((call) => ({ method: 'eth_call', params: [call, 'latest'] }));
  return statesOf(games, await chain.ask(questions));
}

function gameCalls(portal: Address, games: readonly Pick<StoredGame, 'game'>[]): readonly L1Call[] {
  return games.flatMap(({ game }): readonly L1Call[] => {
    const address = hexOf(game);
    return [...gameFunctions.map((name) => callOf(address, name)), blacklistCall(portal, address)];
  });
}

function statesOf(
  games: readonly Pick<StoredGame, 'gameId' | 'game'>[],
  answers: readonly unknown[],
): readonly Omit<ReadGame, 'blockNumber'>[] {
  const each = gameFunctions.length + 1;
  return games.map(({ gameId, game }, at) => {
    const [status, resolvedAt = 0, claims = 1, clockSeconds = 0, blacklisted] = answers
      .slice(each * at, each * at + each)
      .map(numberOf);
    const name = status === undefined ? undefined : gameStatuses[status];
    if (name === undefined || blacklisted === undefined) throw new ChainAway(`the game ${game} does not answer as one`);
    return {
      ...{ gameId, status: name, resolvedAt, clockSeconds },
      // The first claim is the root.
      isChallenged: name === 'in_progress' && claims > 1,
      isBlacklisted: blacklisted === 1,
    };
  });
}

/** For each message, whether L1's messenger could not deliver it and has not delivered it since. Messages without an answer are absent. */
export async function readFailedRelays(
  { chain, block }: L1Head,
  { contracts }: Pick<Bridge, 'contracts'>,
  messageHashes: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  const calls = messageHashes.flatMap((hash) => messageCalls(contracts.l1CrossDomainMessenger, hexOf(hash)));
  const answers = calls.length === 0 ? [] : (await callAtBlock(chain, block, calls)).map(numberOf);
  return new Map(
    messageHashes.flatMap((hash, at) => {
      const [isFailed, isRelayed] = answers.slice(2 * at, 2 * at + 2);
      return isFailed === undefined || isRelayed === undefined
        ? []
        : [[hash, isFailed === 1 && isRelayed === 0] as const];
    }),
  );
}

/** At the node's newest block. */
export async function isFinalizedNow(
  chain: ChainReader,
  { contracts: { portal } }: Pick<Bridge, 'contracts'>,
  withdrawalHash: string,
): Promise<boolean> {
  const call = finalizedCall(portal, hexOf(withdrawalHash));
  const [answer] = await chain.ask([{ method: 'eth_call', params: [call, 'latest'] }]);
  return numberOf(answer) === 1;
}

export function isChanged(game: StoredGame, now: ReadGame): boolean {
  const members = ['status', 'isChallenged', 'resolvedAt', 'clockSeconds', 'isBlacklisted'] as const;
  return !game.isRead || members.some((name) => game[name] !== now[name]);
}

/** The game of each proof; undefined where a later proof of the submitter has replaced it. */
export async function readProofs(
  { chain, block }: L1Head,
  { contracts: { portal } }: Pick<Bridge, 'contracts'>,
  proofs: readonly UnboundProof[],
): Promise<NonNullable<WithdrawalChanges['bindings']>> {
  const calls = proofs.map(({ withdrawalHash, submitter }) =>
    provenCall(portal, hexOf(withdrawalHash), hexOf(submitter)),
  );
  const answers = (await callAtBlock(chain, block, calls)).map(provenOf);
  return proofs.map((proof, at) => {
    const proven = answers[at];
    if (proven === undefined) throw new ChainAway('the portal does not return the game of a proof');
    return { proof, game: proven.provenAt * 1_000 === proof.provenAtMs ? proven.game : undefined };
  });
}

/** The portal's current proof of this submitter, with its game, at the node's newest block; undefined when there is none. Throws `ChainAway`. */
export async function readProofNow(
  chain: ChainReader,
  bridge: Pick<Bridge, 'contracts'>,
  withdrawalHash: string,
  submitter: string,
): Promise<ProofNow | undefined> {
  const call = provenCall(bridge.contracts.portal, hexOf(withdrawalHash), hexOf(submitter));
  const [answer] = await chain.ask([{ method: 'eth_call', params: [call, 'latest'] }]);
  const proven = provenOf(answer);
  if (proven === undefined) throw new ChainAway('the portal does not return whether there is a proof');
  if (proven.provenAt === 0) return undefined;
  return { provenAt: proven.provenAt, game: await readGameNow(chain, bridge, proven.game) };
}

export type ProofNow = {
  readonly provenAt: number;
  readonly game: GameState & { readonly rootClaim: string; readonly l2BlockNumber: number };
};

const proofGameFunctions = ['gameType', 'createdAt', 'l2SequenceNumber', 'l2BlockNumber', 'rootClaim'] as const;

/** Also for a game that was created before the indexer's first block. */
async function readGameNow(
  chain: ChainReader,
  { contracts: { portal } }: Pick<Bridge, 'contracts'>,
  game: string,
): Promise<ProofNow['game']> {
  const calls = [...proofGameFunctions.map((name) => callOf(hexOf(game), name)), ...gameCalls(portal, [{ game }])];
  const answers = await chain.ask(calls.map((call) => ({ method: 'eth_call', params: [call, 'latest'] })));
  const [gameType, createdAt, sequence, block] = answers.map(numberOf);
  const rootClaim = answers[proofGameFunctions.indexOf('rootClaim')];
  const l2BlockNumber = sequence ?? block;
  const [state] = statesOf([{ gameId: game, game }], answers.slice(proofGameFunctions.length));
  if (gameType === undefined || createdAt === undefined || l2BlockNumber === undefined || state === undefined)
    throw new ChainAway(`the game ${game} does not answer as one`);
  if (typeof rootClaim !== 'string') throw new ChainAway(`the game ${game} does not name its root`);
  return { ...state, gameType, createdAt, l2BlockNumber, rootClaim };
}

function hexOf(text: string): Address & Hex {
  return `0x${text.slice(2)}`;
}
