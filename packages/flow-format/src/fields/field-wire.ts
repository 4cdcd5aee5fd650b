/** A field of a step as apps render it and callers see it (contract/sessions#fields). `app-responses/step-field` enforces the same limits. */

import { textBetween } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import { fieldBounds } from './field-bounds.ts';
import { fieldIdForm } from './field-id.ts';

export const fieldId = () => z.string().regex(fieldIdForm);

const bound = () => z.union([z.number(), z.string()]).describe('Inclusive.');

export const field = bodySchema(
  'Field',
  'Something that a step asks for.',
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
      label: textBetween(fieldBounds.label).describe('For people.'),
      required: z.boolean().describe('Left out: not required.').exactOptional(),
      value: z
        .unknown()
        .describe('What it holds before the caller changes it; never present on `secret` fields.')
        .exactOptional(),
      options: z
        .array(
          z.object({
            value: textBetween(fieldBounds.optionValue).describe('What is submitted.'),
            label: textBetween(fieldBounds.optionLabel).describe('For people.'),
          }),
        )
        .max(fieldBounds.options)
        .describe('For `select` and `multiselect`.')
        .exactOptional(),
      pattern: textBetween(fieldBounds.pattern).describe('RE2, anchored at both ends.').exactOptional(),
      min: bound().exactOptional(),
      max: bound().exactOptional(),
      help: textBetween(fieldBounds.help).describe('For people.').exactOptional(),
      visibleWhen: z
        .object({
          fieldId: fieldId().describe('An earlier field of the step: boolean, select, multiselect, text or number.'),
          equals: z.union([z.string(), z.number(), z.boolean()]).describe('The value that it must have, or include.'),
        })
        .describe('Shown, checked and submitted only while the other field holds this value.')
        .exactOptional(),
    }),
  { fieldId: 'invoice', type: 'text', label: 'Invoice number', required: true },
);

export type Field = BodyOf<typeof field>;
export type FieldType = Field['type'];
