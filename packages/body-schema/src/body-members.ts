/** Builders for members of bodies. The check and the OpenAPI document use the same bounds. */

import { identifierForm } from '@flowgate/base/identifier';
import { isJsonObject, type JsonObject } from '@flowgate/json/json-object';
import { z } from 'zod';

/** A message for a wrong type; for an absent member it is `is required`. */
export function mustBe(what: string): { readonly error: (issue: { readonly input?: unknown }) => string } {
  return { error: ({ input }) => (input === undefined || input === null ? 'is required' : `must be ${what}`) };
}

/** A member that may be absent or `null`, with the same meaning. */
export function optional<S extends z.ZodType>(schema: S) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** `\p{Cc}`, spelled so that every JSON Schema library understands it. */
export const noControlCharacters = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

/**
 * Format characters (including bidirectional and invisible ones) and line and paragraph separators: they change how
 * adjacent text is shown.
 */
const unshown = /[\p{Cf}\p{Zl}\p{Zp}]/u;
/**
 * Excludes these and control characters, except those beyond U+FFFF, which libraries without Unicode patterns cannot
 * express.
 */
const noFormatCharacters =
  '^[^\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2064\\u2066-\\u206f\\ufeff\\ufff9-\\ufffb]*$';

/**
 * Text for people, counted in Unicode code points as in JSON Schema (zod counts UTF-16 units). No control characters,
 * and no text without a UTF-8 form, which JSON Schema cannot express. `abort`: only the first of these problems is
 * reported. `label`: a name in one line, which has no format characters either.
 */
export function plainText(max: number, { abort = false, label = true } = {}): z.ZodString {
  return (
    z
      .string(mustBe('a string'))
      // A string of so many code points has at most twice the units: longer ones need no counting.
      .refine((text) => text.length > 0 && text.length <= 2 * max && [...text].length <= max, {
        error: `must have 1 to ${max} characters`,
        abort,
      })
      .refine((text) => !/\p{Cc}/u.test(text), { error: 'must not contain control characters', abort })
      .refine((text) => !label || !unshown.test(text), {
        error: 'must not contain bidirectional or other format characters',
        abort,
      })
      .refine((text) => text.isWellFormed(), { error: 'must be well-formed Unicode' })
      .meta({ minLength: 1, maxLength: max, pattern: label ? noFormatCharacters : noControlCharacters })
  );
}

type ListRules = { readonly min: number; readonly max: number; readonly mustBe?: string };

/** Counts the entries before they are checked: a body of millions of wrong entries costs nothing. */
export function listOf<O, I>(entry: z.ZodType<O, I>, rules: ListRules): z.ZodType<O[], readonly I[]> {
  const { min, max } = rules;
  const counted = (value: readonly I[], context: z.RefinementCtx): unknown => {
    const problem = listProblem(value, rules);
    if (problem === undefined) return value;
    // Ends the check: later checks of several members need them to be lists.
    context.addIssue({ code: 'custom', message: problem, continue: false });
    return z.NEVER;
  };
  return z.preprocess(counted, z.array(entry).min(min).max(max));
}

function listProblem(value: unknown, { min, max, mustBe: what = 'an array' }: ListRules): string | undefined {
  if (value === undefined || value === null) return 'is required';
  if (!Array.isArray(value)) return `must be ${what}`;
  return value.length < min || value.length > max ? `must have ${min} to ${max} entries` : undefined;
}

/** Counts UTF-16 units. JSON Schema counts code points, so the document accepts a little more. */
export function textBetween({ min, max }: { readonly min: number; readonly max: number }): z.ZodString {
  return min === 0 ? z.string().max(max) : z.string().min(min).max(max);
}

/** An object with any members, in responses. */
export function anyMembers(description: string) {
  return z.record(z.string(), z.unknown()).describe(description);
}

/** An object with any members, in requests; members are passed on unchanged, `__proto__` included. */
export function anyObject(description: string) {
  return z
    .custom<JsonObject>(isJsonObject, { error: 'must be a JSON object', abort: true })
    .meta({ description, type: 'object', additionalProperties: true });
}

/** A name chosen by an operator or a publisher. */
export function identifier(): z.ZodString {
  return z.string().regex(identifierForm);
}

/** A time set by the server. */
export function time(description: string) {
  return z.string().meta({ description: `${description} ISO 8601, UTC, milliseconds.`, format: 'date-time' });
}
