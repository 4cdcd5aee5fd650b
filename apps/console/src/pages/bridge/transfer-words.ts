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
  ready_to_finalise: ['warn', 'Ready to finalize'],
  finalised: ['good', 'Finalized'],
  failed: ['bad', 'Failed'],
};

const neutral = (word: string): Look => ['neutral', word];

/** Of an entry of the history, whose status is its record's. */
export function historyLook({ type, status }: HistoryEntry): Look {
  const looks: Readonly<Record<string, Look>> = type === 'withdrawal' ? withdrawalLooks : depositLooks;
  return looks[status] ?? neutral(status);
}

export const blockerWords: Readonly<Record<Withdrawal['blockers'][number], string>> = {
  l2_block_lost: 'A reorganization of L2 removed its block. The gateway looks for its transaction in another block.',
  l1_not_read: 'The gateway has not compared it with L1 yet.',
  state_root_not_posted:
    'No state root that contains it is on L1 yet. The rollup’s proposer posts one; there is nothing to do but wait.',
  not_proven: 'It has not been proven on L1 yet.',
  dispute_window_open: 'The dispute window is open: until it ends, anyone can dispute the state root.',
  challenge_open: 'The state root that it was proven against is disputed. The dispute has to be decided first.',
  not_finalised: 'It can be finalized on L1 now.',
  paused: 'The bridge is paused on L1. Only its guardian can resume it.',
};

export const depositFailureWords: Readonly<Record<NonNullable<Deposit['failureReason']>, string>> = {
  reorganised: 'A reorganization of L1 removed its transaction, and it was not mined again.',
  l2_reverted: 'The transaction on L2 failed. Ether that it brought stays with the sender on L2.',
  relay_failed:
    'It arrived on L2, and the call of its message failed. Any account can have the messenger on L2 call it again; once that succeeds, the deposit is completed.',
};

export const withdrawalFailureWords: Readonly<Record<NonNullable<Withdrawal['failureReason']>, string>> = {
  reorganised: 'A reorganization of L2 removed its transaction, and it was not mined again.',
  l1_reverted: 'The call that it makes on L1 failed. It is spent, and cannot be finalized again.',
  relay_failed:
    'It is paid out to the messenger on L1, and the call of its message failed. Any account can have the messenger call it again; once that succeeds, the withdrawal is finalized.',
};
