/** A sentence for the caller on why a withdrawal cannot be proven or finalized now (contract/withdrawals#prove-and-finalize). */

import { isoTime } from '@flowgate/base/iso-time';
import { blockersOf, isOver, type WithdrawalRecord } from './withdrawal.ts';

export type WithdrawalStep = 'prove' | 'finalize';

const done = { prove: 'proven', finalize: 'finalized' } as const;

/** Undefined when nothing blocks the step. */
export function whyNotYet(record: WithdrawalRecord, step: WithdrawalStep, isPaused: boolean): string | undefined {
  const { status } = record;
  if (isOver(status)) return endOf(record);
  const blockers = blockersOf(record, isPaused);
  if (status === 'initiated') return sentence(step, blockers);
  if (step === 'finalize')
    return status === 'ready_to_finalise' && !isPaused
      ? undefined
      : `${sentence(
          step,
          blockers.filter((each) => each !== 'not_finalised'),
        )}${windowEnd(record)}`;
  // Otherwise the sender's own proof decides.
  const isTooEarly = isPaused || status === 'awaiting_state_root';
  const inTheWay = blockers.filter((each) => each !== 'not_proven');
  return isTooEarly ? sentence(step, inTheWay) : undefined;
}

/** For a wallet whose own proof is good. */
export function provenAlready(record: WithdrawalRecord, isPaused: boolean): string {
  const { status } = record;
  if (status === 'ready_to_finalise') return 'The withdrawal is proven already, and can be finalized.';
  if (status !== 'in_dispute_window' && status !== 'challenged')
    return 'The withdrawal is proven already: the gateway has not read the proof yet.';
  return `The withdrawal is proven already. It waits for: ${blockersOf(record, isPaused).join(', ')}.${windowEnd(record)}`;
}

function windowEnd({ windowEndsAtMs }: WithdrawalRecord): string {
  return windowEndsAtMs === undefined ? '' : ` The dispute window ends at ${isoTime(windowEndsAtMs)} at the earliest.`;
}

function endOf({ status, failureReason, finalizeTransaction }: WithdrawalRecord): string {
  if (status === 'finalised' || failureReason === 'relay_failed') return 'The withdrawal is finalized already.';
  return finalizeTransaction === undefined
    ? 'L2 has lost the withdrawal: there is nothing to prove.'
    : 'The withdrawal is finalized already, and what it called failed.';
}

function sentence(step: WithdrawalStep, blockers: readonly string[]): string {
  return `The withdrawal cannot be ${done[step]} yet. It waits for: ${blockers.join(', ')}.`;
}
