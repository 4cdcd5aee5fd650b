import { expect, test } from 'bun:test';
import type { PolicyRecord } from './policy.ts';
import { ResourceRules } from './resource-rules.ts';
import { RuleMatcher } from './rule-matcher.ts';

const many = Array.from({ length: 100 }, (_, nth) => nth);

/** As many policies as one user may have, of the largest kind: every policy has every subject. */
function largest(read: () => void): readonly PolicyRecord[] {
  return many.map((nth) => ({
    policyId: `pol_${String(nth).padStart(3, '0')}`,
    ownerId: 'alice',
    effect: 'deny',
    subjects: many.map((each) => `user:user-${each}`),
    resource: { kind: 'network', id: '*' },
    get methods() {
      read();
      return many.map((each) => `*a${nth}*b${each}*`);
    },
    createdAtMs: 0,
    updatedAtMs: 0,
  }));
}

test('memory does not grow with patterns times subjects: patterns are built once, for subjects in use (docs/decisions/0078)', () => {
  let reads = 0;
  const rules = new ResourceRules(() => true);
  for (const policy of largest(() => reads++)) rules.set(policy);
  const ask = (userId: string, method: string) => rules.first('deny', { userId, roles: [] }, { method })?.policyId;
  reads = 0;
  expect(ask('stranger', 'eth_a7b9')).toBeUndefined();
  expect(reads).toBe(0);
  for (const user of many) expect(ask(`user-${user}`, 'eth_A7xB9')).toBe('pol_007');
  // Once for the globs of a policy, and once for each subject, to check that it has any.
  expect(reads).toBeLessThanOrEqual(100 + 100 * 100);
  expect(ask('user-3', 'eth_call')).toBeUndefined();
});

test('a policy applies from when it is added, also to methods with a cached answer', () => {
  const rules = new RuleMatcher();
  const policy = (policyId: string, glob: string): PolicyRecord => ({
    ...{ policyId, ownerId: 'alice', effect: 'deny', subjects: ['*'], resource: { kind: 'network', id: '*' } },
    ...{ methods: [glob], createdAtMs: 0, updatedAtMs: 0 },
  });
  const denies = (method: string) => rules.first({ method }, 'deny')?.policyId;
  rules.add(policy('pol_1', 'debug_*'));
  expect([denies('eth_call'), denies('debug_trace')]).toEqual([undefined, 'pol_1']);
  rules.add(policy('pol_2', 'eth_c*'));
  expect([denies('eth_call'), denies('debug_trace')]).toEqual(['pol_2', 'pol_1']);
});
