import { expect, test } from 'bun:test';
import type { StepSpec } from '@flowgate/client/flow-wire';
import { findSecretEcho, hasTooManyTexts, mostSecretTexts, secretsOf } from './secret-echo.ts';

const step: StepSpec = {
  stepId: 'login',
  title: 'Log in',
  fields: [
    { fieldId: 'user', type: 'text', label: 'User' },
    { fieldId: 'password', type: 'secret', label: 'Password' },
  ],
  actions: [{ actionId: 'go', label: 'Go' }],
};

test('secrets are what was submitted in secret fields, and what the step shows already is none', () => {
  expect(secretsOf(step, { user: 'ada', password: 'hunter22' })).toEqual(['hunter22']);
  expect(secretsOf(step, { user: 'ada', password: { pin: 1234, word: 'abc' } })).toContain('abc');
  expect(secretsOf(step, { user: 'ada', password: 1234 })).toEqual(['1234']);
  expect(secretsOf(step, { user: 'ada', password: 'Password' })).toEqual([]);
  expect(secretsOf(step, { user: 'ada', password: '' })).toEqual([]);
  expect(secretsOf(step, { user: 'ada' })).toEqual([]);
});

test('from six characters on a secret is found inside of longer texts, a shorter one alone (decisions 8)', () => {
  const titled = (title: string) => findSecretEcho({ step: { ...step, title } }, ['hunter', 'abc']);
  expect(titled('your hunter!')).toBe('/step/title');
  expect(titled('abc')).toBe('/step/title');
  expect(titled('abcd')).toBeUndefined();
});

test('it is found in errors, events, options, numbers and names of members, and the pointer gives none away', () => {
  const secrets = ['s3cr3ts', '1234'];
  expect(findSecretEcho({ errors: [{ message: 'no' }, { message: 's3cr3ts is wrong' }] }, secrets)).toBe(
    '/errors/1/message',
  );
  expect(findSecretEcho({ events: [{ type: 'x', data: { pin: 1234 } }] }, secrets)).toBe('/events/0/data/pin');
  expect(findSecretEcho({ step: { options: { 'a/b~c': { s3cr3ts: { s3cr3ts: 's3cr3ts' } } } } }, secrets)).toBe(
    '/step/options/a~1b~0c',
  );
  expect(findSecretEcho({ step: { title: 'fine' } }, secrets)).toBeUndefined();
});

test('an answer that is nested without end is read to its end', () => {
  let deep: unknown = 's3cr3ts';
  for (let depth = 0; depth < 5_000; depth++) deep = [deep];
  expect(findSecretEcho({ step: { options: deep } }, ['s3cr3ts'])).toStartWith('/step/options/0/0');
});

test('a secret that is longer than 64 characters is found by its first 64', () => {
  const secret = `${'s3cr3t'.repeat(20)}end`;
  expect(findSecretEcho({ step: { title: `<${secret.slice(0, 64)}>` } }, [secret])).toBe('/step/title');
  expect(findSecretEcho({ step: { title: secret.slice(0, 63) } }, [secret])).toBeUndefined();
});

test('a secret and a text made for each other cost no more than their lengths', () => {
  const secrets = Array.from({ length: 100 }, (_, at) => `${'a'.repeat(32)}b${at}${'a'.repeat(16_384)}`);
  const text = `${'a'.repeat(1_000_000)}b`;
  expect(findSecretEcho({ step: { options: { text } } }, secrets)).toBeUndefined();
  // Compared from each place on to its end, this one took half a minute.
  const slow = `${'a'.repeat(16_384)}b${'a'.repeat(16_384)}`;
  expect(findSecretEcho({ step: { options: { text } } }, [slow])).toBe('/step/options/text');
});

test('a value of more than a thousand texts is more than is looked for', () => {
  expect(hasTooManyTexts(Array.from({ length: mostSecretTexts }, (_, at) => at))).toBe(false);
  expect(hasTooManyTexts(Array.from({ length: mostSecretTexts + 1 }, (_, at) => `x${at}`))).toBe(true);
  expect(hasTooManyTexts('hunter22')).toBe(false);
  expect(hasTooManyTexts(undefined)).toBe(false);
});
