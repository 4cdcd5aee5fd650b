/** Which fields of a step a caller sees, given the values of other fields (contract/sessions#conditional-fields). */

import { member } from '@flowgate/json/json-object';
import type { Field, FieldType } from './field-wire.ts';

/** Types of fields that conditions may name. Values of other types are no choice, or are secret. */
export const conditionTypes: readonly FieldType[] = ['boolean', 'select', 'multiselect', 'text', 'number'];

/** In the order of the step, in which a condition names an earlier field: a hidden field hides its dependents. Linear in the number of fields. */
export function visibleFields<F extends Pick<Field, 'fieldId' | 'type' | 'visibleWhen'>>(
  fields: readonly F[],
  values: Readonly<Record<string, unknown>>,
): readonly F[] {
  const seen = new Map<string, F>();
  for (const field of fields) if (isVisible(field, seen, values)) seen.set(field.fieldId, field);
  return [...seen.values()];
}

function isVisible(
  { visibleWhen }: Pick<Field, 'visibleWhen'>,
  seen: ReadonlyMap<string, Pick<Field, 'type'>>,
  values: Readonly<Record<string, unknown>>,
): boolean {
  if (visibleWhen === undefined) return true;
  const { fieldId, equals } = visibleWhen;
  const condition = seen.get(fieldId);
  if (condition === undefined) return false;
  // An absent boolean is false.
  const value = member(values, fieldId) ?? (condition.type === 'boolean' ? false : undefined);
  return Array.isArray(value) ? value.includes(equals) : value === equals;
}

/** The problems of the conditions in a step, by the index of the field. */
export function conditionProblems(
  fields: readonly Pick<Field, 'fieldId' | 'type' | 'visibleWhen'>[],
): readonly { readonly place: number; readonly problem: string }[] {
  const earlier = new Map<string, FieldType>();
  return fields.flatMap(({ fieldId, type, visibleWhen }, place) => {
    const condition = visibleWhen === undefined ? undefined : earlier.get(visibleWhen.fieldId);
    earlier.set(fieldId, type);
    if (visibleWhen === undefined || (condition !== undefined && conditionTypes.includes(condition))) return [];
    return [{ place, problem: `must name an earlier field of the types ${conditionTypes.join(', ')}` }];
  });
}
