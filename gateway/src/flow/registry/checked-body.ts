/** A request body held against a schema: whatever is wrong with it becomes sentences that name the members. */

import { z } from 'zod';
import { type BodyProblem, type BodyRefusal, refusedFor, refusedForOne } from '../../api/body-problems.ts';
import { type Ok, ok } from '../../platform/result.ts';

/** Unknown members are ignored, `null` for an optional one means left out (contract/conventions#members). */
export function checkedBody<T>(schema: z.ZodType<T>, body: unknown): Ok<T> | BodyRefusal {
  const read = readBody(schema, body);
  return read.problems === undefined ? ok(read.value) : refusedFor(read.problems);
}

/** The same for those who have more to say about the body. */
export function readBody<T>(
  schema: z.ZodType<T>,
  body: unknown,
): { readonly value: T; readonly problems?: undefined } | { readonly problems: readonly BodyProblem[] } {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return { problems: refusedForOne('the body must be a JSON object').members.errors };
  const checked = schema.safeParse(body);
  return checked.success ? { value: checked.data } : { problems: problemsOf(checked.error) };
}

/** `steps[2].stepId must be a string`. Every message of our schemas begins with a verb. */
export function problemsOf({ issues }: z.ZodError): readonly BodyProblem[] {
  return issues.map(({ path, message }) => ({ message: `${placeOf(path)} ${message}`.trimStart() }));
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
