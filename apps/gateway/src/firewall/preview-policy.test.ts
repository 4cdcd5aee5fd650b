/** A preview decides like the policies together, and delays no other caller (contract/firewall#preview). */

import { expect, test } from 'bun:test';
import { createTimeSlices, type TimeSlices } from '@flowgate/async/time-slices';
import { systemClock } from '@flowgate/base/clock';
import fc from 'fast-check';
import { decide } from './decide.ts';
import type { PolicyRecord, PolicyTerms } from './policy.ts';
import { PolicyIndex } from './policy-index.ts';
import { type PreviewedCalls, previewPolicy } from './preview-policy.ts';

const userId = 'ann';
const [k1, k2] = ['Zb3mPq9rTs6vWx21', 'Zb3mPq9rTs6vWx22'];
const slices = createTimeSlices(systemClock);
const stored = (terms: PolicyTerms, nth: number): PolicyRecord => ({
  ...terms,
  ...{ policyId: `pol_${nth}`, ownerId: userId, createdAtMs: 0, updatedAtMs: 0 },
});

async function preview(
  present: readonly PolicyTerms[],
  tried: PolicyTerms,
  calls: readonly PreviewedCalls[],
  by: TimeSlices = slices,
) {
  const store = {
    writtenSince: async () => present.map((terms, nth) => ({ policy: stored(terms, nth), revision: 0 })),
  };
  const deps = {
    store,
    newId: (): string => 'pol_tried',
    clock: systemClock,
    slices: by,
    readCalls: async () => calls,
  };
  const answer = await previewPolicy(deps, { userId, roles: ['dev'] }, new URLSearchParams(), tried);
  if (!answer.ok) throw new Error(JSON.stringify(answer));
  return answer.value;
}

const policies = fc.record<PolicyTerms>(
  {
    effect: fc.constantFrom('allow', 'deny'),
    subjects: fc.uniqueArray(fc.constantFrom('*', 'user:ann', 'user:bob', `key:${k1}`, 'role:dev'), { minLength: 1 }),
    resource: fc.record({
      kind: fc.constant('network' as const),
      id: fc.constantFrom('*', 'ethereum/a', 'ethereum/b'),
    }),
    methods: fc.uniqueArray(fc.constantFrom('eth_call', 'eth_*', '*', '*Call', 'net_version'), { minLength: 1 }),
  },
  { requiredKeys: ['effect', 'subjects', 'resource'] },
);
const callsOf = fc.uniqueArray(
  fc.record({
    keyId: fc.constantFrom(undefined, k1, k2),
    network: fc.constantFrom('ethereum/a', 'ethereum/b'),
    method: fc.constantFrom('eth_call', 'eth_gasPrice', 'net_version'),
    requests: fc.integer({ min: 1, max: 5 }),
  }),
  { selector: (call) => JSON.stringify(call) },
);

test('a call is counted when the other policies permit it and the new policy refuses it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(policies, { maxLength: 4 }), policies, callsOf, async (present, tried, calls) => {
      const indexOf = (all: readonly PolicyTerms[]) => new PolicyIndex(all.map(stored));
      const allowedBy = (own: PolicyIndex, { keyId, network, method }: PreviewedCalls) => {
        const caller = keyId === undefined ? { userId, roles: ['dev'] } : { userId, keyId, roles: [] };
        const resource = { kind: 'network', key: network } as const;
        return decide({ global: undefined, own, owner: undefined }, caller, resource, { method }).allowed;
      };
      const [before, after] = [indexOf(present), indexOf([...present, tried])];
      const refused = calls.filter((call) => allowedBy(before, call) && !allowedBy(after, call));
      const { considered, refused: counted } = await preview(present, tried, calls);
      expect(counted).toBe(refused.reduce((sum, { requests }) => sum + requests, 0));
      expect(considered).toBe(calls.reduce((sum, { requests }) => sum + requests, 0));
    }),
    { numRuns: 500 },
  );
});

test('each step compares one call with one policy, for any number of both', async () => {
  const glob = (nth: number) => `*e*t*h*_${'*g*e*t'.repeat(8)}${nth}*`;
  const denying = (nth: number): PolicyTerms => ({
    ...{ effect: 'deny', subjects: ['*'], resource: { kind: 'network', id: '*' } },
    methods: Array.from({ length: 100 }, (_, at) => glob(100 * nth + at)),
  });
  for (const count of [5, 10, 20]) {
    let steps = 0;
    const counting: TimeSlices = {
      run: (step) =>
        slices.run(() => {
          steps += 1;
          return step();
        }),
    };
    const calls = Array.from({ length: count }, (_, nth) => ({
      ...{ keyId: undefined, network: 'ethereum/a', method: `eth_call${nth}`, requests: 1 },
    }));
    await preview(
      Array.from({ length: count }, (_, nth) => denying(nth)),
      denying(count),
      calls,
      counting,
    );
    expect(steps).toBe((count + 1) * count + 1);
  }
});
