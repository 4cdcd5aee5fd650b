/** Turns the bytes of an app response into a checked response: parses JSON, validates its form, looks for submitted secrets, and filters texts (contract/flow-apps#answers). */

import { type Ok, ok } from '@flowgate/base/result';
import type { ContentFilter, ContentFilterWarning } from '@flowgate/content-filter/content-filter';
import { secretEchoRule } from '@flowgate/content-filter/content-filter-settings';
import { type JsonObject, member } from '@flowgate/json/json-object';
import { parseJsonBytes } from '@flowgate/json/json-text';
import type { Manifest } from '../manifest/manifest.ts';
import { cutPointers, findSecretEcho } from '../secrets/secret-echo.ts';
import type { SecretScan } from '../secrets/secret-mark.ts';
import type { AppFailure } from './app-failure.ts';
import { final } from './app-failure.ts';
import type { CheckedResponse } from './checked-response.ts';
import { parseRenderResponse } from './parse-render-response.ts';

/** The bytes of a response, with what is needed to validate them. */
export type AppResponse = {
  readonly bytes: Uint8Array;
  readonly manifest: Pick<Manifest, 'stepIds' | 'eventTypes'>;
  /** What the user has submitted in secret fields, now or earlier. The response must contain none of it. */
  readonly secrets: SecretScan;
  /** The domains to which its texts may link. */
  readonly linkDomains: readonly string[];
};

type ValidResponse = Exclude<CheckedResponse, { kind: 'invalid' }>;
export type ResponseReading = { readonly ok: true; readonly checked: ValidResponse } | AppFailure;

/** Synchronous; its time is linear in the size of the response. */
export function readResponse(response: AppResponse, contentFilter: ContentFilter): ResponseReading {
  const parsed = parseResponse(response.bytes);
  return parsed.ok ? readParsed(parsed.value, response, contentFilter) : parsed;
}

/** The first half of `readResponse`: bytes to JSON. */
export function parseResponse(bytes: Uint8Array): Ok<unknown> | AppFailure {
  const parsed = parseJsonBytes(bytes, { shows: isPartOfResponse });
  return typeof parsed === 'string' ? final(`the answer of the app's /renderStep ${parsed}`) : ok(parsed.value);
}

/** Only these names may appear in the text of a problem: the filter has not checked names that the app chose. */
function isPartOfResponse(name: string): boolean {
  return ['step', 'state', 'appData', 'events', 'errors'].includes(name);
}

/** The second half of `readResponse`. `raw` is the parsed JSON. */
export function readParsed(
  raw: unknown,
  { manifest, secrets, linkDomains }: Omit<AppResponse, 'bytes'>,
  contentFilter: ContentFilter,
): ResponseReading {
  const checked = parseRenderResponse(raw, manifest);
  if (checked.kind === 'invalid') return final(checked.detail);
  const echo = findSecretEcho(shownParts(raw, checked), secrets);
  if (echo !== undefined) return denied(secretEchoRule, echo);
  const { denial, warnings } = contentFilter(raw, linkDomains);
  if (denial === undefined && warnings.length === 0) return { ok: true, checked };
  // The filter also reads members that are dropped later, which `findSecretEcho` does not read.
  const cut = cutPointers(secrets);
  return denial === undefined
    ? { ok: true, checked: withWarnings(checked, warnings, cut) }
    : denied(denial.ruleId, cut(denial.pointer));
}

/** Adds the filter's warnings to the step, for clients that show it. Apps cannot set `warnings` themselves. */
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

/** The members in which secrets are searched. Values of secret fields are dropped already. Undeclared events are included, because the log names their types. */
function shownParts(raw: unknown, checked: ValidResponse): JsonObject {
  if (checked.kind === 'rejected') return { errors: checked.errors };
  return { step: checked.response.step, events: member(raw, 'events') };
}

/** The sentence is fixed by contract/flow-apps#content-filter and contract/flow-apps#answers. */
function denied(ruleId: string, pointer: string): AppFailure {
  return final(`content-filter rule ${ruleId} rejected text at ${pointer}`);
}
