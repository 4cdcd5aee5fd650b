/** The data for continuing a run after a crash: JSON, for a file or the browser's `sessionStorage`. */

import type { JsonMembers, Session, SessionInput } from '../wire.ts';

export type FlowRunRecord = {
  /** A start without an answer yet. Repeated under this key, it creates no second session. */
  readonly start?: { readonly input: SessionInput; readonly idempotencyKey: string };
  readonly sessionId?: string;
  /** A submission without an answer yet. Repeated under its key, it is executed once. */
  readonly pending?: PendingSubmission;
  /** What was signed for the current step: a transaction that a wallet has sent must not be created again. */
  readonly signed?: SignedValues;
};

export type PendingSubmission = {
  readonly stepId: string;
  readonly actionId: string;
  readonly stateVersion: number;
  readonly idempotencyKey: string;
  /** In a record, without the values of `secret` fields. */
  readonly fieldValues: JsonMembers;
  /** Ids of the fields whose values are omitted. */
  readonly withheld: readonly string[];
  /** An x402 payment: it pays this payee once, whichever client sends it. */
  readonly payment?: string;
};

export type SignedValues = { readonly stateVersion: number; readonly values: JsonMembers };

/** The submission without secrets, for a record: secrets are sent to the app only (contract/flow-apps#secrets). */
export function withoutSecrets(pending: PendingSubmission, { currentStep }: Session): PendingSubmission {
  const secret = new Set(currentStep.fields.filter(({ type }) => type === 'secret').map(({ fieldId }) => fieldId));
  const withheld = Object.keys(pending.fieldValues).filter((fieldId) => secret.has(fieldId));
  return { ...pending, withheld, fieldValues: without(pending.fieldValues, withheld) };
}

/** Whether this is the same submission again, as far as is known. It then gets the same key, so that the app acts once. */
export function isSame(
  pending: PendingSubmission,
  next: Omit<PendingSubmission, 'idempotencyKey' | 'withheld'>,
): boolean {
  return (
    pending.stepId === next.stepId &&
    pending.actionId === next.actionId &&
    pending.stateVersion === next.stateVersion &&
    canonical(pending.fieldValues) === canonical(without(next.fieldValues, pending.withheld))
  );
}

function without(values: JsonMembers, names: readonly string[]): JsonMembers {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}

function canonical(values: JsonMembers): string {
  return JSON.stringify(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));
}
