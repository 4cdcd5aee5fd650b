/** Reads what an app answered, from its bytes to what can be acted on: JSON, its form, submitted secrets in it, and the content filter (contract/flow-apps#answers). */

import type { JsonMembers } from '@flowgate/client/flow-wire';
import { isJsonObject, member } from '../../api/json-object.ts';
import { parseJsonBytes } from '../../platform/json/json-text.ts';
import { type Ok, ok } from '../../platform/result.ts';
import type { AppFailure } from '../apps/flow-app.ts';
import { final } from '../apps/remote-app-failure.ts';
import type { ContentFilter, ContentFilterWarning } from '../content-filter/content-filter.ts';
import type { Manifest } from '../registry/version.ts';
import { cutPointers, findSecretEcho, secretEchoRule } from '../secrets/secret-echo.ts';
import type { SecretScan } from '../secrets/secret-mark.ts';
import type { CheckedResponse } from './checked-response.ts';
import { parseRenderResponse } from './parse-render-response.ts';

/** An answer as it came, and what it is read with. */
export type AppResponse = {
  readonly bytes: Uint8Array;
  readonly manifest: Pick<Manifest, 'stepIds' | 'eventTypes'>;
  /** What was submitted in secret fields, now or earlier: none of it may come back. */
  readonly secrets: SecretScan;
};

type ValidResponse = Exclude<CheckedResponse, { kind: 'invalid' }>;
export type ResponseReading = { readonly ok: true; readonly checked: ValidResponse } | AppFailure;

/** Reads at once, in time in proportion to the answer's size. */
export function readResponse(response: AppResponse, contentFilter: ContentFilter): ResponseReading {
  const parsed = parseResponse(response.bytes);
  return parsed.ok ? readParsed(parsed.value, response, contentFilter) : parsed;
}

/** The first half of `readAnswer`. */
export function parseResponse(bytes: Uint8Array): Ok<unknown> | AppFailure {
  const parsed = parseJsonBytes(bytes, { shows: isPartOfResponse });
  return typeof parsed === 'string' ? final(`the answer of the app's /renderStep ${parsed}`) : ok(parsed.value);
}

/** The filter has not read the names that an app chose. */
function isPartOfResponse(name: string): boolean {
  return ['step', 'state', 'appData', 'events', 'errors'].includes(name);
}

/** The second one: of `raw`, which is what the bytes say. */
export function readParsed(
  raw: unknown,
  { manifest, secrets }: Omit<AppResponse, 'bytes'>,
  contentFilter: ContentFilter,
): ResponseReading {
  const checked = parseRenderResponse(raw, manifest);
  if (checked.kind === 'invalid') return final(checked.detail);
  const echo = findSecretEcho(shownParts(raw, checked), secrets);
  if (echo !== undefined) return denied(secretEchoRule, echo);
  const { denial, warnings } = contentFilter(raw);
  if (denial === undefined && warnings.length === 0) return { ok: true, checked };
  // The filter reads parts that are dropped, too.
  const cut = cutPointers(secrets);
  return denial === undefined
    ? { ok: true, checked: withWarnings(checked, warnings, cut) }
    : denied(denial.ruleId, cut(denial.pointer));
}

/** Where the filter cannot tell, whoever shows the step is warned. An app has no member of that name. */
function withWarnings(
  checked: ValidResponse,
  found: readonly ContentFilterWarning[],
  cut: (pointer: string) => string,
): ValidResponse {
  if (checked.kind === 'rejected') return checked;
  const { step } = checked.response;
  const warnings = found.map(({ ruleId, pointer, message }) => {
    const fieldId = step.fields[Number(/^\/step\/fields\/(\d+)(?:\/|$)/.exec(pointer)?.[1] ?? -1)]?.fieldId;
    return {
      ruleId,
      pointer: cut(pointer).slice('/step'.length),
      ...(fieldId === undefined ? {} : { fieldId }),
      message,
    };
  });
  return { ...checked, response: { ...checked.response, step: { ...step, warnings } } };
}

/** A secret field's value is dropped, so it is no echo; events that were not declared are named in the log. */
function shownParts(raw: unknown, checked: ValidResponse): JsonMembers {
  if (checked.kind === 'rejected') return { errors: checked.errors };
  return { step: checked.response.step, events: isJsonObject(raw) ? member(raw, 'events') : undefined };
}

/** The form is the contract's (contract/flow-apps#content-filter; contract/flow-apps#answers). */
function denied(ruleId: string, pointer: string): AppFailure {
  return final(`content-filter rule ${ruleId} rejected text at ${pointer}`);
}
