/** The status of a withdrawal, case by case, and compared with the portal's own conditions over random histories. */

import { describe, expect, test } from 'bun:test';
import { chanceFrom } from '@flowgate/testing/seeded-chance';
import {
  classifyWithdrawal,
  type Evaluation,
  type GameState,
  type PortalTerms,
  type Proof,
} from './classify-withdrawal.ts';
import { blockersOf, isOver, withdrawalStatuses } from './withdrawal.ts';

const portal: PortalTerms = { maturitySeconds: 20, airGapSeconds: 6, respectedType: 0, respectedAt: 100 };
const running: GameState = {
  ...{ gameType: 0, createdAt: 1_000, status: 'in_progress', isChallenged: false },
  ...{ resolvedAt: 0, clockSeconds: 10, isBlacklisted: false },
};
const won: GameState = { ...running, status: 'defender_wins', resolvedAt: 1_011 };
const proofOf = (game: GameState, provenAt = 1_005, submitter = 'a', isOwn = true): Proof => ({
  ...{ submitter, isOwn, transactionHash: `0x${submitter}`, provenAt, game },
});
const byStranger = (game: GameState, provenAt?: number) => proofOf(game, provenAt, 'stranger', false);
const base = { blockNumber: 50, finalization: undefined, proofs: [], coveredTo: 60, portal, now: 1_010 };
type Findings = Parameters<typeof classifyWithdrawal>[0];

const cases: readonly (readonly [string, Partial<Findings>, Omit<Evaluation, 'proof'> & { readonly by?: string }])[] = [
  ['no root at all', { coveredTo: undefined }, { status: 'awaiting_state_root' }],
  ['the newest root is one block short', { coveredTo: 49 }, { status: 'awaiting_state_root' }],
  ['a root of its own block', { coveredTo: 50 }, { status: 'ready_to_prove' }],
  ['its block was lost', { blockNumber: undefined }, { status: 'initiated' }],
  [
    'proven, the game runs: maturity ends later than clock and air gap',
    { proofs: [proofOf(running)] },
    { status: 'in_dispute_window', windowEndsAt: 1_026, by: 'a' },
  ],
  [
    'proven, the game runs: clock and air gap end later than maturity',
    { proofs: [proofOf({ ...running, clockSeconds: 50 })] },
    { status: 'in_dispute_window', windowEndsAt: 1_057, by: 'a' },
  ],
  [
    'matured, and the game is not resolved',
    { proofs: [proofOf(running)], now: 5_000 },
    { status: 'in_dispute_window', windowEndsAt: 1_026, by: 'a' },
  ],
  [
    'a game whose clock runs beyond the last time that can be written',
    { proofs: [proofOf({ ...running, clockSeconds: Number.MAX_SAFE_INTEGER })] },
    { status: 'in_dispute_window', windowEndsAt: 253_402_300_799, by: 'a' },
  ],
  [
    'challenged',
    { proofs: [proofOf({ ...running, isChallenged: true })] },
    { status: 'challenged', windowEndsAt: 1_026, by: 'a' },
  ],
  [
    'challenged and matured',
    { proofs: [proofOf({ ...running, isChallenged: true })], now: 5_000 },
    { status: 'challenged', windowEndsAt: 1_026, by: 'a' },
  ],
  [
    'resolved, at the last second of maturity',
    { proofs: [proofOf(won)], now: 1_025 },
    { status: 'in_dispute_window', windowEndsAt: 1_026, dueAt: 1_026, by: 'a' },
  ],
  ['resolved, a second after it', { proofs: [proofOf(won)], now: 1_026 }, { status: 'ready_to_finalise', by: 'a' }],
  [
    'matured, at the last second of the air gap',
    { proofs: [proofOf({ ...won, resolvedAt: 2_000 })], now: 2_006 },
    { status: 'in_dispute_window', windowEndsAt: 2_007, dueAt: 2_007, by: 'a' },
  ],
  [
    'matured, a second after the air gap',
    { proofs: [proofOf({ ...won, resolvedAt: 2_000 })], now: 2_007 },
    { status: 'ready_to_finalise', by: 'a' },
  ],
  [
    'lost, with another root',
    { proofs: [proofOf({ ...running, status: 'challenger_wins', resolvedAt: 1_011 })] },
    { status: 'ready_to_prove' },
  ],
  [
    'lost, without another root',
    { proofs: [proofOf({ ...running, status: 'challenger_wins', resolvedAt: 1_011 })], coveredTo: undefined },
    { status: 'awaiting_state_root' },
  ],
  [
    'blacklisted when it was ready',
    { proofs: [proofOf({ ...won, isBlacklisted: true })], now: 5_000 },
    { status: 'ready_to_prove' },
  ],
  ['of a type that is not respected', { proofs: [proofOf({ ...won, gameType: 1 })] }, { status: 'ready_to_prove' }],
  [
    'from before the type was respected',
    { proofs: [proofOf(won)], portal: { ...portal, respectedAt: 1_001 } },
    { status: 'ready_to_prove' },
  ],
  [
    'of the second in which the type was respected',
    { proofs: [proofOf(won)], portal: { ...portal, respectedAt: 1_000 }, now: 5_000 },
    { status: 'ready_to_finalise', by: 'a' },
  ],
  ['proven in the second of its game', { proofs: [proofOf(won, 1_000)], now: 5_000 }, { status: 'ready_to_prove' }],
  [
    "the ready one of two submitters' proofs counts, though the other proved later",
    { proofs: [proofOf(running, 1_020, 'b'), proofOf(won, 1_005, 'a')], now: 1_030 },
    { status: 'ready_to_finalise', by: 'a' },
  ],
  [
    'the proof that is not challenged counts, though the other was proven first',
    { proofs: [proofOf({ ...running, isChallenged: true }, 1_001, 'a'), proofOf(running, 1_009, 'b')] },
    { status: 'in_dispute_window', windowEndsAt: 1_030, by: 'b' },
  ],
  [
    'the proof whose window ends first if undisputed counts, and the other is awaited',
    { proofs: [proofOf(running, 1_001, 'a'), proofOf({ ...won, createdAt: 990 }, 1_008, 'b')] },
    { status: 'in_dispute_window', windowEndsAt: 1_022, dueAt: 1_029, by: 'a' },
  ],
  [
    "a wallet's own proof counts, though a stranger's window ends first",
    { proofs: [byStranger(running, 1_001), proofOf(running, 1_009)] },
    { status: 'in_dispute_window', windowEndsAt: 1_030, by: 'a' },
  ],
  [
    "a wallet's own proof counts, though it is challenged and a stranger's is not",
    { proofs: [byStranger(running, 1_001), proofOf({ ...running, isChallenged: true }, 1_009)] },
    { status: 'challenged', windowEndsAt: 1_030, by: 'a' },
  ],
  [
    "a stranger's proof counts while it is the only one",
    { proofs: [byStranger(running, 1_001)] },
    { status: 'in_dispute_window', windowEndsAt: 1_022, by: 'stranger' },
  ],
  [
    "a stranger's proof that is ready precedes a wallet's own",
    { proofs: [byStranger(won), proofOf(running, 1_020)], now: 1_030 },
    { status: 'ready_to_finalise', by: 'stranger' },
  ],
  [
    'finalised',
    { proofs: [proofOf(won)], finalization: { isSuccess: true, transactionHash: '0x1' } },
    { status: 'finalised', by: 'a' },
  ],
  [
    'the call failed',
    { finalization: { isSuccess: false, transactionHash: '0x1' }, coveredTo: undefined },
    { status: 'failed', failureReason: 'l1_reverted' },
  ],
  [
    'finalized, and its message failed',
    { finalization: { isSuccess: true, transactionHash: '0x1' }, isRelayFailed: true },
    { status: 'failed', failureReason: 'relay_failed' },
  ],
  [
    'finalized, and its game was blacklisted afterwards',
    {
      proofs: [proofOf({ ...won, isBlacklisted: true })],
      finalization: { isSuccess: true, transactionHash: '0x1' },
    },
    { status: 'finalised', by: 'a' },
  ],
];

describe('a withdrawal (contract/withdrawals#statuses)', () => {
  for (const [name, findings, expected] of cases)
    test(name, () => {
      const { proof, ...evaluated } = classifyWithdrawal({ ...base, ...findings });
      const { by, ...rest } = expected;
      expect(evaluated).toEqual(rest);
      expect(proof?.submitter).toBe(by);
    });

  test('each status has its blockers; a pause blocks all that are not over', () => {
    const blockers = withdrawalStatuses.map(
      (status) => [status, blockersOf({ status }, false), blockersOf({ status }, true)] as const,
    );
    expect(blockers).toEqual([
      ['initiated', ['l1_not_read'], ['l1_not_read', 'paused']],
      [
        'awaiting_state_root',
        ['state_root_not_posted', 'not_proven'],
        ['state_root_not_posted', 'not_proven', 'paused'],
      ],
      ['ready_to_prove', ['not_proven'], ['not_proven', 'paused']],
      ['in_dispute_window', ['dispute_window_open'], ['dispute_window_open', 'paused']],
      ['challenged', ['dispute_window_open', 'challenge_open'], ['dispute_window_open', 'challenge_open', 'paused']],
      ['ready_to_finalise', ['not_finalised'], ['not_finalised', 'paused']],
      ['finalised', [], []],
      ['failed', [], []],
    ]);
    expect(blockersOf({ status: 'initiated', lostAtMs: 5 }, false)).toEqual(['l2_block_lost']);
    for (const [status, free] of blockers) expect([status, free.length === 0]).toEqual([status, isOver(status)]);
  });
});

/** `checkWithdrawal` of OptimismPortal2, condition by condition. */
function portalAccepts({ game, provenAt }: Proof, terms: PortalTerms, now: number): boolean {
  if (game.isBlacklisted) return false;
  if (!(provenAt > game.createdAt)) return false;
  if (!(now - provenAt > terms.maturitySeconds)) return false;
  if (game.status !== 'defender_wins') return false;
  if (game.gameType !== terms.respectedType) return false;
  if (!(game.createdAt >= terms.respectedAt)) return false;
  return now - game.resolvedAt > terms.airGapSeconds;
}

/** `WITHDRAWAL_HISTORIES` sets their number. */
const histories = Number(process.env['WITHDRAWAL_HISTORIES'] ?? 300);

test('over random histories it is ready exactly when the portal accepts a proof, and its window ends in that second', () => {
  const seen = new Set<string>();
  for (let seed = 1; seed <= histories; seed++) {
    const below = chanceFrom(seed);
    const terms = { ...portal, respectedType: below(2), respectedAt: below(30) };
    const proofs = Array.from({ length: below(4) }, (_, at): Proof => {
      const createdAt = below(40);
      const status = (['in_progress', 'challenger_wins', 'defender_wins', 'defender_wins'] as const)[below(4)];
      const game: GameState = {
        ...{ gameType: below(2), createdAt, status: status ?? 'in_progress' },
        ...{ isChallenged: status === 'in_progress' && below(2) === 0, isBlacklisted: below(5) === 0 },
        ...{ resolvedAt: status === 'in_progress' ? 0 : createdAt + 10 + below(20), clockSeconds: 10 },
      };
      return {
        submitter: `s${at}`,
        isOwn: below(2) === 0,
        transactionHash: `0x${at}`,
        provenAt: createdAt + below(30),
        game,
      };
    });
    const coveredTo = below(2) === 0 ? undefined : 45 + below(10);
    for (let now = 40; now < 130; now += 1 + below(9)) {
      const evaluated = classifyWithdrawal({ ...base, proofs, coveredTo, portal: terms, now });
      const isAccepted = proofs.some((proof) => portalAccepts(proof, terms, now));
      expect([seed, now, evaluated.status === 'ready_to_finalise']).toEqual([seed, now, isAccepted]);
      seen.add(evaluated.status);
      if (evaluated.status === 'ready_to_finalise' && evaluated.proof !== undefined)
        expect(portalAccepts(evaluated.proof, terms, now)).toBe(true);
      const { dueAt } = evaluated;
      const later = Array.from({ length: 100 }, (_, at) => now + at).find((second) =>
        proofs.some((proof) => portalAccepts(proof, terms, second)),
      );
      expect([seed, now, dueAt]).toEqual([seed, now, isAccepted ? undefined : later]);
      if (dueAt !== undefined) {
        expect(classifyWithdrawal({ ...base, proofs, coveredTo, portal: terms, now: dueAt }).status).toBe(
          'ready_to_finalise',
        );
      }
      if (evaluated.proof === undefined)
        expect(evaluated.status).toBe(
          coveredTo !== undefined && coveredTo >= 50 ? 'ready_to_prove' : 'awaiting_state_root',
        );
    }
  }
  expect([...seen].sort()).toEqual([
    ...['awaiting_state_root', 'challenged', 'in_dispute_window', 'ready_to_finalise', 'ready_to_prove'],
  ]);
});
