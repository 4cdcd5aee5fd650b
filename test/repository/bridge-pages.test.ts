/** The state diagrams of deposits and withdrawals in docs/contract have the code's statuses and transitions. */

import { expect, test } from 'bun:test';
import { depositStatuses } from '../../apps/gateway/src/bridge/deposits/deposit.ts';
import { progressLimits, progressOf } from '../../apps/gateway/src/bridge/deposits/deposit-progress.ts';
import {
  classifyWithdrawal,
  type GameState,
  type Proof,
} from '../../apps/gateway/src/bridge/withdrawals/classify-withdrawal.ts';
import { type WithdrawalStatus, withdrawalStatuses } from '../../apps/gateway/src/bridge/withdrawals/withdrawal.ts';
import { page } from './doc-pages.ts';

type Arrow = { readonly from: string; readonly to: string; readonly label: string };

async function pictureOf(name: string): Promise<readonly Arrow[]> {
  const [, lines = ''] = /```mermaid\nstateDiagram-v2\n([\s\S]*?)```/.exec(await page(`contract/${name}.md`)) ?? [];
  return [...lines.matchAll(/^ {2}(\S+) --> (\w+)(?:: (.+))?$/gm)].map(([, from = '', to = '', label = '']) => ({
    ...{ from, to, label },
  }));
}

const pairs = (arrows: Iterable<readonly [string, string]>) =>
  [...new Set([...arrows].map(([from, to]) => `${from} → ${to}`))].toSorted();

/**
 * Without the initial transition and without transitions caused by reorganizations, which the tested code does not
 * make.
 */
const drawn = (arrows: readonly Arrow[]) =>
  pairs(
    arrows
      .filter(({ from, label }) => from !== '[*]' && !/reorganis|lost its block/.test(label))
      .map(({ from, to }) => [from, to] as const),
  );

test.each([
  ['deposits', depositStatuses],
  ['withdrawals', withdrawalStatuses],
] as const)('the state diagram of %s has exactly the statuses of the code', async (name, statuses) => {
  const arrows = await pictureOf(name);
  const named = new Set(arrows.flatMap(({ from, to }) => [from, to]));
  named.delete('[*]');
  expect([...named].toSorted()).toEqual([...statuses].toSorted());
  expect(new Set(arrows.map(({ from, to, label }) => `${from} ${to} ${label}`)).size).toBe(arrows.length);
});

test('a deposit makes the transitions of the diagram: forward as both chains advance, to an end from every status, and from a failed relay to a completed one', async () => {
  const found: [string, string][] = [];
  const l1Block = 10;
  const chains = Array.from({ length: 12 }, (_, more) =>
    [undefined, l1Block - 1, l1Block].map((l2Origin) => ({
      ...{ l1Head: l1Block + more, l2Origin, confirmations: 3 },
    })),
  ).flat();
  const statusAt = (seen: (typeof chains)[number]) => progressOf(l1Block, progressLimits(seen));
  for (const [nth, before] of chains.entries())
    for (const after of chains.slice(nth)) {
      const [from, to] = [statusAt(before), statusAt(after)];
      // Stored statuses only advance.
      if (depositStatuses.indexOf(from) < depositStatuses.indexOf(to)) found.push([from, to]);
    }
  for (const [from] of [...found]) found.push([from, 'completed'], [from, 'failed']);
  found.push(['relaying', 'completed'], ['relaying', 'failed'], ['failed', 'completed']);
  expect(drawn(await pictureOf('deposits'))).toEqual(pairs(found));
});

type Game = Pick<GameState, 'status' | 'isChallenged' | 'isBlacklisted'> & { readonly isOld: boolean };
/**
 * Up to two posted roots contain the withdrawal; `proof` refers to one of them. Time matters only as "the delay is
 * over" or not.
 */
type World = {
  readonly isInBlock: boolean;
  readonly games: readonly (Game | undefined)[];
  readonly proof?: { readonly game: number; readonly isOld: boolean };
  /** `undelivered`: executed on L1, but the call of its message failed. */
  readonly end?: 'success' | 'failure' | 'undelivered';
};

const [longAgo, justNow, now] = [100, 999, 1000];

function statusOf({ isInBlock, games, proof, end }: World): WithdrawalStatus {
  const stateOf = ({ isOld, ...game }: Game): GameState => ({
    ...{ ...game, gameType: 0, createdAt: 50, clockSeconds: 10 },
    resolvedAt: game.status === 'in_progress' ? 0 : isOld ? longAgo : justNow,
  });
  const proved = proof === undefined ? undefined : games[proof.game];
  const proofs: readonly Proof[] =
    proof === undefined || proved === undefined
      ? []
      : [
          {
            submitter: '0x',
            isOwn: true,
            transactionHash: '0x',
            provenAt: proof.isOld ? longAgo : justNow,
            game: stateOf(proved),
          },
        ];
  const isCovered = games.some(
    (game) => game !== undefined && !game.isBlacklisted && game.status !== 'challenger_wins',
  );
  return classifyWithdrawal({
    blockNumber: isInBlock ? 7 : undefined,
    finalization: end && { isSuccess: end !== 'failure', transactionHash: '0x' },
    isRelayFailed: end === 'undelivered',
    proofs,
    coveredTo: isCovered ? 8 : undefined,
    portal: { maturitySeconds: 20, airGapSeconds: 6, respectedType: 0, respectedAt: 0 },
    now,
  }).status;
}

/** The states that can follow. */
function nextOf(world: World): readonly World[] {
  const status = statusOf(world);
  if (world.end !== undefined) return world.end === 'undelivered' ? [{ ...world, end: 'success' }] : [];
  const next: World[] = [{ ...world, isInBlock: true }];
  for (const [nth, game] of world.games.entries()) {
    const become = (other: Game) => next.push({ ...world, games: world.games.with(nth, other) });
    if (game === undefined) {
      become({ status: 'in_progress', isChallenged: false, isBlacklisted: false, isOld: false });
      continue;
    }
    if (!game.isBlacklisted) become({ ...game, isBlacklisted: true });
    if (game.status === 'in_progress') {
      become({ ...game, isChallenged: true });
      become({ ...game, status: 'defender_wins' });
      if (game.isChallenged) become({ ...game, status: 'challenger_wins' });
    }
    const isUsable = !game.isBlacklisted && game.status === 'in_progress' && !game.isChallenged;
    if (status === 'ready_to_prove' && isUsable) next.push({ ...world, proof: { game: nth, isOld: false } });
  }
  const { proof, games } = world;
  const older = games.map((game) => game && { ...game, isOld: game.status !== 'in_progress' });
  next.push({ ...world, games: older, ...(proof && { proof: { ...proof, isOld: true } }) });
  if (status === 'ready_to_finalise')
    for (const end of ['success', 'failure', 'undelivered'] as const) next.push({ ...world, end });
  return next;
}

test('a withdrawal makes exactly the transitions of the diagram, for every fate of two roots', async () => {
  const found: [string, string][] = [];
  const start: World = { isInBlock: false, games: [undefined, undefined] };
  const seen = new Set([JSON.stringify(start)]);
  const open: World[] = [start];
  for (let world = open.pop(); world !== undefined; world = open.pop())
    for (const next of nextOf(world)) {
      const [from, to] = [statusOf(world), statusOf(next)];
      if (from !== to) found.push([from, to]);
      const key = JSON.stringify(next);
      if (!seen.has(key)) open.push(next);
      seen.add(key);
    }
  expect(seen.size).toBeGreaterThan(500);
  expect(drawn(await pictureOf('withdrawals'))).toEqual(pairs(found));
});
