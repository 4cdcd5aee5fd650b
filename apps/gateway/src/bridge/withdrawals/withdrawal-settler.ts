/** Updates withdrawals from L1 at the head that was read. Each game is read once, and only withdrawals with changed facts or a due time are decided (docs/decisions/0106). */

import { ChainAway } from '../chain/chain-reader.ts';
import { askAtBlock } from '../chain/read-at-block.ts';
import type { Round, RoundTerms, Settler } from '../indexing/settler.ts';
import { classifyWithdrawal, type Evaluation, isUsable, type Proof } from './classify-withdrawal.ts';
import {
  isChanged,
  type L1Head,
  type ReadGame,
  readFailedRelays,
  readGames,
  readPortal,
  readProofs,
} from './read-l1.ts';
import { isOver } from './withdrawal.ts';
import type { DueWithdrawal, PortalState, StoredGame, WithdrawalChanges, WithdrawalStore } from './withdrawal-store.ts';

/** The limits of one round: the next round continues. */
const maxDue = 200;
const maxProofs = 40;
const maxGames = 40;
/** The number of games about the newest blocks that are read to find one that can be trusted. */
const newestGames = 4;
const maxSpread = 2_000;
/** The bound on how far L2 may be ahead of its stream: the node may lag, and blocks have a shortest interval. */
const maxLagBlocks = 256;
const minBlockMs = 250;
/** The interval of checks of a withdrawal that L2 has lost, and the time after which it is given up. */
const lostCheckMs = 10_000;
const maxLostMs = 24 * 3_600_000;
/** The delay until an undelivered message is checked again: a fraction of the time since the failure, within these bounds. */
const minRelayWaitMs = 12_000;
const maxRelayWaitMs = 3_600_000;
const relayWaitPart = 1 / 16;

type RoundContext = L1Head & {
  readonly round: Round;
  readonly terms: RoundTerms;
  readonly portal: PortalState;
  /** The time of the L1 block, in seconds. */
  readonly now: number;
};

export function withdrawalSettler(store: WithdrawalStore): Settler {
  /** Where the round of the watched games continues, when there are too many for one round. */
  let watchedAfter = '';

  return {
    name: 'withdrawals',
    async settle(round) {
      const { l1, l2, lease, bridge } = round;
      const { head } = l1.state;
      // Nothing can be decided before L1 is read up to its head: a proof or a finalization may be in the next block.
      if (head === undefined || head.number !== l1.state.nextBlock - 1) return 'done';
      const terms = { lease, epochs: [l1.state, l2.state] };
      const at: L1Head = { chain: l1.chain, block: head };
      const [known] = await store.portals([bridge.bridgeId]);
      const read = await readPortal(at, bridge);
      const { coveredTo, games } = await findCovered(at, round, read);
      const portal: PortalState = coveredTo === undefined ? read : { ...read, coveredTo };
      const context: RoundContext = { ...at, round, terms, portal, now: Math.floor(head.timeMs / 1_000) };
      const isEveryProofDue =
        known !== undefined &&
        (known.respectedType !== portal.respectedType || known.respectedAt !== portal.respectedAt);
      const isNew = known === undefined || !isSame(known, portal);
      if (isNew || games.length > 0) {
        const changes = { ...(isNew && { portal }), games, isEveryProofDue, nowMs: round.nowMs };
        if (!(await store.settle(bridge.bridgeId, changes, terms))) return 'done';
      }
      const steps = [watchGames, spread, decide, bindProofs];
      let isMore = false;
      for (const step of steps) {
        const outcome = await step(context);
        if (outcome === 'lost') return 'done';
        isMore ||= outcome === 'more';
      }
      return isMore ? 'more' : 'done';
    },
  };

  /** The newest L2 block whose root can be trusted, and the games that were found changed. Anyone may post a root of a block that L2 does not have yet: nothing can be proven against it. */
  async function findCovered(
    at: L1Head,
    { bridge, l2, nowMs }: Round,
    portal: Omit<PortalState, 'coveredTo'>,
  ): Promise<{ readonly coveredTo: number | undefined; readonly games: readonly ReadGame[] }> {
    const changed: ReadGame[] = [];
    const to = reachOf(l2.state, nowMs);
    const terms = { gameType: portal.respectedType, createdFrom: portal.respectedAt, ...(to !== undefined && { to }) };
    let checked = 0;
    for (let limit = newestGames; ; limit *= 2) {
      const found = await store.newestGames(bridge.bridgeId, terms, limit);
      const next = found.slice(checked).filter(({ blockNumber }) => blockNumber <= at.block.number);
      checked = found.length;
      const now = await readGames(at, bridge, next);
      changed.push(...now.filter((each, nth) => isChangedFrom(next[nth], each)));
      const usable = next.find((game, nth) => isUsable({ ...game, ...now[nth] }, portal));
      if (usable !== undefined) return { coveredTo: usable.l2BlockNumber, games: changed };
      if (found.length < limit) return { coveredTo: undefined, games: changed };
    }
  }

  async function watchGames({ round, terms, chain, block }: RoundContext): Promise<Outcome> {
    const { bridge, nowMs } = round;
    const page = await store.watchedGames(bridge.bridgeId, watchedAfter, maxGames);
    watchedAfter = page.length < maxGames ? '' : (page.at(-1)?.gameId ?? '');
    // Later ones wait for the round that has read their block.
    const watched = page.filter(({ blockNumber }) => blockNumber <= block.number);
    const open = watched.filter(({ hasOpenProofs }) => hasOpenProofs);
    const unwatched = watched.filter(({ hasOpenProofs }) => !hasOpenProofs).map(({ gameId }) => gameId);
    const now = open.length === 0 ? [] : await readGames({ chain, block }, bridge, open);
    const games = now.filter((each, nth) => isChangedFrom(open[nth], each));
    if (games.length > 0 || unwatched.length > 0) {
      const isStored = await store.settle(bridge.bridgeId, { games, unwatched, nowMs }, terms);
      if (!isStored) return 'lost';
    }
    return watchedAfter === '' ? 'done' : 'more';
  }

  async function spread({ round, terms, portal }: RoundContext): Promise<Outcome> {
    const isMore = await store.spread(round.bridge.bridgeId, portal.coveredTo, round.nowMs, maxSpread, terms);
    return isMore ? 'more' : 'done';
  }

  async function decide(context: RoundContext): Promise<Outcome> {
    const { round, terms, now } = context;
    const { bridgeId } = round.bridge;
    const due = await store.due(bridgeId, now * 1_000, maxDue);
    if (due.length === 0) return 'done';
    const replaced = await replacedAmong(round, due);
    const delivered = due.flatMap(({ withdrawal, finalization }) =>
      finalization?.isSuccess === true && finalization.blockNumber <= context.block.number
        ? (withdrawal.messageHash ?? [])
        : [],
    );
    const failedRelays = await readFailedRelays(context, round.bridge, delivered);
    const evaluations = due.map((each) => evaluationOf(each, context, { replaced, failedRelays }));
    if (!(await store.settle(bridgeId, { evaluations, nowMs: round.nowMs }, terms))) return 'lost';
    return due.length === maxDue ? 'more' : 'done';
  }

  /** Runs after the withdrawals that are over were decided: their proofs need no game. */
  async function bindProofs({ round, terms, chain, block }: RoundContext): Promise<Outcome> {
    const { bridge, nowMs } = round;
    const unbound = await store.unboundProofs(bridge.bridgeId, maxProofs);
    const proofs = unbound.filter(({ blockNumber }) => blockNumber <= block.number);
    if (proofs.length === 0) return 'done';
    const bindings = await readProofs({ chain, block }, bridge, proofs);
    // Their withdrawals are due then.
    return (await store.settle(bridge.bridgeId, { bindings, nowMs }, terms)) ? 'more' : 'lost';
  }
}

/** The highest block number that L2 can have; undefined while no block of L2 is known. */
function reachOf({ head, readAtMs }: Round['l2']['state'], nowMs: number): number | undefined {
  if (head === undefined) return undefined;
  const sinceMs = Math.max(0, nowMs - (readAtMs ?? nowMs));
  return head.number + maxLagBlocks + Math.ceil(sinceMs / minBlockMs);
}

/** `lost`: the lease was lost, or an epoch has ended. */
type Outcome = 'done' | 'more' | 'lost';

type Change = NonNullable<WithdrawalChanges['evaluations']>[number];

type Lost = {
  /** Ids of withdrawals whose nonce another transaction has used. */
  readonly replaced: ReadonlySet<string>;
  /** By message hash, for the messages whose state is known. */
  readonly failedRelays: ReadonlyMap<string, boolean>;
};

function evaluationOf(due: DueWithdrawal, context: RoundContext, { replaced, failedRelays }: Lost): Change {
  const { withdrawal, finalization } = due;
  const { withdrawalId, revision, status, lostAtMs, messageHash } = withdrawal;
  // Undecided until the games of its proofs are known; it is due again then.
  const isUnknown = due.proofs.some(({ isBound, game }) => !isBound || game?.isRead === false);
  const { windowEndsAtMs, proveTransaction, proofSubmitter } = withdrawal;
  const asBefore = { withdrawalId, revision, status, windowEndsAtMs, proveTransaction, proofSubmitter };
  if (finalization === undefined && lostAtMs === undefined && isUnknown) return asBefore;
  // A finalization that was stored since the round began: the state of its message cannot be read at the round's block.
  if (finalization !== undefined && messageHash !== undefined && finalization.blockNumber > context.block.number)
    return {
      ...asBefore,
      ...{ failureReason: withdrawal.failureReason, finalizeTransaction: withdrawal.finalizeTransaction, dueAtMs: 0 },
    };
  const evaluated = classifyWithdrawal({
    ...{ blockNumber: lostAtMs === undefined ? withdrawal.blockNumber : undefined, finalization },
    isRelayFailed: messageHash !== undefined && failedRelays.get(messageHash) === true,
    ...{
      proofs: due.proofs.flatMap((each) => proofOf(each, withdrawal)),
      coveredTo: context.portal.coveredTo,
      portal: context.portal,
      now: context.now,
    },
  });
  const isRelayOpen =
    finalization?.isSuccess === true && messageHash !== undefined && failedRelays.get(messageHash) !== false;
  const isGivenUp =
    evaluated.status === 'initiated' &&
    lostAtMs !== undefined &&
    (status === 'failed' || replaced.has(withdrawalId) || context.round.nowMs - lostAtMs > maxLostMs);
  if (isGivenUp) return { withdrawalId, revision, status: 'failed', failureReason: 'reorganised' };
  return {
    ...{ withdrawalId, revision, status: evaluated.status, failureReason: evaluated.failureReason },
    ...timesOf(evaluated, context),
    ...(isRelayOpen && { dueAtMs: nextRelayCheck(due, context) }),
    ...{ proveTransaction: evaluated.proof?.transactionHash, proofSubmitter: evaluated.proof?.submitter },
    finalizeTransaction: finalization?.transactionHash,
  };
}

/** By L1's clock. Any account may relay a message again. So the message is checked, at growing intervals, while it is failed or its messenger does not answer. */
function nextRelayCheck({ withdrawal }: DueWithdrawal, { now, round }: RoundContext): number {
  const sinceMs = isOver(withdrawal.status) ? round.nowMs - withdrawal.statusChangedAtMs : 0;
  return now * 1_000 + Math.ceil(Math.min(maxRelayWaitMs, Math.max(minRelayWaitMs, sinceMs * relayWaitPart)));
}

function timesOf(
  { status, windowEndsAt, dueAt }: Evaluation,
  { now }: RoundContext,
): Pick<Change, 'windowEndsAtMs' | 'dueAtMs'> {
  return {
    windowEndsAtMs: windowEndsAt === undefined ? undefined : windowEndsAt * 1_000,
    dueAtMs: status === 'initiated' ? now * 1_000 + lostCheckMs : dueAt === undefined ? undefined : dueAt * 1_000,
  };
}

function proofOf(
  { submitter, transactionHash, provenAtMs, game }: DueWithdrawal['proofs'][number],
  { from, to }: DueWithdrawal['withdrawal'],
): readonly Proof[] {
  if (game === undefined) return [];
  const isOwn = submitter === from || submitter === to;
  return [{ submitter, isOwn, transactionHash, provenAt: Math.floor(provenAtMs / 1_000), game }];
}

/** The lost withdrawals whose nonce another transaction has used, at the head that the stream has read. None while L2 is away: the decisions that depend on L1 alone continue. */
async function replacedAmong({ l2 }: Round, due: readonly DueWithdrawal[]): Promise<ReadonlySet<string>> {
  const lost = due.filter(({ withdrawal }) => withdrawal.lostAtMs !== undefined && withdrawal.status !== 'failed');
  const { head, nextBlock } = l2.state;
  if (lost.length === 0 || head === undefined || head.number !== nextBlock - 1) return new Set();
  const questions = lost.map(({ signer }) => ({ method: 'eth_getTransactionCount', params: [signer.address] }));
  const counts = await askAtBlock(l2.chain, head, questions).catch((error: unknown) => {
    if (error instanceof ChainAway) return [];
    throw error;
  });
  const replaced = lost.filter(({ signer }, at) => {
    const count = counts[at];
    return typeof count === 'string' && /^0x[0-9a-f]{1,13}$/i.test(count) && Number(count) > signer.nonce;
  });
  return new Set(replaced.map(({ withdrawal }) => withdrawal.withdrawalId));
}

function isChangedFrom(game: StoredGame | undefined, now: ReadGame): boolean {
  return game === undefined || isChanged(game, now);
}

function isSame(one: PortalState, other: PortalState): boolean {
  const members = [
    'isPaused',
    'maturitySeconds',
    'airGapSeconds',
    'respectedType',
    'respectedAt',
    'coveredTo',
  ] as const;
  return members.every((name) => one[name] === other[name]);
}
