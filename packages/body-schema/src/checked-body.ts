/** Validates a request body against a schema: every problem becomes a sentence that names the member. */

import { type Ok, ok } from '@flowgate/base/result';
import { isJsonObject } from '@flowgate/json/json-object';
import type { z } from 'zod';
import { type BodyProblem, type BodyRefusal, refusedFor, refusedForOne } from './body-problems.ts';

/**
 * Unknown members are ignored; `null` for an optional member means that it is absent (contract/conventions#members).
 */
export function checkedBody<T>(schema: z.ZodType<T>, body: unknown): Ok<T> | BodyRefusal {
  const read = readBody(schema, body);
  return read.problems === undefined ? ok(read.value) : refusedFor(read.problems);
}

/** Like `checkedBody`, for callers with further checks of the body. */
export function readBody<T>(
  schema: z.ZodType<T>,
  body: unknown,
): { readonly value: T; readonly problems?: undefined } | { readonly problems: readonly BodyProblem[] } {
  if (!isJsonObject(body)) return { problems: refusedForOne('the body must be a JSON object').members.errors };
  // Own members only: members of a prototype were not in the body.
  const checked = schema.safeParse({ ...body });
  return checked.success ? { value: checked.data } : { problems: problemsOf(checked.error) };
}

/** `steps[2].stepId must be a string`. Every message of our schemas begins with a verb. */
export function problemsOf({ issues }: z.ZodError): readonly BodyProblem[] {
  const ofWrongType = new Set(issues.flatMap((issue) => (issue.code === 'invalid_type' ? [placeOf(issue)] : [])));
  // zod checks the length of any value that has one, also of a list where a text is required.
  const reported = issues.filter((issue) => !isMeasure(issue) || !ofWrongType.has(placeOf(issue)));
  const sentences = reported.map((issue) => `${placeOf(issue)} ${issue.message}`.trimStart());
  return [...new Set(sentences)].map((message) => ({ message }));
}

function isMeasure({ code }: z.core.$ZodIssue): boolean {
  return code === 'too_small' || code === 'too_big';
}

/** The allowed values of a list are reported once, for the list, for any number of wrong entries. */
function placeOf({ code, path }: z.core.$ZodIssue): string {
  const named = code === 'invalid_value' && typeof path.at(-1) === 'number' ? path.slice(0, -1) : path;
  const place = named.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return place.startsWith('.') ? place.slice(1) : place;
}
