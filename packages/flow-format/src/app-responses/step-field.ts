/** Checks a field of a rendered step (contract/sessions#fields). */

import { isCalendarDate } from '../fields/calendar-date.ts';
import { compareDecimals, isDecimal } from '../fields/decimal.ts';
import { fieldBounds } from '../fields/field-bounds.ts';
import { compilePattern } from '../fields/field-pattern.ts';
import { fieldTypes, isFieldType } from '../fields/field-type.ts';
import type { Field, FieldType } from '../fields/field-wire.ts';
import {
  at,
  isAbsent,
  note,
  noteRepeated,
  optional,
  type Place,
  readFlag,
  readId,
  readList,
  readObject,
  readText,
} from './response-reader.ts';

/** Copies known members only; further members are dropped. */
export function readField(place: Place): Field {
  readObject(place);
  const type = readType(at(place, 'type'));
  const fieldId = readId(at(place, 'fieldId'));
  const label = readText(at(place, 'label'), fieldBounds.label);
  const required = optional(at(place, 'required'), readFlag);
  const help = optional(at(place, 'help'), (help) => readText(help, fieldBounds.help));
  const options = readOptions(at(place, 'options'), type);
  const pattern = optional(at(place, 'pattern'), (pattern) => readPattern(pattern, type));
  const visibleWhen = optional(at(place, 'visibleWhen'), readCondition);
  const [min, max] = [readBound(at(place, 'min'), type), readBound(at(place, 'max'), type)];
  if (min !== undefined && max !== undefined && isAbove(min, max, type))
    note(at(place, 'max'), 'must not be below min');
  // The value of a secret field must not be shown to any caller.
  const value = type === 'secret' ? undefined : at(place, 'value').value;
  return {
    fieldId,
    type,
    label,
    ...(required === undefined ? {} : { required }),
    ...(value === undefined ? {} : { value }),
    ...(options === undefined ? {} : { options }),
    ...(pattern === undefined ? {} : { pattern }),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(help === undefined ? {} : { help }),
    ...(visibleWhen === undefined ? {} : { visibleWhen }),
  };
}

/** The whole step's check verifies that the other field exists. */
function readCondition(place: Place): NonNullable<Field['visibleWhen']> {
  readObject(place);
  const { value } = at(place, 'equals');
  const isScalar = typeof value === 'boolean' || typeof value === 'number';
  const equals = isScalar ? value : readText(at(place, 'equals'), { min: 0, max: fieldBounds.optionValue.max });
  return { fieldId: readId(at(place, 'fieldId')), equals };
}

function readType(place: Place): FieldType {
  const type = readText(place, { min: 1, max: 64 });
  if (isFieldType(type)) return type;
  if (type !== '') note(place, `must be one of ${Object.keys(fieldTypes).join(', ')}`);
  return 'json';
}

function readOptions(place: Place, type: FieldType): Field['options'] {
  const isChoice = type === 'select' || type === 'multiselect';
  if (isAbsent(place) && !isChoice) return undefined;
  const options = readList(place, fieldBounds.options, (option) => {
    readObject(option);
    return {
      value: readText(at(option, 'value'), fieldBounds.optionValue),
      label: readText(at(option, 'label'), fieldBounds.optionLabel),
    };
  });
  if (isChoice && options.length === 0) note(place, 'must have at least one entry');
  noteRepeated(
    place,
    options.map(({ value }) => value),
    'value',
  );
  return options;
}

function readPattern(place: Place, type: FieldType): string {
  const pattern = readText(place, fieldBounds.pattern);
  if (!fieldTypes[type].isPatterned) note(place, 'is for text and secret fields only');
  else if (compilePattern(pattern) === undefined) note(place, 'must be an RE2 pattern, and not too large a one');
  return pattern;
}

type Bound = NonNullable<Field['min']>;

const boundForms: Readonly<Record<string, { readonly fits: (bound: unknown) => boolean; readonly what: string }>> = {
  length: {
    fits: (bound) => Number.isSafeInteger(bound) && Number(bound) >= 0,
    what: 'must be a number of characters',
  },
  number: { fits: Number.isFinite, what: 'must be a number' },
  // A JSON number that prints as a plain decimal is exact.
  decimal: {
    fits: (bound) => (typeof bound === 'string' || typeof bound === 'number') && isDecimal(String(bound)),
    what: 'must be a decimal string, such as "0.5"',
  },
  date: { fits: (bound) => typeof bound === 'string' && isCalendarDate(bound), what: 'must be a date, YYYY-MM-DD' },
};

function readBound(place: Place, type: FieldType): Bound | undefined {
  const { value } = place;
  if (value === undefined) return undefined;
  const form = boundForms[fieldTypes[type].bounds];
  if (form === undefined) note(place, 'is not for fields of this type');
  else if (!form.fits(value)) note(place, form.what);
  else if (typeof value === 'string' || typeof value === 'number') return value;
  return undefined;
}

function isAbove(min: Bound, max: Bound, type: FieldType): boolean {
  return fieldTypes[type].bounds === 'decimal' ? compareDecimals(String(min), String(max)) > 0 : min > max;
}
