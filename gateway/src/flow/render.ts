/** Asks an app for the next step, and makes of whatever comes back an answer that can be acted on, or a refusal. */

import type { JsonMembers, RenderRequest } from '@flowgate/client/flow-wire';
import { isJsonObject, member } from '../access/json-object.ts';
import type { RouteRefusal } from '../access/route.ts';
import type { Log } from '../platform/log.ts';
import { refused } from '../platform/result.ts';
import type { ContentFilter } from './content-filter.ts';
import type { OpenFlowApp } from './flow-app.ts';
import { parseRenderAnswer } from './parse-render-answer.ts';
import type { AppError, CheckedAnswer, RenderAnswer } from './render-answer.ts';
import { findSecretEcho, secretEchoRule } from './secret-echo.ts';
import type { AppDataChange } from './session-store.ts';
import type { VersionRecord } from './version.ts';

export type RenderParts = {
  readonly openApp: OpenFlowApp;
  readonly contentFilter: ContentFilter;
  readonly log: Log;
};

/** Of JSON text, for one user and app, after the change. */
const maxAppDataBytes = 1_048_576;

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
  const checked = parseRenderAnswer(given.value, manifest);
  if (checked.kind === 'invalid') return unusable(checked.detail);
  // First of all denials: no other one's pointer may then hold a secret.
  const echo = findSecretEcho(shownParts(given.value, checked), secrets);
  if (echo !== undefined) return denied(secretEchoRule, echo);
  const denial = parts.contentFilter(given.value);
  if (denial !== undefined) return denied(denial.ruleId, denial.pointer);
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

/** A secret field's value is dropped, so it is no echo; events that were not declared are named in the log. */
function shownParts(raw: unknown, checked: Exclude<CheckedAnswer, { kind: 'invalid' }>): JsonMembers {
  if (checked.kind === 'rejected') return { errors: checked.errors };
  return { step: checked.answer.step, events: isJsonObject(raw) ? member(raw, 'events') : undefined };
}

function unusable(detail: string, retryable = false): RouteRefusal {
  return { ...refused('bad-gateway', detail), retryable };
}

/** The form is the contract's (interface, Further rules 2; decisions 8). */
function denied(ruleId: string, pointer: string): RouteRefusal {
  return unusable(`content-filter rule ${ruleId} rejected text at ${pointer}`);
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
  const bytes = Buffer.byteLength(JSON.stringify(Object.fromEntries(after)));
  return bytes > maxAppDataBytes
    ? `The Flow App's answer makes its data about this user ${bytes} bytes of JSON; ${maxAppDataBytes} are allowed.`
    : undefined;
}
