/** A field of a step as apps send it and callers receive it (contract/sessions#fields). `app-responses/step-field` enforces the same limits. */

import { textBetween } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import { fieldBounds } from './field-bounds.ts';
import { fieldIdForm } from './field-id.ts';

export const fieldId = () => z.string().regex(fieldIdForm);

const bound = () => z.union([z.number(), z.string()]).describe('Inclusive.');

export const field = bodySchema(
  'Field',
  'A field of a step.',
  () =>
    z.object({
      fieldId: fieldId().describe('The name in `fieldValues`.'),
      type: z.enum([
        'text',
        'number',
        'boolean',
        'date',
        'select',
        'multiselect',
        'address',
        'amount',
        'signature',
        'signedTransaction',
        'txHash',
        'json',
        'secret',
      ]),
      label: textBetween(fieldBounds.label).describe('The label to show to the user.'),
      required: z.boolean().describe('Whether a value is required. Default: false.').exactOptional(),
      value: z.unknown().describe('The initial value. Never present on `secret` fields.').exactOptional(),
      options: z
        .array(
          z.object({
            value: textBetween(fieldBounds.optionValue).describe('The value that is submitted.'),
            label: textBetween(fieldBounds.optionLabel).describe('The label to show to the user.'),
          }),
        )
        .max(fieldBounds.options)
        .describe('For `select` and `multiselect`.')
        .exactOptional(),
      pattern: textBetween(fieldBounds.pattern).describe('RE2, anchored at both ends.').exactOptional(),
      min: bound().exactOptional(),
      max: bound().exactOptional(),
      help: textBetween(fieldBounds.help).describe('A hint to show to the user.').exactOptional(),
      visibleWhen: z
        .object({
          fieldId: fieldId().describe('An earlier field of the step: boolean, select, multiselect, text or number.'),
          equals: z
            .union([z.string(), z.number(), z.boolean()])
            .describe('The value that the other field must have or, if it has several, include.'),
        })
        .describe('A condition: the field is shown, validated and submitted only while the other field has this value.')
        .exactOptional(),
    }),
  { fieldId: 'invoice', type: 'text', label: 'Invoice number', required: true },
);

export type Field = BodyOf<typeof field>;
export type FieldType = Field['type'];
