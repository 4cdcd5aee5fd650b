/** Reads what an app answered, from its bytes to what can be acted on: JSON, its form, submitted secrets in it, and the content filter (decisions 8). */

import type { JsonMembers } from '@flowgate/client/flow-wire';
import { isJsonObject, member } from '../access/json-object.ts';
import { parseJsonBytes } from '../platform/json-text.ts';
import type { ContentFilter } from './content-filter.ts';
import type { AppFailure } from './flow-app.ts';
import { parseRenderAnswer } from './parse-render-answer.ts';
import { final } from './remote-app-failure.ts';
import type { CheckedAnswer } from './render-answer.ts';
import { findSecretEcho, secretEchoRule } from './secret-echo.ts';
import type { Manifest } from './version.ts';

/** An answer as it came, and what it is read with. */
export type AppAnswer = {
  readonly bytes: Uint8Array;
  readonly manifest: Pick<Manifest, 'stepIds' | 'eventTypes'>;
  /** What was submitted in secret fields: none of it may come back. */
  readonly secrets: readonly string[];
};

type ValidAnswer = Exclude<CheckedAnswer, { kind: 'invalid' }>;
export type AnswerReading = { readonly ok: true; readonly checked: ValidAnswer } | AppFailure;

/** Never throws because of the answer. `appId`: whose answer it is. */
export type ReadAnswer = (appId: string, answer: AppAnswer) => AnswerReading | Promise<AnswerReading>;

/** Reads at once, in time in proportion to the answer's size. */
export function readAnswer({ bytes, manifest, secrets }: AppAnswer, contentFilter: ContentFilter): AnswerReading {
  const parsed = parseJsonBytes(bytes);
  if (typeof parsed === 'string') return final(`the answer of the app's /renderStep ${parsed}`);
  const checked = parseRenderAnswer(parsed.value, manifest);
  if (checked.kind === 'invalid') return final(checked.detail);
  // First of all denials: no other one's pointer may then hold a secret.
  const echo = findSecretEcho(shownParts(parsed.value, checked), secrets);
  if (echo !== undefined) return denied(secretEchoRule, echo);
  const denial = contentFilter(parsed.value);
  return denial === undefined ? { ok: true, checked } : denied(denial.ruleId, denial.pointer);
}

/** A secret field's value is dropped, so it is no echo; events that were not declared are named in the log. */
function shownParts(raw: unknown, checked: ValidAnswer): JsonMembers {
  if (checked.kind === 'rejected') return { errors: checked.errors };
  return { step: checked.answer.step, events: isJsonObject(raw) ? member(raw, 'events') : undefined };
}

/** The form is the contract's (interface, Further rules 2; decisions 8). */
function denied(ruleId: string, pointer: string): AppFailure {
  return final(`content-filter rule ${ruleId} rejected text at ${pointer}`);
}
