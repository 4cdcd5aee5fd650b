/** Which fields of a step are visible, given the values of the others (contract/sessions#conditional-fields); the gateway applies the same rule. */

import type { Field } from './wire.ts';

/** `values`: the values to submit. A condition names an earlier field; a hidden field also hides those that depend on it. */
export function visibleFields<F extends Pick<Field, 'fieldId' | 'type' | 'visibleWhen'>>(
  fields: readonly F[],
  values: Readonly<Record<string, unknown>>,
): readonly F[] {
  const seen = new Map<string, F>();
  for (const field of fields) {
    const { fieldId, visibleWhen } = field;
    const condition = visibleWhen && seen.get(visibleWhen.fieldId);
    if (visibleWhen !== undefined && condition === undefined) continue;
    if (visibleWhen === undefined || holds(visibleWhen, condition?.type, values)) seen.set(fieldId, field);
  }
  return [...seen.values()];
}

function holds(
  { fieldId, equals }: NonNullable<Field['visibleWhen']>,
  type: Field['type'] | undefined,
  values: Readonly<Record<string, unknown>>,
): boolean {
  const given = Object.hasOwn(values, fieldId) ? values[fieldId] : undefined;
  // An unchecked box may be omitted.
  const value = given ?? (type === 'boolean' ? false : undefined);
  return Array.isArray(value) ? value.includes(equals) : value === equals;
}
