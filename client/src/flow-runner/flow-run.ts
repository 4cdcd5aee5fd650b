/** Walks one session of a Flow App for a person or a program, keeps its state, and never executes a step twice (contract/sessions#idempotency). */

import type { JsonMembers, SessionInput } from '../wire.ts';
import type { FlowRunRecord } from './flow-run-record.ts';
import type { FlowRunState } from './flow-run-state.ts';

/** Where to begin: a new session, one that is there, or what a journal has of a run before. */
export type FlowRunBeginning =
  | { readonly start: SessionInput }
  | { readonly sessionId: string }
  | { readonly record: FlowRunRecord };

export type FlowRunOptions = {
  /** Called with what must be kept before anything is sent, which waits for it; with `undefined` when nothing need be kept any more. Rejects: nothing is sent. */
  readonly journal?: ((record: FlowRunRecord | undefined) => void | Promise<void>) | undefined;
};

/** What ends a call: the answer to what was sent may still come, and `retry` finds it. */
export type FlowRunCall = { readonly signal?: AbortSignal | undefined };

export type FlowAnswer = { readonly actionId: string; readonly fieldValues?: JsonMembers | undefined };

/**
 * Methods resolve with the new state, whatever the gateway says: refusals are in the state. They reject with the signal's reason, with what the journal or the
 * caller's token function threw, and with `TypeError` for a call out of turn: one at a time, and only what the phase allows.
 */
export type FlowRun = {
  /** The same object until something changes. */
  state(this: void): FlowRunState;
  /** Calls the listener after each change; returns what ends that. With `state` it fits React's `useSyncExternalStore`. */
  subscribe(this: void, listener: () => void): () => void;
  /** Once; again when the start was refused. */
  begin(this: void, call?: FlowRunCall): Promise<FlowRunState>;
  /** In the phases `step` and `payment`. The same answer once more is a retry of the first, under its key. */
  submit(this: void, answer: FlowAnswer, call?: FlowRunCall): Promise<FlowRunState>;
  /** In the phase `payment`: what asked for it, with an x402 payment as the header's value. */
  pay(this: void, payment: string, call?: FlowRunCall): Promise<FlowRunState>;
  /** In the phase `unanswered`: the same start or submission, under its key. */
  retry(this: void, call?: FlowRunCall): Promise<FlowRunState>;
  /** Looks at the session: somebody else, or another window, may have gone on. */
  refresh(this: void, call?: FlowRunCall): Promise<FlowRunState>;
  cancel(this: void, call?: FlowRunCall): Promise<FlowRunState>;
  /** What was signed for the present step, as `keepSigned` was told. */
  signed(this: void): JsonMembers;
  /** Keeps, also in the journal, what a wallet has signed or sent for the present step. */
  keepSigned(this: void, values: JsonMembers): Promise<void>;
};
