/** Checks a field of a rendered step against the contract (contract/sessions#fields). */

import { compareDecimals, fieldForms, isDate, isDecimal, isFieldType } from './field-forms.ts';
import {
  at,
  checkEachOnce,
  checkFlag,
  checkId,
  checkObject,
  checkText,
  entriesOf,
  ifThere,
  isLeftOut,
  note,
  type Place,
} from './json-reader.ts';
import { patternProblem } from './pattern-problem.ts';

/** Lengths of texts are in UTF-16 code units. */
export const fieldLimits = {
  label: { min: 1, max: 500 },
  help: { min: 0, max: 5_000 },
  pattern: { min: 0, max: 1_000 },
  options: 1_000,
  optionValue: { min: 0, max: 1_000 },
  optionLabel: { min: 1, max: 1_000 },
} as const;

export function checkField(place: Place): void {
  if (!checkObject(place)) return;
  const type = at(place, 'type');
  checkId(at(place, 'fieldId'));
  checkText(at(place, 'label'), fieldLimits.label);
  ifThere(at(place, 'required'), checkFlag);
  ifThere(at(place, 'visibleWhen'), (condition) => {
    if (!checkObject(condition)) return;
    checkId(at(condition, 'fieldId'));
    const { value } = at(condition, 'equals');
    if (typeof value === 'number' || typeof value === 'boolean') return;
    checkText(at(condition, 'equals'), fieldLimits.optionValue);
  });
  ifThere(at(place, 'help'), (help) => checkText(help, fieldLimits.help));
  if (!isFieldType(type.value)) {
    note(type, isLeftOut(type) ? 'is required' : `must be one of ${Object.keys(fieldForms).join(', ')}`);
    return;
  }
  checkOptions(at(place, 'options'), type.value === 'select' || type.value === 'multiselect');
  const form = fieldForms[type.value];
  ifThere(at(place, 'pattern'), (pattern) => {
    if (!checkText(pattern, fieldLimits.pattern)) return;
    const problem = form.isPatterned ? patternProblem(String(pattern.value)) : 'is for text and secret fields only';
    if (problem !== undefined) note(pattern, problem);
  });
  const { [form.bounds]: bound } = boundForms;
  const [min, max] = [at(place, 'min'), at(place, 'max')];
  const fit = [min, max].filter((each) => {
    if (isLeftOut(each)) return false;
    if (bound.fits(each.value)) return true;
    note(each, bound.what);
    return false;
  });
  if (fit.length === 2 && bound.isAbove(min.value, max.value)) note(max, 'must not be below min');
}

function checkOptions(place: Place, isChoice: boolean): void {
  if (isLeftOut(place) && !isChoice) return;
  const options = entriesOf(place, fieldLimits.options);
  if (isChoice && Array.isArray(place.value) && place.value.length === 0) note(place, 'must have at least one entry');
  for (const option of options) {
    if (!checkObject(option)) continue;
    checkText(at(option, 'value'), fieldLimits.optionValue);
    checkText(at(option, 'label'), fieldLimits.optionLabel);
  }
  checkEachOnce(options, 'value');
}

const isGreater = (min: unknown, max: unknown) => Number(min) > Number(max);

const boundForms = {
  none: { fits: () => false, what: 'is not for fields of this type', isAbove: () => false },
  length: {
    fits: (bound: unknown) => Number.isSafeInteger(bound) && Number(bound) >= 0,
    what: 'must be a number of characters',
    isAbove: isGreater,
  },
  number: { fits: (bound: unknown) => Number.isFinite(bound), what: 'must be a number', isAbove: isGreater },
  decimal: {
    fits: (bound: unknown) => (typeof bound === 'string' || typeof bound === 'number') && isDecimal(String(bound)),
    what: 'must be a decimal string, such as "0.5"',
    isAbove: (min: unknown, max: unknown) => compareDecimals(String(min), String(max)) > 0,
  },
  date: {
    fits: isDate,
    what: 'must be a date, YYYY-MM-DD',
    isAbove: (min: unknown, max: unknown) => String(min) > String(max),
  },
} as const;
