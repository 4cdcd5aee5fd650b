import { expect, test } from 'bun:test';
import { latestVersion } from './semantic-version.ts';

const latestOf = (...versions: readonly string[]) => latestVersion(versions.map((version) => ({ version })))?.version;

test('the latest version has the highest precedence, regardless of the order (contract/flow-apps#versions)', () => {
  expect(latestOf('1.9.0', '1.10.0', '1.2.0')).toBe('1.10.0');
  expect(latestOf('2.0.0', '10.0.0', '9.9.9')).toBe('10.0.0');
  expect(latestOf('1.0.0+b2')).toBe('1.0.0+b2');
  expect(latestOf()).toBeUndefined();
});

test('a prerelease is the latest only if there is no other version (contract/flow-apps#versions)', () => {
  expect(latestOf('1.0.0', '2.0.0-rc.1')).toBe('1.0.0');
  expect(latestOf('2.0.0-rc.2', '2.0.0-rc.10', '2.0.0-alpha')).toBe('2.0.0-rc.10');
});
