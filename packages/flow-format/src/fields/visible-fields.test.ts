/** Conditional fields (contract/sessions#conditional-fields). */

import { describe, expect, test } from 'bun:test';
import { visibleFields as visibleInClient } from '@flowgate/client/flow';
import fc from 'fast-check';
import type { StepSpec } from '../app-responses/step-wire.ts';
import { checkSubmission } from './check-submission.ts';
import type { Field } from './field-wire.ts';
import { conditionProblems, visibleFields } from './visible-fields.ts';

const field = (fieldId: string, more: Partial<Field> = {}): Field => ({
  fieldId,
  type: 'text',
  label: fieldId,
  ...more,
});
const options = ['a', 'b'].map((value) => ({ value, label: value }));
const kind = field('kind', { type: 'select', options, required: true });
const onA = field('onA', { required: true, visibleWhen: { fieldId: 'kind', equals: 'a' } });
const below = field('below', { required: true, visibleWhen: { fieldId: 'onA', equals: 'go' } });
const namesOf = (fields: readonly Field[]) => fields.map(({ fieldId }) => fieldId);
const step: Pick<StepSpec, 'fields' | 'actions'> = {
  fields: [kind, onA, below],
  actions: [
    { actionId: 'next', label: 'Next' },
    { actionId: 'back', label: 'Back', validate: false },
  ],
};

describe('visibility', () => {
  test('a field is visible by its condition, and a hidden field hides its dependents', () => {
    expect(namesOf(visibleFields(step.fields, {}))).toEqual(['kind']);
    expect(namesOf(visibleFields(step.fields, { kind: 'b', onA: 'go' }))).toEqual(['kind']);
    expect(namesOf(visibleFields(step.fields, { kind: 'a' }))).toEqual(['kind', 'onA']);
    expect(namesOf(visibleFields(step.fields, { kind: 'a', onA: 'go' }))).toEqual(['kind', 'onA', 'below']);
  });

  test('an absent boolean counts as false, a list matches by its entries, inherited members do not count', () => {
    const box = field('box', { type: 'boolean' });
    const many = field('many', { type: 'multiselect', options });
    const fields = [
      box,
      many,
      field('off', { visibleWhen: { fieldId: 'box', equals: false } }),
      field('hasB', { visibleWhen: { fieldId: 'many', equals: 'b' } }),
    ];
    expect(namesOf(visibleFields(fields, {}))).toEqual(['box', 'many', 'off']);
    expect(namesOf(visibleFields(fields, { box: true, many: ['a', 'b'] }))).toEqual(['box', 'many', 'hasB']);
    const inherits = [field('constructor'), field('x', { visibleWhen: { fieldId: 'constructor', equals: 'y' } })];
    expect(namesOf(visibleFields(inherits, {}))).toEqual(['constructor']);
  });

  test('the client and the gateway agree on visibility', () => {
    const value = fc.constantFrom('a', 'b', true, false, 1, undefined, ['a', 'b'], null);
    const made = fc
      .array(
        fc.record({
          type: fc.constantFrom<Field['type']>('text', 'boolean', 'select', 'multiselect', 'number'),
          on: fc.option(fc.nat(9), { nil: undefined }),
          equals: fc.constantFrom('a', 'b', true, false, 1),
        }),
        { maxLength: 10 },
      )
      .map((rows) =>
        rows.map(({ type, on, equals }, at) =>
          field(`f${at}`, { type, ...(on !== undefined && { visibleWhen: { fieldId: `f${on}`, equals } }) }),
        ),
      );
    const values = fc.dictionary(fc.constantFrom(...Array.from({ length: 10 }, (_, at) => `f${at}`)), value);
    fc.assert(
      fc.property(made, values, (fields, given) => {
        expect(namesOf(visibleFields(fields, given))).toEqual(namesOf(visibleInClient(fields, given)));
      }),
    );
  });
});

describe('submissions', () => {
  test('a hidden field is not required, and its value does not reach the app', () => {
    expect(checkSubmission(step, 'next', { kind: 'b', onA: 'unseen', below: 'unseen' })).toEqual({
      ok: true,
      value: { kind: 'b' },
    });
    expect(checkSubmission(step, 'next', { kind: 'a' }).ok).toBe(false);
    expect(checkSubmission(step, 'next', { kind: 'a', onA: 'x' }).ok).toBe(true);
  });

  test('without validation, hidden fields are dropped and unknown fields refused, too', () => {
    expect(checkSubmission(step, 'back', { onA: 'unseen' })).toEqual({ ok: true, value: {} });
    expect(checkSubmission(step, 'back', { stranger: 'x' }).ok).toBe(false);
  });
});

test('a condition must name an earlier field of a supported type', () => {
  const secret = field('secret', { type: 'secret' });
  const on = (fieldId: string) => field('x', { visibleWhen: { fieldId, equals: 'a' } });
  expect(conditionProblems([kind, on('kind')])).toEqual([]);
  for (const fields of [[on('kind'), kind], [on('x')], [secret, on('secret')], [on('absent')]])
    expect(conditionProblems(fields)).toHaveLength(1);
});
