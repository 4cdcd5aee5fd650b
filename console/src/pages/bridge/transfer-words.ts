/** Statuses, blockers and reasons of deposits and withdrawals, in words for people (contract/deposits#statuses, contract/withdrawals#statuses). */
import type { Deposit, HistoryEntry, Withdrawal } from '@flowgate/client';
import type { Tone } from '../../components/badge.tsx';

type Look = readonly [tone: Tone, word: string];

export const depositLooks: Readonly<Record<Deposit['status'], Look>> = {
  pending: ['accent', 'Pending'],
  confirmed: ['accent', 'Confirmed'],
  relaying: ['accent', 'Relaying'],
  completed: ['good', 'Completed'],
  failed: ['bad', 'Failed'],
};

export const withdrawalLooks: Readonly<Record<Withdrawal['status'], Look>> = {
  initiated: ['accent', 'Initiated'],
  awaiting_state_root: ['accent', 'Awaiting a state root'],
  ready_to_prove: ['warn', 'Ready to prove'],
  in_dispute_window: ['accent', 'In dispute window'],
  challenged: ['bad', 'Challenged'],
  ready_to_finalise: ['warn', 'Ready to finalise'],
  finalised: ['good', 'Finalised'],
  failed: ['bad', 'Failed'],
};

const neutral = (word: string): Look => ['neutral', word];

/** Of an entry of the history, whose status is its record's. */
export function historyLook({ type, status }: HistoryEntry): Look {
  const looks: Readonly<Record<string, Look>> = type === 'withdrawal' ? withdrawalLooks : depositLooks;
  return looks[status] ?? neutral(status);
}

export const blockerWords: Readonly<Record<Withdrawal['blockers'][number], string>> = {
  l2_block_lost: 'A reorganisation of L2 took its block out. The gateway looks for its transaction in another block.',
  l1_not_read: 'The gateway has not compared it with L1 yet.',
  state_root_not_posted:
    'No state root that contains it is on L1 yet. The rollup’s proposer posts one; there is nothing to do but wait.',
  not_proven: 'It has not been proven on L1 yet.',
  dispute_window_open: 'The dispute window is open: until it ends, anybody may dispute the state root.',
  challenge_open: 'Somebody disputes the state root that it was proven against. The dispute has to be decided first.',
  not_finalised: 'It can be finalised on L1 now.',
  paused: 'The bridge is paused on L1. Only its guardian can resume it.',
};

export const failureWords: Readonly<Record<NonNullable<Deposit['failureReason']>, string>> = {
  reorganised: 'L1 lost the transaction, and it was not mined again.',
  l2_reverted: 'The transaction on L2 failed. Ether that it brought stays with the sender on L2.',
  relay_failed:
    'It arrived, and what its message called failed. Anybody can have the messenger on L2 call it again; then it is completed.',
};
