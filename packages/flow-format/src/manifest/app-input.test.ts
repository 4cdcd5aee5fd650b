import { expect, test } from 'bun:test';
import { parseAppInput } from './app-input.ts';

const valid = { appId: 'acme/pay', name: 'Pay' };
const detailOf = (body: unknown) => {
  const parsed = parseAppInput(body);
  return parsed.ok ? 'accepted' : parsed.detail;
};
const accepts = (more: object) => parseAppInput({ ...valid, ...more }).ok;

test('appId and name suffice; visibility defaults to private, unknown members are ignored, null means absent (contract/conventions#members, contract/flow-apps#registry)', () => {
  const expected = { ...valid, visibility: 'private' as const };
  expect(parseAppInput(valid)).toEqual({ ok: true, value: expected });
  expect(parseAppInput({ ...valid, visibility: null, description: null, ownerId: 'mallory' })).toEqual({
    ok: true,
    value: expected,
  });
  expect(parseAppInput({ ...valid, visibility: 'public', description: 'Ünïcödé 🔑' })).toEqual({
    ok: true,
    value: { ...valid, visibility: 'public', description: 'Ünïcödé 🔑' },
  });
});

test('an appId is publisher/slug, each 1 to 64 lower-case letters, digits, dots and dashes (contract/flow-apps#registry)', () => {
  const longest = 'a'.repeat(64);
  for (const appId of ['a/b', '0/1', 'acme.io/pay-2', `${longest}/${longest}`])
    expect([appId, accepts({ appId })]).toEqual([appId, true]);
  for (const appId of [
    'acme',
    'acme/',
    '/pay',
    'acme/pay/x',
    'Acme/pay',
    'acme/päy',
    'acme/pay ',
    ' acme/pay',
    'acme/pay\n',
    '../pay',
    'acme/.',
    'acme/-pay',
    'acme/pay_2',
    'acme%2Fpay',
    `a${longest}/pay`,
    '',
  ])
    expect([appId, accepts({ appId })]).toEqual([appId, false]);
});

test('each problem names its member (contract/conventions)', () => {
  expect(detailOf([])).toBe('the body must be a JSON object');
  expect(detailOf(null)).toBe('the body must be a JSON object');
  expect(detailOf({ name: 'Pay' })).toBe('appId is required');
  expect(detailOf({ ...valid, appId: 7 })).toBe('appId must be a string');
  expect(detailOf({ ...valid, appId: 'x' })).toStartWith('appId must be publisher/slug');
  expect(detailOf({ ...valid, name: undefined })).toBe('name is required');
  expect(detailOf({ ...valid, name: null })).toBe('name is required');
  expect(detailOf({ ...valid, name: 'x'.repeat(101) })).toBe('name must have 1 to 100 characters');
  expect(detailOf({ ...valid, name: '' })).toBe('name must have 1 to 100 characters');
  expect(detailOf({ ...valid, name: 'a\u0007b' })).toBe('name must not contain control characters');
  expect(detailOf({ ...valid, name: 'a\ud800b' })).toBe('name must be well-formed Unicode');
  expect(detailOf({ ...valid, description: 5 })).toBe('description must be a string');
  expect(detailOf({ ...valid, description: 'x'.repeat(2_001) })).toBe('description must have 1 to 2000 characters');
  expect(detailOf({ ...valid, visibility: 'secret' })).toBe('visibility must be "public" or "private"');
  expect(detailOf({ ...valid, visibility: true })).toBe('visibility must be "public" or "private"');
});

test('characters are Unicode code points', () => {
  expect(accepts({ name: '🔑'.repeat(100) })).toBe(true);
  expect(accepts({ name: '🔑'.repeat(101) })).toBe(false);
});
