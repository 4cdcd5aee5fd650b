/** A Flow App's answer, checked: what the gateway acts on. */

import type { JsonMembers, StepSpec } from '@flowgate/client/flow-wire';

export type AppEvent = { readonly type: string; readonly data: JsonMembers };
export type AppError = { readonly fieldId?: string; readonly message: string };

export type StepResponse = {
  readonly step: StepSpec;
  /** Absent: unchanged. */
  readonly state?: JsonMembers;
  readonly appData: { readonly set: JsonMembers; readonly delete: readonly string[] };
  /** Declared types only. */
  readonly events: readonly AppEvent[];
  readonly status: 'active' | 'completed' | 'failed';
};

/** `rejected`: the app found the submission wrong; nothing changes and the caller learns why. */
export type CheckedResponse =
  | {
      readonly kind: 'step';
      readonly response: StepResponse /** Types that were not declared: dropped, for the log. */;
      readonly undeclared: readonly string[];
    }
  | { readonly kind: 'rejected'; readonly errors: readonly AppError[] }
  | {
      readonly kind: 'invalid' /** What is wrong with it, for the caller; names a member, repeats no text of the app. */;
      readonly detail: string;
    };
