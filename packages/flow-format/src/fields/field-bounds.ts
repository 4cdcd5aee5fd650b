/** The limits of a rendered field, used to read it (`app-responses/step-field`) and to describe it (`field-wire`). */

import { maxPatternLength } from './field-pattern.ts';

/** Lengths of texts are in UTF-16 code units. Sizes of lists are numbers of entries. */
export const fieldBounds = {
  label: { min: 1, max: 500 },
  help: { min: 0, max: 5_000 },
  pattern: { min: 0, max: maxPatternLength },
  options: 1_000,
  optionValue: { min: 0, max: 1_000 },
  optionLabel: { min: 1, max: 1_000 },
} as const;
