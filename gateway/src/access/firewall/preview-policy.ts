/** What a policy would have refused of the calls that its owner made lately (contract/firewall#preview). */

import type { Clock } from '@flowgate/base/clock';
import type { NewTypeId } from '@flowgate/base/ids';
import { type Ok, ok, type Refused, refused } from '@flowgate/base/result';
import { z } from 'zod';
import { type BodyRefusal, refusedForOne } from '../../api/body-problems.ts';
import { type BodyOf, bodySchema } from '../../api/body-schema.ts';
import type { Caller } from '../../api/caller.ts';
import type { RouteQueryDoc } from '../../api/route.ts';
import { onceIn } from '../../platform/once-in.ts';
import { decide } from './decide.ts';
import { maxOwnPolicies } from './known-policies.ts';
import type { PolicyRecord } from './policy.ts';
import { PolicyIndex } from './policy-index.ts';
import { parsePolicyInput } from './policy-input.ts';
import type { PolicyStore } from './policy-store.ts';
import { policyId } from './policy-wire.ts';

/** Calls of one method on one network by one credential. */
export type PreviewedCalls = {
  /** Undefined: with a token. */
  readonly keyId: string | undefined;
  /** `ethereum/dev`. */
  readonly network: string;
  readonly method: string;
  readonly requests: number;
};

export type PreviewDeps = {
  readonly store: Pick<PolicyStore, 'writtenSince'>;
  readonly newId: NewTypeId;
  readonly clock: Pick<Clock, 'now'>;
  /** The user's calls of the last 24 hours. @throws Unavailable */
  readonly readCalls: (userId: string) => Promise<readonly PreviewedCalls[] | 'too-many' | 'busy'>;
};

const count = (description: string) => z.int().min(0).describe(description);

export const policyPreview = bodySchema(
  'PolicyPreview',
  'What a policy would have refused of your calls of the last 24 hours.',
  () =>
    z.object({
      considered: count(
        'JSON-RPC calls whose network and method are known. 0 for a policy that is not about networks.',
      ),
      refused: count('Of these, how many the policy would refuse and your other policies do not.'),
      byMethod: z
        .array(z.object({ method: z.string(), refused: z.int().min(1) }))
        .describe('The refused calls by method, most first.'),
    }),
  { considered: 240, refused: 12, byMethod: [{ method: 'eth_sendRawTransaction', refused: 12 }] },
);

export const previewQuery: readonly RouteQueryDoc[] = [
  {
    name: 'replaces',
    description: 'One of your policies, in whose place the policy is tried: the one that is being edited.',
    schema: policyId,
  },
];

/** @throws Unavailable */
export async function previewPolicy(
  { store, newId, clock, readCalls }: PreviewDeps,
  { userId, roles }: Pick<Caller, 'userId' | 'roles'>,
  query: URLSearchParams,
  body: unknown,
): Promise<Ok<BodyOf<typeof policyPreview>> | BodyRefusal | Refused<'bad-request' | 'unavailable'>> {
  const problems: string[] = [];
  const replaces = onceIn(query, problems)('replaces');
  const [problem] = problems;
  if (problem !== undefined) return refusedForOne(problem);
  const terms = parsePolicyInput(body);
  if (!terms.ok) return terms;
  const stored = await store.writtenSince(userId, 0, maxOwnPolicies);
  const present = stored.map(({ policy }) => policy);
  if (replaces !== undefined && !present.some((policy) => policy.policyId === replaces))
    return refusedForOne('replaces must be the id of one of your policies');
  if (terms.value.resource.kind !== 'network') return ok({ considered: 0, refused: 0, byMethod: [] });
  const calls = await readCalls(userId);
  if (calls === 'busy')
    return refused('unavailable', 'Several of your questions about usage are being answered: read those first.');
  if (calls === 'too-many') return refused('bad-request', 'You made too many different calls to add them up.');
  const nowMs = clock.now();
  const tried: PolicyRecord = {
    ...terms.value,
    ...{ policyId: newId('pol'), ownerId: userId, createdAtMs: nowMs, updatedAtMs: nowMs },
  };
  const others = present.filter((policy) => policy.policyId !== replaces);
  // Other scopes decide the same with the policy and without it.
  const [before, after] = [new PolicyIndex(others), new PolicyIndex([...others, tried])];
  const byMethod = new Map<string, number>();
  let considered = 0;
  for (const { keyId, network, method, requests } of calls) {
    considered += requests;
    const caller = keyId === undefined ? { userId, roles } : { userId, keyId, roles: [] };
    const isAllowedBy = (own: PolicyIndex) =>
      decide({ global: undefined, own, owner: undefined }, caller, { kind: 'network', key: network }, { method })
        .allowed;
    if (isAllowedBy(before) && !isAllowedBy(after)) byMethod.set(method, (byMethod.get(method) ?? 0) + requests);
  }
  const rows = [...byMethod].map(([method, refusedCalls]) => ({ method, refused: refusedCalls }));
  return ok({
    considered,
    refused: rows.reduce((sum, row) => sum + row.refused, 0),
    byMethod: rows.sort((one, other) => other.refused - one.refused || (one.method < other.method ? -1 : 1)),
  });
}
