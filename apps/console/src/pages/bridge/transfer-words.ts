/** Texts for statuses, blockers and reasons of transfers (contract/deposits#statuses, contract/withdrawals#statuses). */
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
  awaiting_state_root: ['accent', 'Awaiting state root'],
  ready_to_prove: ['warn', 'Ready to prove'],
  in_dispute_window: ['accent', 'In dispute window'],
  challenged: ['bad', 'Challenged'],
  ready_to_finalise: ['warn', 'Ready to finalize'],
  finalised: ['good', 'Finalized'],
  failed: ['bad', 'Failed'],
};

const neutral = (word: string): Look => ['neutral', word];

/** For a history entry; its status is that of its record. */
export function historyLook({ type, status }: HistoryEntry): Look {
  const looks: Readonly<Record<string, Look>> = type === 'withdrawal' ? withdrawalLooks : depositLooks;
  return looks[status] ?? neutral(status);
}

export const blockerWords: Readonly<Record<Withdrawal['blockers'][number], string>> = {
  l2_block_lost:
    'A reorganization of L2 removed its block. The gateway is looking for its transaction in another block.',
  l1_not_read: 'The gateway has not compared it with L1 yet.',
  state_root_not_posted: 'Its state root is not on L1 yet. The rollup’s proposer posts it. No action is needed.',
  not_proven: 'It has not been proven on L1 yet.',
  dispute_window_open: 'The dispute window is open. Until it ends, anyone can dispute the state root.',
  challenge_open: 'Its state root is disputed. The dispute must be resolved first.',
  not_finalised: 'It can be finalized on L1 now.',
  paused: 'The bridge is paused on L1. Only its guardian can resume it.',
};

export const depositFailureWords: Readonly<Record<NonNullable<Deposit['failureReason']>, string>> = {
  reorganised: 'A reorganization of L1 removed its transaction. It was not mined again.',
  l2_reverted: 'The transaction on L2 failed. Its ether remains with the sender on L2.',
  relay_failed:
    'It arrived on L2, but its message failed. Any account can replay the message on L2. A successful replay completes the deposit.',
};

export const withdrawalFailureWords: Readonly<Record<NonNullable<Withdrawal['failureReason']>, string>> = {
  reorganised: 'A reorganization of L2 removed its transaction. It was not mined again.',
  l1_reverted: 'Its call on L1 failed. The withdrawal is spent and cannot be finalized again.',
  relay_failed:
    'It was paid out to the messenger on L1, but its message failed. Any account can replay the message on L1. A successful replay finalizes the withdrawal.',
};
