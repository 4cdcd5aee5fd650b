/** Asks an app for the next step, and makes of whatever comes back an answer that can be acted on, or a refusal. */

import type { JsonMembers, RenderRequest } from '@flowgate/client/flow-wire';
import type { RouteRefusal } from '../../access/route.ts';
import type { Log } from '../../platform/log.ts';
import { refused } from '../../platform/result.ts';
import type { ReadAnswer } from '../answers/read-answer.ts';
import type { AppError, RenderAnswer } from '../answers/render-answer.ts';
import type { OpenFlowApp } from '../apps/flow-app.ts';
import type { VersionRecord } from '../registry/version.ts';
import type { AppDataChange } from './session-store.ts';

export type RenderParts = {
  readonly openApp: OpenFlowApp;
  readonly readAnswer: ReadAnswer;
  readonly log: Log;
};

/** Of JSON text, for one user and app, after the change. */
const maxAppDataBytes = 1_048_576;
/** Each is a row, and every step of the user reads them all. */
const maxAppDataNames = 10_000;

/** Answers `bad-request` when the app found the submission wrong, `bad-gateway` when its answer cannot be used. Never throws because of the app. */
export async function render(
  parts: RenderParts,
  version: VersionRecord,
  request: RenderRequest,
  secrets: readonly string[],
): Promise<{ readonly ok: true; readonly answer: RenderAnswer } | RouteRefusal> {
  const { appId, version: name, manifest } = version;
  const given = await parts.openApp(version).render(request);
  if (!given.ok) return unusable(given.detail, given.retryable);
  const reading = await parts.readAnswer(appId, { bytes: given.value, manifest, secrets });
  if (!reading.ok) return unusable(reading.detail, reading.retryable);
  const { checked } = reading;
  if (checked.kind === 'rejected') return rejected(checked.errors);
  const problem = problemOfAppData(request.appData, checked.answer.appData);
  if (problem !== undefined) return unusable(problem);
  if (checked.undeclared.length > 0)
    parts.log.warn('flow.events-undeclared', {
      appId,
      version: name,
      types: checked.undeclared.join(' ').slice(0, 200),
    });
  return { ok: true, answer: checked.answer };
}

function unusable(detail: string, retryable = false): RouteRefusal {
  return { ...refused('bad-gateway', detail), retryable };
}

function rejected(errors: readonly AppError[]): RouteRefusal {
  const sentences = errors.map(({ fieldId, message }) => (fieldId === undefined ? message : `${fieldId}: ${message}`));
  return { ...refused('bad-request', sentences.join('; ')), members: { errors } };
}

function problemOfAppData(before: JsonMembers, change: AppDataChange): string | undefined {
  const names = [...Object.keys(change.set), ...change.delete];
  if (names.length === 0) return undefined;
  // No engine gives these back as they were.
  if (names.some((name) => name.includes('\0') || !name.isWellFormed()))
    return "The Flow App's answer names app data with a NUL or half a surrogate pair.";
  const after = new Map(Object.entries(before));
  for (const name of change.delete) after.delete(name);
  for (const [name, value] of Object.entries(change.set)) after.set(name, value);
  if (after.size > maxAppDataNames)
    return `The Flow App's answer makes its data about this user ${after.size} names; ${maxAppDataNames} are allowed.`;
  const bytes = Buffer.byteLength(JSON.stringify(Object.fromEntries(after)));
  return bytes > maxAppDataBytes
    ? `The Flow App's answer makes its data about this user ${bytes} bytes of JSON; ${maxAppDataBytes} are allowed.`
    : undefined;
}
