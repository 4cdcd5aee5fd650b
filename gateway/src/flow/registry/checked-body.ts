/** A request body held against a schema: the first thing that is wrong with it becomes a sentence that names the member. */

import { z } from 'zod';
import { ok, type Result, refused } from '../../platform/result.ts';

/** Unknown members are ignored, `null` for an optional one means left out (decisions 2). */
export function checkedBody<T>(schema: z.ZodType<T>, body: unknown): Result<T, 'bad-request'> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return refused('bad-request', 'the body must be a JSON object');
  const checked = schema.safeParse(body);
  return checked.success ? ok(checked.data) : refused('bad-request', sentenceOf(checked.error));
}

/** `steps[2].stepId must be a string`. Every message of our schemas begins with a verb. */
export function sentenceOf(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? 'the body is not valid' : `${placeOf(issue.path)} ${issue.message}`.trimStart();
}

function placeOf(path: readonly PropertyKey[]): string {
  const place = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return place.startsWith('.') ? place.slice(1) : place;
}

/** A message for a wrong type; for a member that is not there: `is required`. */
export function mustBe(what: string): { readonly error: (issue: { readonly input?: unknown }) => string } {
  return { error: ({ input }) => (input === undefined || input === null ? 'is required' : `must be ${what}`) };
}

/** Text for people, counted in Unicode code points; no control characters, and nothing that has no UTF-8 form. */
export function plainText(max: number): z.ZodType<string> {
  return z
    .string(mustBe('a string'))
    .refine((text) => text.length > 0 && text.length <= 2 * max && [...text].length <= max, {
      error: `must have 1 to ${max} characters`,
    })
    .refine((text) => !/\p{Cc}/u.test(text), { error: 'must not contain control characters' })
    .refine((text) => text.isWellFormed(), { error: 'must be well-formed Unicode' });
}

/** A member that may be left out, or be `null`, which is the same. */
export function optional<T>(schema: z.ZodType<T>): z.ZodType<T | undefined> {
  return schema.nullish().transform((value) => value ?? undefined);
}
