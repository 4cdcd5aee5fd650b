/** Plans the transaction that proves a withdrawal, against a root that L2 bears out, or the one that finalizes it, by the proof that counts. */

import { shownText } from '../../prepared/shown-text.ts';
import type { Planned } from '../../prepared/spending-plan.ts';
import type { Bridge } from '../bridges/bridge.ts';
import type { ChainReader } from '../chain/chain-reader.ts';
import { counts, isUsable } from './classify-withdrawal.ts';
import type { WithdrawalRecord } from './withdrawal.ts';
import type { PortalState, StoredGame, StoredTuple, WithdrawalStore } from './withdrawal-store.ts';

/** `proven`: the sender already has a good proof; another one would only restart its window. `away`: a node does not have what is needed. */
export type StepPlan =
  | { readonly kind: 'planned'; readonly transaction: Planned }
  | { readonly kind: 'proven' }
  | { readonly kind: 'conflict' | 'away'; readonly detail: string };

export type StepPlace = {
  readonly bridge: Bridge;
  readonly record: WithdrawalRecord;
  readonly tuple: StoredTuple;
  readonly portal: PortalState;
  readonly chains: { readonly l1: ChainReader; readonly l2: ChainReader };
  /** Who sends on L1, in lower case. */
  readonly sender: string;
};

/** Before the indexer has seen it. */
const finalizedAlready: StepPlan = { kind: 'conflict', detail: 'The withdrawal is finalized already.' };

type GameDeps = { readonly store: Pick<WithdrawalStore, 'newestGames' | 'gamesAbout'> };

/** Anybody can post a wrong root, and pays for it: of the newest ones and of those about the nearest blocks so many are tried. */
const gamesOfEach = 8;

/**
 * Judges the sender's own proof alone: the portal keeps one for each submitter. A proof that is good is not replaced, since that would restart its window; a disputed one is replaced when a root
 * is posted that is not disputed; one that cannot be finalized, or whose root is not L2's, by any root of L2. Throws `ChainAway`.
 */
export async function planProof(deps: GameDeps, place: StepPlace): Promise<StepPlan> {
  const { bridge, record, tuple, chains } = place;
  const [{ isFinalizedNow, readProofNow, readGamesNow }, { proveCall, proveIn }, { findGameIndex }] = await Promise.all(
    [import('./read-l1.ts'), import('./withdrawal-proof.ts'), import('./find-game-index.ts')],
  );
  if (await isFinalizedNow(chains.l1, bridge, record.withdrawalHash)) return finalizedAlready;
  const own = await readProofNow(chains.l1, bridge, record.withdrawalHash, place.sender);
  const isOwnUsable =
    own !== undefined &&
    counts(own, place.portal) &&
    // A node that has forgotten the state says nothing against the root.
    (await proveIn(chains.l2, record.withdrawalHash, own.game)) !== 'other';
  if (isOwnUsable && !own.game.isChallenged) return { kind: 'proven' };
  const candidates = await gamesThatCover(deps, place);
  const now = await readGamesNow(chains.l1, bridge, candidates);
  const usable = candidates
    .map((game, at) => ({ ...game, ...now[at] }))
    .filter((game) => isUsable(game, place.portal) && !(isOwnUsable && game.isChallenged))
    // One that is disputed may be lost: it comes last.
    .toSorted((one, other) => Number(one.isChallenged) - Number(other.isChallenged));
  let isAway = false;
  for (const game of usable) {
    const proof = await proveIn(chains.l2, record.withdrawalHash, game);
    if (proof === 'away') isAway = true;
    if (proof === 'away' || proof === 'other') continue;
    const index = await findGameIndex(chains.l1, bridge.contracts.disputeGameFactory, game);
    if (index === undefined) continue;
    const description = `Prove a withdrawal on ${shownText(bridge.name, 100)}`;
    return {
      kind: 'planned',
      transaction: { to: bridge.contracts.portal, data: proveCall(tuple, index, proof), description },
    };
  }
  if (isOwnUsable) return { kind: 'proven' };
  return isAway
    ? { kind: 'away', detail: 'No node of L2 that was asked has the state that a posted root is about.' }
    : {
        kind: 'conflict',
        detail:
          'The withdrawal cannot be proven yet. It waits for: state_root_not_posted; no root that L1 has now is one of L2 that contains it.',
      };
}

/** The newest first: nodes forget old states. */
async function gamesThatCover(
  { store }: GameDeps,
  { bridge: { bridgeId }, record: { blockNumber: from }, portal, chains }: StepPlace,
): Promise<readonly StoredGame[]> {
  const [head] = await chains.l2.ask([{ method: 'eth_blockNumber', params: [] }]);
  // A root of a block that L2 does not have is wrong, and takes no other one's place.
  const to = typeof head === 'string' && /^0x[0-9a-f]{1,13}$/i.test(head) ? Number(head) : from;
  const terms = { gameType: portal.respectedType, createdFrom: portal.respectedAt };
  const [newest, nearest] = await Promise.all([
    store.newestGames(bridgeId, { ...terms, to }, gamesOfEach),
    store.gamesAbout(bridgeId, terms, { from, to }, gamesOfEach),
  ]);
  const covering = newest.filter(({ l2BlockNumber }) => l2BlockNumber >= from);
  const seen = new Set(covering.map(({ gameId }) => gameId));
  return [...covering, ...nearest.filter(({ gameId }) => !seen.has(gameId))];
}

/** Throws `ChainAway`. */
export async function planFinalization({ bridge, record, tuple, chains, sender }: StepPlace): Promise<StepPlan> {
  const [{ finalizeCall }, { isFinalizedNow }] = await Promise.all([
    import('./withdrawal-proof.ts'),
    import('./read-l1.ts'),
  ]);
  if (await isFinalizedNow(chains.l1, bridge, record.withdrawalHash)) return finalizedAlready;
  const submitter = record.proofSubmitter === sender ? undefined : record.proofSubmitter;
  const description = `Finalize a withdrawal on ${shownText(bridge.name, 100)}`;
  return {
    kind: 'planned',
    transaction: { to: bridge.contracts.portal, data: finalizeCall(tuple, submitter), description },
  };
}
