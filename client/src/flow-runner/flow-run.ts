/** Runs one session of a Flow App for a person or a program, and never executes a step twice (contract/sessions#idempotency). */

import type { JsonMembers, SessionInput } from '../wire.ts';
import type { FlowRunRecord } from './flow-run-record.ts';
import type { FlowRunState } from './flow-run-state.ts';

/** Where to begin: a new session, an existing one, or the journal's record of an earlier run. */
export type FlowRunBeginning =
  | { readonly start: SessionInput }
  | { readonly sessionId: string }
  | { readonly record: FlowRunRecord };

export type FlowRunOptions = {
  /**
   * The journal. Called with the record before each request, which waits for it; with `undefined` when the record is no longer needed. If it rejects, the
   * request is not sent.
   */
  readonly journal?: ((record: FlowRunRecord | undefined) => void | Promise<void>) | undefined;
};

/** Ends a call. Its answer may still arrive, and `retry` finds it. */
export type FlowRunCall = { readonly signal?: AbortSignal | undefined };

export type FlowAnswer = { readonly actionId: string; readonly fieldValues?: JsonMembers | undefined };

/**
 * Methods resolve with the new state; refusals of the gateway are part of it. They reject with the signal's reason, with an error of the journal or of the
 * caller's token function, and with `TypeError` for a call that the phase does not allow or that runs during another one.
 */
export type FlowRun = {
  /** The current state: the same object until something changes. */
  state(this: void): FlowRunState;
  /** Calls the listener after each change; returns a function that removes it. Together with `state` it fits React's `useSyncExternalStore`. */
  subscribe(this: void, listener: () => void): () => void;
  /** Starts the run. Call it once; again only after the start was refused. */
  begin(this: void, call?: FlowRunCall): Promise<FlowRunState>;
  /** Submits an action, in the phases `step` and `payment`. Repeating the same answer is a retry under the same key. */
  submit(this: void, answer: FlowAnswer, call?: FlowRunCall): Promise<FlowRunState>;
  /** Pays, in the phase `payment`: repeats the submission with an x402 payment as the header's value. */
  pay(this: void, payment: string, call?: FlowRunCall): Promise<FlowRunState>;
  /** Repeats the unanswered start or submission under its key, in the phase `unanswered`. */
  retry(this: void, call?: FlowRunCall): Promise<FlowRunState>;
  /** Reads the session again: another user or window may have continued it. */
  refresh(this: void, call?: FlowRunCall): Promise<FlowRunState>;
  cancel(this: void, call?: FlowRunCall): Promise<FlowRunState>;
  /** The values for the current step that `keepSigned` stored. */
  signed(this: void): JsonMembers;
  /** Stores, also in the journal, the values that a wallet has signed or sent for the current step. */
  keepSigned(this: void, values: JsonMembers): Promise<void>;
};
