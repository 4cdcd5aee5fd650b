/** The configuration's keys from its schema: path, form, default, description. */

import { z } from 'zod';

export type ConfigKey = {
  readonly path: string;
  readonly form: string;
  readonly default: string;
  readonly meaning: string;
};

/** One entry for each key with a value, and one for each list of objects. */
export function configKeys(schema: unknown, path = ''): readonly ConfigKey[] {
  const { inner, fallback, meaning } = unwrap(schema);
  if (inner instanceof z.ZodObject)
    return Object.entries(inner.shape).flatMap(([key, of]) => configKeys(of, path === '' ? key : `${path}.${key}`));
  const key = { path, form: formOf(inner), default: fallback, meaning: meaning ?? '' };
  const element = inner instanceof z.ZodArray ? unwrap(inner.element).inner : undefined;
  return element instanceof z.ZodObject ? [key, ...configKeys(element, `${path}[]`)] : [key];
}

type Unwrapped = { readonly inner: unknown; readonly fallback: string; readonly meaning: string | undefined };

function unwrap(schema: unknown, fallback = 'required', meaning?: string): Unwrapped {
  const said = schema instanceof z.ZodType ? (schema.description ?? meaning) : meaning;
  if (schema instanceof z.ZodDefault) return unwrap(schema.unwrap(), shown(schema.def.defaultValue), said);
  if (schema instanceof z.ZodPrefault) return unwrap(schema.unwrap(), fallback, said);
  if (schema instanceof z.ZodOptional) return unwrap(schema.unwrap(), 'none', said);
  if (schema instanceof z.ZodPipe) return unwrap(schema.def.out, fallback, said);
  return { inner: schema, fallback, meaning: said };
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? 'see below' : `\`${text}\``;
}

function formOf(schema: unknown): string {
  if (schema instanceof z.ZodNumber)
    return `${schema.format === 'safeint' ? 'whole number' : 'number'}, ${schema.minValue} to ${schema.maxValue}`;
  if (schema instanceof z.ZodBoolean) return 'true or false';
  if (schema instanceof z.ZodEnum) return `one of ${schema.options.map((option) => `\`${option}\``).join(', ')}`;
  if (schema instanceof z.ZodRecord) return 'names and texts';
  if (schema instanceof z.ZodArray) {
    const { inner } = unwrap(schema.element);
    const atLeast = schema.safeParse([]).success ? '' : ', at least one';
    return `list of ${inner instanceof z.ZodObject ? 'entries' : formOf(inner)}${atLeast}`;
  }
  if (schema instanceof z.ZodString) return textForm(schema);
  if (schema instanceof z.ZodUnion) return schema.options.map((option) => formOf(unwrap(option).inner)).join('; or ');
  throw new Error('a kind of schema that the page has no words for');
}

/** An invalid text, whose error message says what valid texts look like. */
function textForm(schema: z.ZodString): string {
  const problem = schema.safeParse('\u0000').error?.issues[0]?.message ?? '';
  return problem.startsWith('must be ') ? problem.slice('must be '.length).replace(/^(sqlite:.*)$/, '`$1`') : 'text';
}
