import { expect, test } from 'bun:test';
import { scanFor } from '@flowgate/testing/secret-scan';
import type { StepSpec } from '../app-responses/step-wire.ts';
import { countSecretTexts, findSecretEcho, maxSecretTexts, secretsOf } from './secret-echo.ts';

const step: StepSpec = {
  stepId: 'login',
  title: 'Log in',
  fields: [
    { fieldId: 'user', type: 'text', label: 'User' },
    { fieldId: 'password', type: 'secret', label: 'Password' },
  ],
  actions: [{ actionId: 'go', label: 'Go' }],
};

test('secrets are the values of secret fields, without those that the step shows already', () => {
  expect(secretsOf(step, { user: 'ada', password: 'hunter22' })).toEqual(['hunter22']);
  expect(secretsOf(step, { user: 'ada', password: { pin: 1234, words: ['abc', true, null] } }).toSorted()).toEqual([
    '1234',
    'abc',
  ]);
  expect(secretsOf(step, { user: 'ada', password: 'Password' })).toEqual([]);
  expect(secretsOf(step, { user: 'ada', password: ' ' })).toEqual([]);
  expect(secretsOf(step, { user: 'ada' })).toEqual([]);
});

test('a secret of six or more characters is found inside longer texts, a shorter one only as a whole text (contract/flow-apps#secrets)', () => {
  const titled = (title: string) => findSecretEcho({ step: { ...step, title } }, scanFor(['hunter', 'abc']));
  expect(titled('your Hunter!')).toBe('/step/title');
  expect(titled('ABC')).toBe('/step/title');
  expect(titled('abcd')).toBeUndefined();
});

test('a secret is found in errors, events, options, numbers and member names, and the pointer does not reveal it', () => {
  const secrets = scanFor(['s3cr3ts', '1234']);
  expect(findSecretEcho({ errors: [{ message: 'no' }, { message: 's3cr3ts is wrong' }] }, secrets)).toBe(
    '/errors/1/message',
  );
  expect(findSecretEcho({ events: [{ type: 'x', data: { pin: 1234 } }] }, secrets)).toBe('/events/0/data/pin');
  expect(findSecretEcho({ step: { options: { 'a/b~c': { s3cr3ts: { s3cr3ts: 's3cr3ts' } } } } }, secrets)).toBe(
    '/step/options/a~1b~0c',
  );
  expect(findSecretEcho({ step: { title: 'fine' } }, secrets)).toBeUndefined();
});

test('a response nested very deep is searched completely', () => {
  let deep: unknown = 's3cr3ts';
  for (let depth = 0; depth < 5_000; depth++) deep = [deep];
  expect(findSecretEcho({ step: { options: deep } }, scanFor(['s3cr3ts']))).toStartWith('/step/options/0/0');
});

test('a secret that is longer than 64 characters is found by its first 64', () => {
  const secret = `${'s3cr3t'.repeat(20)}end`;
  expect(findSecretEcho({ step: { title: `<${secret.slice(0, 64)}>` } }, scanFor([secret]))).toBe('/step/title');
  expect(findSecretEcho({ step: { title: secret.slice(0, 63) } }, scanFor([secret]))).toBeUndefined();
});

test('counting of texts stops above the limit of the search', () => {
  expect(countSecretTexts(Array.from({ length: maxSecretTexts }, (_, at) => at))).toBe(maxSecretTexts);
  expect(countSecretTexts(Array.from({ length: 5_000 }, (_, at) => `x${at}`))).toBe(maxSecretTexts + 1);
  expect(countSecretTexts({ name: 'hunter22' })).toBe(1);
  expect(countSecretTexts(undefined)).toBe(0);
});
