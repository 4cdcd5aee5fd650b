/** Plans the transaction that proves a withdrawal against a root that L2 confirms, or that finalizes it with the proof that counts. */

import { shownText } from '../../prepared/shown-text.ts';
import type { Planned } from '../../prepared/spending-plan.ts';
import type { Bridge } from '../bridges/bridge.ts';
import type { ChainReader } from '../chain/chain-reader.ts';
import { counts, isUsable } from './classify-withdrawal.ts';
import type { WithdrawalRecord } from './withdrawal.ts';
import type { PortalState, StoredGame, StoredTuple, WithdrawalStore } from './withdrawal-store.ts';

/** `proven`: the sender has a good proof already; another one would only restart its window. `away`: a node does not have the needed state. */
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
  /** The sender on L1, in lower case. */
  readonly sender: string;
};

/** The indexer may not have read the finalization yet. */
const finalizedAlready: StepPlan = { kind: 'conflict', detail: 'The withdrawal is finalized already.' };

type GameDeps = { readonly store: Pick<WithdrawalStore, 'newestGames' | 'gamesAbout'> };

/** Anyone can post a wrong root, at a cost. So this many of the newest games are tried, and this many about the nearest blocks. */
const gamesOfEach = 8;

/**
 * Considers only the sender's own proof: the portal stores one for each submitter. A good proof is not replaced, since that would restart its window. A disputed one is
 * replaced only when an undisputed root is posted. A proof that cannot be finalized, or whose root is not L2's, is replaced with any root of L2. Throws `ChainAway`.
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
    // A node that no longer has the state does not refute the root.
    (await proveIn(chains.l2, record.withdrawalHash, own.game)) !== 'other';
  if (isOwnUsable && !own.game.isChallenged) return { kind: 'proven' };
  const candidates = await gamesThatCover(deps, place);
  const now = await readGamesNow(chains.l1, bridge, candidates);
  const usable = candidates
    .map((game, at) => ({ ...game, ...now[at] }))
    .filter((game) => isUsable(game, place.portal) && !(isOwnUsable && game.isChallenged))
    // A disputed game may be lost: it comes last.
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
    ? { kind: 'away', detail: 'No node of L2 has the state that a posted root commits to.' }
    : {
        kind: 'conflict',
        detail:
          'The withdrawal cannot be proven yet. It waits for: state_root_not_posted; none of the roots on L1 is a root of L2 that contains it.',
      };
}

/** Newest first: nodes drop old states. */
async function gamesThatCover(
  { store }: GameDeps,
  { bridge: { bridgeId }, record: { blockNumber: from }, portal, chains }: StepPlace,
): Promise<readonly StoredGame[]> {
  const [head] = await chains.l2.ask([{ method: 'eth_blockNumber', params: [] }]);
  // A root of a block that L2 does not have is wrong, and must not displace another.
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
