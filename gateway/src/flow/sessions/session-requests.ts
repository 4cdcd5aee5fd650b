/** The bodies of a start and of a submission, checked before anything is looked up (decisions 2 and 8). */

import type { JsonMembers } from '@flowgate/client/flow-wire';
import { isJsonObject, member } from '../../access/json-object.ts';
import { ok, type Result, refused } from '../../platform/result.ts';
import { jsonProblem } from '../answers/json-limits.ts';
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

type Checked<T> = Result<T, 'bad-request'>;

export function parseStartRequest(body: unknown): Checked<StartRequest> {
  if (!isJsonObject(body)) return refused('bad-request', 'the body must be a JSON object');
  const appId = name(body, 'appId', 'required');
  if (!appId.ok) return appId;
  if (!isAppId(appId.value ?? '')) return refused('bad-request', 'appId must be publisher/slug');
  const version = name(body, 'version', 'optional');
  if (!version.ok) return version;
  const startStepId = name(body, 'startStepId', 'optional');
  if (!startStepId.ok) return startStepId;
  const launchContext = object(body, 'launchContext');
  if (!launchContext.ok) return launchContext;
  const problem = jsonProblem(launchContext.value ?? {});
  if (problem !== undefined) return refused('bad-request', `launchContext ${problem}`);
  if (Buffer.byteLength(JSON.stringify(launchContext.value ?? {})) > maxLaunchContextBytes)
    return refused('bad-request', `launchContext must be at most ${maxLaunchContextBytes} bytes of JSON`);
  return ok({
    appId: appId.value ?? '',
    ...(version.value === undefined ? {} : { version: version.value }),
    ...(startStepId.value === undefined ? {} : { startStepId: startStepId.value }),
    ...(launchContext.value === undefined ? {} : { launchContext: launchContext.value }),
  });
}

export function parseSubmission(stepId: string, body: unknown): Checked<Submission> {
  if (!isJsonObject(body)) return refused('bad-request', 'the body must be a JSON object');
  const actionId = name(body, 'actionId', 'required');
  if (!actionId.ok) return actionId;
  const fieldValues = object(body, 'fieldValues');
  if (!fieldValues.ok) return fieldValues;
  const stateVersion = member(body, 'stateVersion');
  if (stateVersion === undefined || stateVersion === null) return refused('bad-request', 'stateVersion is required');
  if (typeof stateVersion !== 'number' || !Number.isSafeInteger(stateVersion) || stateVersion < 1)
    return refused('bad-request', 'stateVersion must be a whole number from 1');
  return ok({ stepId, actionId: actionId.value ?? '', fieldValues: fieldValues.value ?? {}, stateVersion });
}

function name(body: JsonMembers, of: string, need: 'required' | 'optional'): Checked<string | undefined> {
  const found = member(body, of) ?? undefined;
  if (found === undefined) return need === 'required' ? refused('bad-request', `${of} is required`) : ok(undefined);
  if (typeof found !== 'string') return refused('bad-request', `${of} must be a string`);
  if (found.length < 1 || found.length > maxNameLength)
    return refused('bad-request', `${of} must have 1 to ${maxNameLength} characters`);
  // What no engine keeps as it is names nothing of ours.
  return /\p{Cc}/u.test(found) || !found.isWellFormed()
    ? refused('bad-request', `${of} must be well-formed text without control characters`)
    : ok(found);
}

function object(body: JsonMembers, of: string): Checked<JsonMembers | undefined> {
  const found = member(body, of) ?? undefined;
  if (found === undefined || isJsonObject(found)) return ok(found);
  return refused('bad-request', `${of} must be a JSON object`);
}
