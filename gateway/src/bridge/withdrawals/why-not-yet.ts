/** Why a withdrawal cannot be proven, or finalised, now: a sentence for the caller (contract/withdrawals#prove-and-finalise). */

import { isoTime } from '../../platform/iso-time.ts';
import { blockersOf, isOver, type WithdrawalRecord } from './withdrawal.ts';

export type WithdrawalStep = 'prove' | 'finalise';

const statusFor = { prove: 'ready_to_prove', finalise: 'ready_to_finalise' } as const;
const done = { prove: 'proven', finalise: 'finalised' } as const;

/** Undefined when nothing is in the way. */
export function whyNotYet(record: WithdrawalRecord, step: WithdrawalStep, isPaused: boolean): string | undefined {
  const { status, windowEndsAtMs } = record;
  if (isOver(status)) return endOf(record);
  if (status === 'initiated')
    return record.lostAtMs === undefined
      ? 'The withdrawal was not held against L1 yet.'
      : 'L2 has lost the block of the withdrawal.';
  const blockers = blockersOf(status, isPaused).filter((each) => step === 'finalise' || each !== 'not_proven');
  if (status === statusFor[step]) return isPaused ? sentence(step, ['paused']) : undefined;
  if (step === 'prove' && status === 'ready_to_finalise')
    return 'The withdrawal is proven already, and can be finalised.';
  const until =
    windowEndsAtMs === undefined ? '' : ` The dispute window ends at ${isoTime(windowEndsAtMs)} at the earliest.`;
  const isProven = step === 'prove' && status !== 'awaiting_state_root';
  return isProven
    ? `The withdrawal is proven already. It waits for: ${blockers.join(', ')}.${until}`
    : `${sentence(step, blockers)}${until}`;
}

function endOf({ status, finaliseTransaction }: WithdrawalRecord): string {
  if (status === 'finalised') return 'The withdrawal is finalised already.';
  return finaliseTransaction === undefined
    ? 'L2 has lost the withdrawal: there is nothing to prove.'
    : 'The withdrawal is finalised already, and what it called failed.';
}

function sentence(step: WithdrawalStep, blockers: readonly string[]): string {
  return `The withdrawal cannot be ${done[step]} yet. It waits for: ${blockers.join(', ')}.`;
}
