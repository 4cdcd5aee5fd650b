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

describe('what is visible', () => {
  test('a field follows its condition, and hides those that depend on it', () => {
    expect(namesOf(visibleFields(step.fields, {}))).toEqual(['kind']);
    expect(namesOf(visibleFields(step.fields, { kind: 'b', onA: 'go' }))).toEqual(['kind']);
    expect(namesOf(visibleFields(step.fields, { kind: 'a' }))).toEqual(['kind', 'onA']);
    expect(namesOf(visibleFields(step.fields, { kind: 'a', onA: 'go' }))).toEqual(['kind', 'onA', 'below']);
  });

  test('a box that is left out is false; a list has its values; inherited members are none', () => {
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

  test('the client decides as the gateway does', () => {
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

describe('what is submitted', () => {
  test('a hidden field is not required, and what is sent for it does not reach the app', () => {
    expect(checkSubmission(step, 'next', { kind: 'b', onA: 'unseen', below: 'unseen' })).toEqual({
      ok: true,
      value: { kind: 'b' },
    });
    expect(checkSubmission(step, 'next', { kind: 'a' }).ok).toBe(false);
    expect(checkSubmission(step, 'next', { kind: 'a', onA: 'x' }).ok).toBe(true);
  });

  test('a hidden field is left out without validation, too; an unknown one is still refused', () => {
    expect(checkSubmission(step, 'back', { onA: 'unseen' })).toEqual({ ok: true, value: {} });
    expect(checkSubmission(step, 'back', { stranger: 'x' }).ok).toBe(false);
  });
});

test('a condition names an earlier field of a type that can be one', () => {
  const secret = field('secret', { type: 'secret' });
  const on = (fieldId: string) => field('x', { visibleWhen: { fieldId, equals: 'a' } });
  expect(conditionProblems([kind, on('kind')])).toEqual([]);
  for (const fields of [[on('kind'), kind], [on('x')], [secret, on('secret')], [on('absent')]])
    expect(conditionProblems(fields)).toHaveLength(1);
});
