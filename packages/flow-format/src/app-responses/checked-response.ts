/** A validated app response, on which the gateway acts. */

import type { JsonObject } from '@flowgate/json/json-object';
import type { StepSpec } from './step-wire.ts';

export type AppEvent = { readonly type: string; readonly data: JsonObject };
export type AppError = { readonly fieldId?: string; readonly message: string };

export type StepResponse = {
  readonly step: StepSpec;
  /** Absent if the app leaves its state unchanged. */
  readonly state?: JsonObject;
  readonly appData: { readonly set: JsonObject; readonly delete: readonly string[] };
  /** Contains only types that the app's version declares. */
  readonly events: readonly AppEvent[];
  readonly status: 'active' | 'completed' | 'failed';
};

/** `rejected`: the app refused the submission. Nothing changes, and the caller gets the app's reasons. */
export type CheckedResponse =
  | {
      readonly kind: 'step';
      readonly response: StepResponse;
      /** Types of dropped events, which the version does not declare; for the log. */
      readonly undeclared: readonly string[];
    }
  | { readonly kind: 'rejected'; readonly errors: readonly AppError[] }
  | {
      readonly kind: 'invalid';
      /** What is wrong, for the caller. Names a member and repeats no text of the app. */
      readonly detail: string;
    };
