/** Reads the configuration keys from the schema: path, value, default, description. */

import { z } from 'zod';

export type ConfigKey = {
  readonly path: string;
  readonly value: string;
  readonly default: string;
  readonly description: string;
};

/** One entry for each key with a value and for each list of objects. */
export function configKeys(schema: unknown, path = ''): readonly ConfigKey[] {
  const { inner, fallback, meaning } = unwrap(schema);
  if (inner instanceof z.ZodObject)
    return Object.entries(inner.shape).flatMap(([key, of]) => configKeys(of, path === '' ? key : `${path}.${key}`));
  const key = { path, value: valueForm(inner, unitOf(path)), default: fallback, description: meaning ?? '' };
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

/** Units at the end of setting names. */
const units: readonly (readonly [RegExp, string])[] = [
  [/Seconds$/, ' seconds'],
  [/Ms$/, ' milliseconds'],
  [/Minutes$/, ' minutes'],
  [/Days$/, ' days'],
  [/BytesPerSecond$/, ' bytes per second'],
  [/Bytes(InFlight)?$/, ' bytes'],
  [/PerMinute$/, ' per minute'],
];

function unitOf(path: string): string {
  return units.find(([end]) => end.test(path))?.[1] ?? '';
}

function valueForm(schema: unknown, unit: string): string {
  if (schema instanceof z.ZodNumber)
    return `${schema.format === 'safeint' ? 'integer' : 'number'}, ${schema.minValue} to ${schema.maxValue}${unit}`;
  if (schema instanceof z.ZodBoolean) return '`true` or `false`';
  if (schema instanceof z.ZodEnum) return schema.options.map((option) => `\`${option}\``).join(', ');
  if (schema instanceof z.ZodRecord) return 'names with strings';
  if (schema instanceof z.ZodArray) return listOf(schema);
  if (schema instanceof z.ZodString) return stringForm(schema);
  if (schema instanceof z.ZodUnion)
    return schema.options.map((option) => valueForm(unwrap(option).inner, unit)).join('; or ');
  throw new Error('a kind of schema that the page has no words for');
}

function listOf(schema: z.ZodArray): string {
  const { inner } = unwrap(schema.element);
  const atLeast = schema.safeParse([]).success ? '' : ', at least one';
  const { maximum } = schema._zod.bag;
  const atMost = maximum === undefined ? '' : `, at most ${maximum}`;
  return `list of ${inner instanceof z.ZodObject ? 'objects' : `values: ${valueForm(inner, '')}`}${atLeast}${atMost}`;
}

/** Takes the valid strings from the error message for an invalid one. */
function stringForm(schema: z.ZodString): string {
  const problem = schema.safeParse('\u0000').error?.issues[0]?.message ?? '';
  return problem.startsWith('must be ') ? problem.slice('must be '.length).replace(/^(sqlite:.*)$/, '`$1`') : 'string';
}
