/** Computes which recent calls of its owner a policy would have refused (contract/firewall#preview). */

import { runInSlices, type TimeSlices } from '@flowgate/async/time-slices';
import type { Clock } from '@flowgate/base/clock';
import type { NewTypeId } from '@flowgate/base/ids';
import { type Ok, ok, type Refused, refused } from '@flowgate/base/result';
import { type BodyRefusal, refusedForOne } from '@flowgate/body-schema/body-problems';
import { type BodyOf, bodySchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import type { Caller } from '../api/caller.ts';
import { onceIn } from '../api/once-in.ts';
import type { RouteQueryDoc } from '../api/route.ts';
import { type AskedResource, decide } from './decide.ts';
import { maxOwnPolicies } from './known-policies.ts';
import type { PolicyRecord } from './policy.ts';
import { PolicyIndex } from './policy-index.ts';
import { parsePolicyInput } from './policy-input.ts';
import type { PolicyStore } from './policy-store.ts';
import { policyId } from './policy-wire.ts';
import type { AskingCaller } from './resource-rules.ts';

/** Calls of one method on one network with one credential. */
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
  /** Up to 100 policies with 100 patterns each are compared with every call, in time slices, so that other callers do not wait. */
  readonly slices: TimeSlices;
  /** The user's calls of the last 24 hours. @throws Unavailable */
  readonly readCalls: (userId: string) => Promise<readonly PreviewedCalls[] | 'too-many' | 'busy'>;
};

const count = (description: string) => z.int().min(0).describe(description);

export const policyPreview = bodySchema(
  'PolicyPreview',
  'Which of your calls of the last 24 hours a policy would have refused.',
  () =>
    z.object({
      considered: count(
        'JSON-RPC calls whose network and method are known. 0 for a policy that is not about networks.',
      ),
      refused: count('The number of these that the policy would refuse and your other policies permit.'),
      byMethod: z
        .array(z.object({ method: z.string(), refused: z.int().min(1) }))
        .describe('The refused calls by method, most first.'),
    }),
  { considered: 240, refused: 12, byMethod: [{ method: 'eth_sendRawTransaction', refused: 12 }] },
);

export const previewQuery: readonly RouteQueryDoc[] = [
  {
    name: 'replaces',
    description: 'The id of one of your policies that the policy would replace, for example the one that you edit.',
    schema: policyId,
  },
];

type AskedCall = { readonly caller: AskingCaller; readonly resource: AskedResource; readonly method: string };

/** What the policies evaluated so far decide about a call. */
type Verdict = { isDenied: boolean; needsAllow: boolean; isAllowed: boolean };

const permits = ({ isDenied, needsAllow, isAllowed }: Verdict): boolean => !isDenied && (isAllowed || !needsAllow);

/**
 * Whether `tried` together with the other policies refuses each call that they alone permit. Yields after each policy and call. Other scopes decide the same
 * with and without the policy.
 */
function* refusedBy(
  tried: PolicyRecord,
  others: readonly PolicyRecord[],
  calls: readonly AskedCall[],
): Generator<undefined, readonly boolean[]> {
  const verdicts = calls.map((): Verdict => ({ isDenied: false, needsAllow: false, isAllowed: false }));
  for (const policy of others) yield* note(policy, calls, verdicts);
  const permitted = verdicts.map(permits);
  yield* note(tried, calls, verdicts);
  return verdicts.map((verdict, nth) => permitted[nth] === true && !permits(verdict));
}

function* note(policy: PolicyRecord, calls: readonly AskedCall[], verdicts: readonly Verdict[]): Generator<undefined> {
  const own = new PolicyIndex([policy]);
  for (const [nth, { caller, resource, method }] of calls.entries()) {
    const { allowed, decidedBy } = decide({ global: undefined, own, owner: undefined }, caller, resource, { method });
    const verdict = verdicts[nth];
    if (verdict !== undefined && decidedBy !== undefined) {
      if (policy.effect === 'deny') verdict.isDenied = true;
      else {
        verdict.needsAllow = true;
        verdict.isAllowed ||= allowed;
      }
    }
    yield;
  }
}

/** @throws Unavailable */
export async function previewPolicy(
  { store, newId, clock, slices, readCalls }: PreviewDeps,
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
    return refused('unavailable', 'The maximum number of your usage queries is in progress: wait for their answers.');
  if (calls === 'too-many')
    return refused('bad-request', 'You made too many different calls in the last 24 hours for a preview.');
  const nowMs = clock.now();
  const tried: PolicyRecord = {
    ...terms.value,
    ...{ policyId: newId('pol'), ownerId: userId, createdAtMs: nowMs, updatedAtMs: nowMs },
  };
  const others = present.filter((policy) => policy.policyId !== replaces);
  const asked = calls.map(({ keyId, network, method }): AskedCall => {
    const caller = keyId === undefined ? { userId, roles } : { userId, keyId, roles: [] };
    return { caller, resource: { kind: 'network', key: network }, method };
  });
  const newlyRefused = await runInSlices(slices, refusedBy(tried, others, asked));
  const byMethod = new Map<string, number>();
  for (const [nth, { method, requests }] of calls.entries())
    if (newlyRefused[nth] === true) byMethod.set(method, (byMethod.get(method) ?? 0) + requests);
  const considered = calls.reduce((sum, { requests }) => sum + requests, 0);
  const rows = [...byMethod].map(([method, refusedCalls]) => ({ method, refused: refusedCalls }));
  return ok({
    considered,
    refused: rows.reduce((sum, row) => sum + row.refused, 0),
    byMethod: rows.sort((one, other) => other.refused - one.refused || (one.method < other.method ? -1 : 1)),
  });
}
