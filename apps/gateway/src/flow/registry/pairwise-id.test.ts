import { expect, test } from 'bun:test';
import { pairwiseId } from './pairwise-id.ts';

test('an app gets one stable id for a user, which differs from that of other apps and does not contain the user’s own (contract/flow-apps#users)', () => {
  const [one, two] = [{ subjectSalt: 'c2FsdC0x' }, { subjectSalt: 'c2FsdC0y' }];
  expect(pairwiseId(one, 'alice')).toMatch(/^usr_[A-Za-z0-9_-]{43}$/);
  expect(pairwiseId(one, 'alice')).toBe(pairwiseId({ ...one }, 'alice'));
  expect(new Set([one, two].flatMap((app) => ['alice', 'bob'].map((user) => pairwiseId(app, user)))).size).toBe(4);
});
