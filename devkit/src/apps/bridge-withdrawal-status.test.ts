/** A withdrawal's status at each edge: each delay must be exceeded, as in the portal's comparisons. */
import { expect, test } from 'bun:test';
import type { Game } from './bridge-roots.ts';
import { decideWithdrawal, type WithdrawalView } from './bridge-withdrawal-status.ts';

const game: Game = {
  ...{ address: '0x0000000000000000000000000000000000000123', outcome: 'defender_wins', isChallenged: false },
  ...{ isBlacklisted: false, isRespected: true, createdAt: 100n, resolvedAt: 130n, clock: 10n },
};
const proof = { at: 110n, game };
const view: WithdrawalView = {
  ...{ now: 1_000n, isPaused: false, isFinalized: false, hasRoot: true, maturity: 20n, finality: 6n },
  proof,
};
const { proof: _, ...unproven } = view;
const said = (change: Partial<WithdrawalView>, of: WithdrawalView = view) => {
  const { status, blockers, windowEndsAt } = decideWithdrawal({ ...of, ...change });
  return [status, blockers.join(' '), windowEndsAt];
};

test('the last second of each delay is not enough, the next one is', () => {
  expect(said({ now: 136n })).toEqual(['in_dispute_window', 'dispute_window_open', 137n]);
  expect(said({ now: 137n })).toEqual(['ready_to_finalise', '', undefined]);
  const early = { at: 110n, game: { ...game, resolvedAt: 115n } };
  expect(said({ proof: early, now: 130n })).toEqual(['in_dispute_window', 'dispute_window_open', 131n]);
  expect(said({ proof: early, now: 131n })).toEqual(['ready_to_finalise', '', undefined]);
});

test('an unresolved game leaves the window open, challenged or not', () => {
  const open = { ...game, outcome: 'in_progress', resolvedAt: 0n } as const;
  expect(said({ proof: { at: 110n, game: open } })).toEqual(['in_dispute_window', 'dispute_window_open', 131n]);
  expect(said({ proof: { at: 110n, game: { ...open, isChallenged: true } } })).toEqual([
    'challenged',
    'dispute_window_open challenge_open',
    131n,
  ]);
});

test('a proof is invalid if its game was lost, blacklisted, not respected, or is not older than the proof', () => {
  const useless = [
    { outcome: 'challenger_wins' },
    { isBlacklisted: true },
    { isRespected: false },
    { createdAt: 110n },
  ] as const;
  for (const change of useless) {
    const lost = { proof: { at: 110n, game: { ...game, ...change } } };
    expect(said(lost)).toEqual(['ready_to_prove', 'not_proven', undefined]);
    expect(said({ ...lost, hasRoot: false })).toEqual([
      'awaiting_state_root',
      'state_root_not_posted not_proven',
      undefined,
    ]);
  }
});

test('a paused portal is reported in each status with a further step', () => {
  const isPaused = true;
  expect(said({ isPaused }, unproven)).toEqual(['ready_to_prove', 'not_proven paused', undefined]);
  expect(said({ isPaused })).toEqual(['ready_to_finalise', 'paused', undefined]);
  expect(said({ isPaused, isFinalized: true })).toEqual(['finalised', '', undefined]);
});
