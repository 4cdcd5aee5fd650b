/** Decides whether a submission may run: a pure function of the stored state, in exactly the order of contract/sessions#submission. */

import { refused } from '@flowgate/base/result';
import { type CheckedValues, checkValues } from '@flowgate/flow-format/fields/check-submission';
import type { JsonObject } from '@flowgate/json/json-object';
import type { RouteRefusal } from '../../api/route.ts';
import type { VersionRecord } from '../registry/version.ts';
import { noSession, sessionBusy, sessionOver } from './session-refusals.ts';
import type { SessionSnapshot, StoredResponse } from './session-store.ts';

export type Submission = {
  readonly stepId: string;
  readonly actionId: string;
  readonly fieldValues: JsonObject;
  readonly stateVersion: number;
};

export type SubmissionDecision =
  | { readonly kind: 'replay'; readonly response: StoredResponse }
  | { readonly kind: 'refusal'; readonly refusal: RouteRefusal }
  /** No problems; it may run once its patterned values match. */
  | ({ readonly kind: 'run' } & CheckedValues)
  /** To be refused for its problems, together with those of its patterned values. */
  | ({ readonly kind: 'wrong' } & CheckedValues);

/** `snapshot` is undefined when the session is absent or another user's. `version` is the session's, and undefined when the registry does not have it. */
export function decideSubmission(
  snapshot: SessionSnapshot | undefined,
  version: Pick<VersionRecord, 'status' | 'manifest'> | undefined,
  submission: Submission,
): SubmissionDecision {
  if (snapshot === undefined) return refusal(noSession);
  const { session, response, isLeased } = snapshot;
  if (response !== undefined) return { kind: 'replay', response };
  if (isLeased) return refusal(sessionBusy);
  if (session.status !== 'active') return refusal(sessionOver(session.status));
  if (version === undefined || version.status === 'retired')
    return refusal(refused('gone', `Version ${session.version} of ${session.appId} is retired.`));
  const { stepId, stateVersion } = submission;
  if (!version.manifest.stepIds.includes(stepId))
    return refusal(refused('not-found', `Version ${session.version} of ${session.appId} has no such step.`));
  if (session.step.stepId !== stepId)
    return refusal(refused('conflict', `The session is at step ${session.step.stepId}, not at the one submitted.`));
  if (session.stateVersion !== stateVersion)
    return refusal(refused('conflict', `The session's stateVersion is ${session.stateVersion}, not ${stateVersion}.`));
  const checked = checkValues(session.step, submission.actionId, submission.fieldValues);
  return { kind: checked.problems.length === 0 ? 'run' : 'wrong', ...checked };
}

function refusal(why: RouteRefusal): SubmissionDecision {
  return { kind: 'refusal', refusal: why };
}
