/** The bounds of a rendered field, for those who read it (`app-responses/step-field`) and for its description (`field-wire`). */

import { maxPatternLength } from './field-pattern.ts';

/** Of texts: characters (UTF-16 units); of lists: entries. */
export const fieldBounds = {
  label: { min: 1, max: 500 },
  help: { min: 0, max: 5_000 },
  pattern: { min: 0, max: maxPatternLength },
  options: 1_000,
  optionValue: { min: 0, max: 1_000 },
  optionLabel: { min: 1, max: 1_000 },
} as const;
