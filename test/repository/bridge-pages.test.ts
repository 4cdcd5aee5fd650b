/** The pictures of deposits and withdrawals in docs/contract have the statuses of the code, and its ways between them. */

import { expect, test } from 'bun:test';
import { depositStatuses } from '../../apps/gateway/src/bridge/deposits/deposit.ts';
import { progressLimits, progressOf } from '../../apps/gateway/src/bridge/deposits/deposit-progress.ts';
import {
  classifyWithdrawal,
  type GameState,
  type Proof,
} from '../../apps/gateway/src/bridge/withdrawals/classify-withdrawal.ts';
import { type WithdrawalStatus, withdrawalStatuses } from '../../apps/gateway/src/bridge/withdrawals/withdrawal.ts';
import { page } from './document-part.ts';

type Arrow = { readonly from: string; readonly to: string; readonly label: string };

async function pictureOf(name: string): Promise<readonly Arrow[]> {
  const [, lines = ''] = /```mermaid\nstateDiagram-v2\n([\s\S]*?)```/.exec(await page(`contract/${name}.md`)) ?? [];
  return [...lines.matchAll(/^ {2}(\S+) --> (\w+)(?:: (.+))?$/gm)].map(([, from = '', to = '', label = '']) => ({
    ...{ from, to, label },
  }));
}

const pairs = (arrows: Iterable<readonly [string, string]>) =>
  [...new Set([...arrows].map(([from, to]) => `${from} → ${to}`))].toSorted();

/** Without the beginning, and without what reorganisations bring about, which is beside the code that is asked here. */
const drawn = (arrows: readonly Arrow[]) =>
  pairs(
    arrows
      .filter(({ from, label }) => from !== '[*]' && !/reorganis|lost its block/.test(label))
      .map(({ from, to }) => [from, to] as const),
  );

test.each([
  ['deposits', depositStatuses],
  ['withdrawals', withdrawalStatuses],
] as const)('the picture of %s has every status and no other', async (name, statuses) => {
  const arrows = await pictureOf(name);
  const named = new Set(arrows.flatMap(({ from, to }) => [from, to]));
  named.delete('[*]');
  expect([...named].toSorted()).toEqual([...statuses].toSorted());
  expect(new Set(arrows.map(({ from, to, label }) => `${from} ${to} ${label}`)).size).toBe(arrows.length);
});

test('a deposit goes the ways that are drawn: forward with both chains, to its end from everywhere, and from a relay that failed to one that did not', async () => {
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
      // Statuses only go forward: what is stored is moved, never back.
      if (depositStatuses.indexOf(from) < depositStatuses.indexOf(to)) found.push([from, to]);
    }
  for (const [from] of [...found]) found.push([from, 'completed'], [from, 'failed']);
  found.push(['relaying', 'completed'], ['relaying', 'failed'], ['failed', 'completed']);
  expect(drawn(await pictureOf('deposits'))).toEqual(pairs(found));
});

type Game = Pick<GameState, 'status' | 'isChallenged' | 'isBlacklisted'> & { readonly isOld: boolean };
/** Two roots that contain a withdrawal may be posted; `proof` is of one of them. Whether delays are over is all that counts of time. */
type World = {
  readonly isHeld: boolean;
  readonly games: readonly (Game | undefined)[];
  readonly proof?: { readonly game: number; readonly isOld: boolean };
  /** `undelivered`: executed on L1, and its message failed. */
  readonly end?: 'success' | 'failure' | 'undelivered';
};

const [longAgo, justNow, now] = [100, 999, 1000];

function statusOf({ isHeld, games, proof, end }: World): WithdrawalStatus {
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
    blockNumber: isHeld ? 7 : undefined,
    finalisation: end && { isSuccess: end !== 'failure', transactionHash: '0x' },
    isRelayFailed: end === 'undelivered',
    proofs,
    coveredTo: isCovered ? 8 : undefined,
    portal: { maturitySeconds: 20, airGapSeconds: 6, respectedType: 0, respectedAt: 0 },
    now,
  }).status;
}

/** What can happen next. */
function nextOf(world: World): readonly World[] {
  const status = statusOf(world);
  if (world.end !== undefined) return world.end === 'undelivered' ? [{ ...world, end: 'success' }] : [];
  const next: World[] = [{ ...world, isHeld: true }];
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

test('a withdrawal goes the ways that are drawn, and all of them, whatever happens to two roots', async () => {
  const found: [string, string][] = [];
  const start: World = { isHeld: false, games: [undefined, undefined] };
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
