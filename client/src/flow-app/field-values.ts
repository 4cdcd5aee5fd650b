/** Checks submitted values against a step's fields (contract/sessions#fields). */

import { visibleFields } from '../visible-fields.ts';
import type { Field } from '../wire.ts';
import { compareDecimals, fieldForms } from './field-forms.ts';

export type ValueProblem = { readonly fieldId: string; readonly message: string };

/** At most one problem for each field; `null` counts as omitted. The gateway checks patterns. */
export function valueProblems(
  fields: readonly Field[],
  values: Readonly<Record<string, unknown>>,
): readonly ValueProblem[] {
  return visibleFields(fields, values).flatMap((field) => {
    const value = Object.hasOwn(values, field.fieldId) ? (values[field.fieldId] ?? undefined) : undefined;
    const message = valueProblem(field, value);
    return message === undefined ? [] : { fieldId: field.fieldId, message };
  });
}

function valueProblem(field: Field, value: unknown): string | undefined {
  const isEmpty = field.type !== 'json' && (value === '' || (Array.isArray(value) && value.length === 0));
  if (value === undefined || (field.required === true && isEmpty))
    return field.required === true ? 'is required' : undefined;
  return fieldForms[field.type].problem(value) ?? choiceProblem(field, value) ?? boundProblem(field, value);
}

/** The gateway checks options that are known only when the step is shown. */
function choiceProblem({ type, options }: Field, value: unknown): string | undefined {
  if (options === undefined || (type !== 'select' && type !== 'multiselect')) return undefined;
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [value];
  const declared = new Set<unknown>(options.map((option) => option.value));
  if (!chosen.every((each) => declared.has(each)))
    return type === 'select' ? 'must be one of its options' : 'must be an array of its options';
  return new Set(chosen).size === chosen.length ? undefined : 'must hold each option at most once';
}

function boundProblem({ type, min, max }: Field, value: unknown): string | undefined {
  const { bounds } = fieldForms[type];
  if (bounds === 'none') return undefined;
  const compare = comparisons[bounds];
  const upper = max ?? (bounds === 'length' ? maxTextLength : undefined);
  const isShort = min !== undefined && compare(value, min) < 0;
  if (!isShort && !(upper !== undefined && compare(value, upper) > 0)) return undefined;
  const bound = isShort ? `at least ${min}` : `at most ${upper}`;
  return bounds === 'length' ? `must have ${bound} characters` : `must be ${bound}`;
}

const maxTextLength = 65_536;

const comparisons = {
  length: (value: unknown, bound: number | string) => [...String(value)].length - Number(bound),
  number: (value: unknown, bound: number | string) => Number(value) - Number(bound),
  decimal: (value: unknown, bound: number | string) => compareDecimals(String(value), String(bound)),
  date: (value: unknown, bound: number | string) =>
    String(value) < String(bound) ? -1 : Number(String(value) > String(bound)),
} as const;
