/** The bodies of a start and of a submission, validated before anything is read from the storage (contract/conventions, contract/sessions#life-cycle). */

import { type Ok, ok } from '@flowgate/base/result';
import { anyObject, mustBe, noControlCharacters, optional } from '@flowgate/body-schema/body-members';
import type { BodyRefusal } from '@flowgate/body-schema/body-problems';
import { bodySchema } from '@flowgate/body-schema/body-schema';
import { checkedBody } from '@flowgate/body-schema/checked-body';
import { jsonProblem } from '@flowgate/flow-format/fields/json-limits';
import { appIdForm } from '@flowgate/flow-format/manifest/app-id';
import { exampleAppId } from '@flowgate/flow-format/manifest/registry-members';
import type { JsonObject } from '@flowgate/json/json-object';
import { z } from 'zod';
import type { Submission } from './decide-submission.ts';

export type StartRequest = {
  readonly appId: string;
  readonly version?: string;
  readonly startStepId?: string;
  readonly launchContext?: JsonObject;
};

/** The limit of its JSON text in bytes: it is stored with the session and sent to the app with every step. */
const maxLaunchContextBytes = 65_536;
/** The maximum length of a name in characters. No longer name exists, so refusals need not repeat one. */
const maxNameLength = 256;

const badLength = { error: `must have 1 to ${maxNameLength} characters`, abort: true };

const nameText = () =>
  z
    .string(mustBe('a string'))
    .min(1, badLength)
    .max(maxNameLength, badLength)
    // No engine stores such text unchanged, so no name contains it.
    .refine((text) => !/\p{Cc}/u.test(text) && text.isWellFormed(), {
      error: 'must be well-formed text without control characters',
      abort: true,
    });

/** The name of a step, an action or a version, whether it exists or not. */
const name = (description: string) => nameText().meta({ description, pattern: noControlCharacters });

/** The members of a start, all of them, whether optional or not. */
export const startMembers = () => ({
  appId: nameText()
    .regex(appIdForm, { error: 'must be publisher/slug' })
    .meta({ description: '`publisher/slug`.', examples: [exampleAppId] }),
  version: name('The version (strict semver). Default: the latest active version.'),
  startStepId: name("One of the version's `startSteps`. Default: the first of them."),
  launchContext: anyObject('Sent to the app unchanged.'),
});

export const sessionInput = bodySchema(
  'SessionInput',
  'The session to start.',
  () => {
    const { appId, version, startStepId, launchContext } = startMembers();
    return z.object({
      appId,
      version: optional(version),
      startStepId: optional(startStepId),
      launchContext: optional(
        launchContext.superRefine((value, context) => {
          const problem = launchContextProblem(value);
          if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
        }),
      ),
    });
  },
  { appId: exampleAppId },
);

const badStateVersion = mustBe('a whole number from 1');

/** The members of a submission, all of them, whether optional or not. */
export const submissionMembers = () => ({
  actionId: name("The id of one of the step's actions."),
  fieldValues: anyObject("The values of the step's fields, by `fieldId`. Unknown fields are refused."),
  stateVersion: z
    .int(badStateVersion)
    .min(1, badStateVersion)
    .describe('The `stateVersion` of the session that the caller has read last.'),
});

export const stepSubmission = bodySchema(
  'StepSubmission',
  "An action of the session's current step, with the values of its fields.",
  () => {
    const { actionId, fieldValues, stateVersion } = submissionMembers();
    return z.object({ actionId, fieldValues: optional(fieldValues), stateVersion });
  },
  { actionId: 'next', fieldValues: { invoice: 'INV-7' }, stateVersion: 1 },
);

export function parseStartRequest(body: unknown): Ok<StartRequest> | BodyRefusal {
  const checked = checkedBody(sessionInput.schema(), body);
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
  const checked = checkedBody(stepSubmission.schema(), body);
  if (!checked.ok) return checked;
  const { actionId, fieldValues = {}, stateVersion } = checked.value;
  return ok({ stepId, actionId, fieldValues, stateVersion });
}

function launchContextProblem(value: JsonObject): string | undefined {
  const problem = jsonProblem(value);
  if (problem !== undefined) return problem;
  const bytes = Buffer.byteLength(JSON.stringify(value));
  return bytes > maxLaunchContextBytes ? `must be at most ${maxLaunchContextBytes} bytes of JSON` : undefined;
}
