/** The bodies of a start and of a submission, checked before anything is looked up (contract/conventions, contract/flow-apps#sessions). */

import type { JsonMembers } from '@flowgate/client/flow-wire';
import { z } from 'zod';
import { mustBe, optional } from '../../api/body-members.ts';
import type { BodyRefusal } from '../../api/body-problems.ts';
import { checkedBody } from '../../api/checked-body.ts';
import { isJsonObject } from '../../api/json-object.ts';
import { type Ok, ok } from '../../platform/result.ts';
import { jsonProblem } from '../fields/json-limits.ts';
import { isAppId } from '../registry/app-id.ts';
import type { Submission } from './decide-submission.ts';

export type StartRequest = {
  readonly appId: string;
  readonly version?: string;
  readonly startStepId?: string;
  readonly launchContext?: JsonMembers;
};

/** Of its JSON text: it is kept with the session and sent to the app with every step. */
const maxLaunchContextBytes = 65_536;
/** Longer names are nobody's, and need not be carried through refusals. */
const maxNameLength = 256;

const name = z
  .string(mustBe('a string'))
  .refine((text) => text.length >= 1 && text.length <= maxNameLength, {
    error: `must have 1 to ${maxNameLength} characters`,
    abort: true,
  })
  // What no engine keeps as it is names nothing of ours.
  .refine((text) => !/\p{Cc}/u.test(text) && text.isWellFormed(), {
    error: 'must be well-formed text without control characters',
    abort: true,
  });

const members = z.custom<JsonMembers>(isJsonObject, { error: 'must be a JSON object', abort: true });

const startRequest = z.object({
  appId: name.refine(isAppId, { error: 'must be publisher/slug' }),
  version: optional(name),
  startStepId: optional(name),
  launchContext: optional(
    members.superRefine((value, context) => {
      const problem = launchContextProblem(value);
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
    }),
  ),
});

const isStateVersion = (value: unknown) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;

const submission = z.object({
  actionId: name,
  fieldValues: optional(members),
  stateVersion: z.custom<number>(isStateVersion, mustBe('a whole number from 1')),
});

export function parseStartRequest(body: unknown): Ok<StartRequest> | BodyRefusal {
  const checked = checkedBody(startRequest, body);
  if (!checked.ok) return checked;
  const { appId, version, startStepId, launchContext } = checked.value;
  return ok({
    appId,
    ...(version === undefined ? {} : { version }),
    ...(startStepId === undefined ? {} : { startStepId }),
    ...(launchContext === undefined ? {} : { launchContext }),
  });
}

export function parseSubmission(stepId: string, body: unknown): Ok<Submission> | BodyRefusal {
  const checked = checkedBody(submission, body);
  if (!checked.ok) return checked;
  const { actionId, fieldValues = {}, stateVersion } = checked.value;
  return ok({ stepId, actionId, fieldValues, stateVersion });
}

function launchContextProblem(value: JsonMembers): string | undefined {
  const problem = jsonProblem(value);
  if (problem !== undefined) return problem;
  const bytes = Buffer.byteLength(JSON.stringify(value));
  return bytes > maxLaunchContextBytes ? `must be at most ${maxLaunchContextBytes} bytes of JSON` : undefined;
}
