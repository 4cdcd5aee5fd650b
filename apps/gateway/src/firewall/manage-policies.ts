/** Creates, lists, reads, changes and deletes policies of one owner, or global ones (contract/firewall#policies). */

import type { Clock } from '@flowgate/base/clock';
import { isTypeId, type NewTypeId } from '@flowgate/base/ids';
import { type Page, pageOf, parsePage } from '@flowgate/base/page';
import { type Ok, ok, type Refused, type Result, refused } from '@flowgate/base/result';
import type { BodyRefusal } from '@flowgate/body-schema/body-problems';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import type { Actor, AuditAction, AuditNote } from '../audit/audit-note.ts';
import { type KnownPolicies, maxGlobalPolicies, maxOwnPolicies } from './known-policies.ts';
import { globalOwner, type PolicyRecord, type PolicyTerms, scopeOf } from './policy.ts';
import { parsePolicyInput, parsePolicyPatch } from './policy-input.ts';
import type { PolicyStore, StoredPolicy } from './policy-store.ts';
import { type policy, policyView } from './policy-wire.ts';

export type ManagePoliciesDeps = {
  readonly store: PolicyStore;
  /** Called after the commit of a change of the owner's policies: resolves when it applies here and the other gateways are notified. */
  readonly changed: KnownPolicies['changed'];
  /** Updates this gateway's copy. */
  readonly reload: KnownPolicies['load'];
  readonly newId: NewTypeId;
  readonly clock: Pick<Clock, 'now'>;
  /** Wall time that is never the same twice, because lists are ordered by it. */
  readonly creationTime: () => number;
};

type PolicyBody = BodyOf<typeof policy>;

/** The owner of the policies, and the acting user. */
export type PolicyOwner = { readonly ownerId: string; readonly actor: Actor };

const noPolicy = refused('not-found', 'This policy does not exist: list the policies to find its id.');
/** The maximum number of attempts of a change while other requests change the policy. */
const tries = 5;

/** @throws Unavailable: the policy may exist and apply or not; the list shows it. */
export async function createPolicy(
  deps: ManagePoliciesDeps,
  { ownerId, actor }: PolicyOwner,
  body: unknown,
): Promise<Ok<PolicyBody> | BodyRefusal | Refused<'conflict'>> {
  const terms = parsePolicyInput(body);
  if (!terms.ok) return terms;
  const createdAtMs = deps.creationTime();
  const record: PolicyRecord = {
    ...terms.value,
    policyId: deps.newId('pol'),
    ownerId,
    createdAtMs,
    updatedAtMs: createdAtMs,
  };
  const limit = ownerId === globalOwner ? maxGlobalPolicies : maxOwnPolicies;
  if (!(await deps.store.insertIfUnder(record, limit, noteOf(actor, 'policy.created', record))))
    return refused('conflict', `At most ${limit} policies are possible; delete one first.`);
  await deps.changed(ownerId);
  return ok(policyView(record));
}

/** Paged by `?limit=` and `?cursor=` (contract/conventions#lists). @throws Unavailable */
export async function listPolicies(
  { store }: Pick<ManagePoliciesDeps, 'store'>,
  ownerId: string,
  query: URLSearchParams,
): Promise<Result<Page<PolicyBody>, 'bad-request'>> {
  const page = parsePage(query, { defaultLimit: 20, isId: (id) => isTypeId('pol', id) });
  if (!page.ok) return page;
  const { records, next } = await store.list(ownerId, page.value);
  return ok(pageOf(records.map(policyView), next));
}

/** @throws Unavailable */
export async function findPolicy(
  { store }: Pick<ManagePoliciesDeps, 'store'>,
  ownerId: string,
  policyId: string,
): Promise<Result<PolicyBody, 'not-found'>> {
  const found = await find(store, ownerId, policyId);
  return found === undefined ? noPolicy : ok(policyView(found.policy));
}

/** A change without an effect writes nothing. @throws Unavailable: the change may apply or not; repeating it is safe. */
export async function updatePolicy(
  deps: ManagePoliciesDeps,
  { ownerId, actor }: PolicyOwner,
  policyId: string,
  patch: unknown,
): Promise<Ok<PolicyBody> | BodyRefusal | Refused<'not-found' | 'conflict'>> {
  for (let tried = 0; tried < tries; tried++) {
    const found = await find(deps.store, ownerId, policyId);
    if (found === undefined) return noPolicy;
    const { policy: before, revision } = found;
    const terms = parsePolicyPatch(before, patch);
    if (!terms.ok) return terms;
    const { policyId: id, createdAtMs } = before;
    const updatedAtMs = Math.max(deps.clock.now(), createdAtMs);
    const record = { ...terms.value, policyId: id, ownerId, createdAtMs, updatedAtMs };
    if (sameTerms(before, record)) {
      // An earlier attempt whose answer was 503 may have written it.
      await deps.reload();
      return ok(policyView(before));
    }
    if (await deps.store.replace(record, revision, noteOf(actor, 'policy.updated', record))) {
      await deps.changed(ownerId);
      return ok(policyView(record));
    }
  }
  return refused('conflict', 'Other requests are changing this policy: try again.');
}

/** @throws Unavailable: the policy may be deleted or not; repeating is safe. */
export async function deletePolicy(
  deps: ManagePoliciesDeps,
  { ownerId, actor }: PolicyOwner,
  policyId: string,
): Promise<Result<undefined, 'not-found'>> {
  const found = await find(deps.store, ownerId, policyId);
  const note = found === undefined ? undefined : noteOf(actor, 'policy.deleted', found.policy);
  if (note === undefined || !(await deps.store.remove(ownerId, policyId, note))) {
    // An earlier attempt whose answer was 503 may have deleted it.
    await deps.reload();
    return noPolicy;
  }
  await deps.changed(ownerId);
  return ok(undefined);
}

async function find(store: PolicyStore, ownerId: string, policyId: string): Promise<StoredPolicy | undefined> {
  return isTypeId('pol', policyId) ? store.find(ownerId, policyId) : undefined;
}

function sameTerms(one: PolicyTerms, other: PolicyTerms): boolean {
  const terms = ({ name, effect, subjects, resource, methods, selectors }: PolicyTerms) =>
    JSON.stringify([name, effect, subjects, resource.kind, resource.id, methods, selectors]);
  return terms(one) === terms(other);
}

function noteOf(actor: Actor, action: AuditAction, record: PolicyRecord): AuditNote {
  const { policyId, effect, subjects, resource, methods, selectors } = record;
  return {
    actor,
    action,
    target: policyId,
    details: {
      scope: scopeOf(record),
      effect,
      resource: `${resource.kind} ${resource.id}`,
      subjects,
      ...(methods === undefined ? {} : { methods }),
      ...(selectors === undefined ? {} : { selectors }),
    },
  };
}
