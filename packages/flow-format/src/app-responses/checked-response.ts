/** A checked app response: what the gateway acts on. */

import type { JsonObject } from '@flowgate/json/json-object';
import type { StepSpec } from './step-wire.ts';

export type AppEvent = { readonly type: string; readonly data: JsonObject };
export type AppError = { readonly fieldId?: string; readonly message: string };

export type StepResponse = {
  readonly step: StepSpec;
  /** Left out when the app leaves its state unchanged. */
  readonly state?: JsonObject;
  readonly appData: { readonly set: JsonObject; readonly delete: readonly string[] };
  /** Only types that the app's version declares. */
  readonly events: readonly AppEvent[];
  readonly status: 'active' | 'completed' | 'failed';
};

/** `rejected`: the app refused the submission; nothing changes and the caller is told why. */
export type CheckedResponse =
  | {
      readonly kind: 'step';
      readonly response: StepResponse;
      /** Types of the events that were dropped because the version does not declare them, for the log. */
      readonly undeclared: readonly string[];
    }
  | { readonly kind: 'rejected'; readonly errors: readonly AppError[] }
  | {
      readonly kind: 'invalid';
      /** What is wrong, for the caller. It names a member and repeats no text of the app. */
      readonly detail: string;
    };
