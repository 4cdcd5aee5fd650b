/** Explains how the policies decide about a use, and which policy decides, within what the asking user may see (contract/firewall#explain). */

import { type Ok, ok, type Refused, refused } from '@flowgate/base/result';
import { listOf, mustBe, optional } from '@flowgate/body-schema/body-members';
import { type BodyRefusal, refusedForOne } from '@flowgate/body-schema/body-problems';
import { type BodyOf, bodySchema } from '@flowgate/body-schema/body-schema';
import { checkedBody } from '@flowgate/body-schema/checked-body';
import { z } from 'zod';
import type { Caller } from '../api/caller.ts';
import { isKeyId } from '../api/credential.ts';
import type { GuardedResource } from '../api/firewall.ts';
import { countAbout, decide, isNamedIn } from './decide.ts';
import type { KnownPolicies } from './known-policies.ts';
import { maxMethodLength } from './method-glob.ts';
import { everything, type PolicyRecord, policyEffects, resourceKey, resourceKinds, scopeOf } from './policy.ts';
import { type KnownScopes, scopesFor, scopesOf } from './policy-firewall.ts';
import type { PolicyIndex } from './policy-index.ts';
import { parseResource, selector } from './policy-input.ts';
import { examplePolicyId, policyId, policyScope } from './policy-wire.ts';

/** A node or an app for policies. `ownerId`: absent for an operator's; `isOpen`: every caller who is not denied may see it. */
export type OwnedResource = { readonly ownerId?: string | undefined; readonly isOpen: boolean };

export type ExplainDeps = {
  readonly known: Pick<KnownPolicies, 'global' | 'of' | 'lookUp'>;
  /** With the network of the node, `ethereum/dev`. @throws Unavailable */
  readonly findNode: (nodeId: string) => Promise<(OwnedResource & { readonly network: string }) | undefined>;
  /** @throws Unavailable */
  readonly findApp: (appId: string) => Promise<OwnedResource | undefined>;
  /** @throws Unavailable */
  readonly findKey: (keyId: string) => Promise<{ readonly ownerId: string } | undefined>;
};

const example = { resource: { kind: 'network', id: 'ethereum/dev' }, method: 'eth_call' } as const;

const questionMembers = () => ({
  resource: z
    .object(
      {
        kind: z.enum(resourceKinds, { error: `must be one of ${resourceKinds.join(', ')}` }),
        id: z.string(mustBe('a string')).max(192).describe('As in a policy, but of one resource.'),
      },
      mustBe('an object with kind and id'),
    )
    .describe('The resource to use. A use of a node or contract is also a use of its network.'),
  method: optional(z.string(mustBe('a string')).min(1).max(maxMethodLength)).describe(
    'The JSON-RPC method. Default: a read over REST.',
  ),
  selector: optional(selector()).describe('For a contract: the function. Default: a call without data.'),
  keyId: optional(z.string(mustBe('a string')).refine(isKeyId, { error: 'must be the id of an API key' })).describe(
    'The API key of the use. Default: the credential of this request.',
  ),
});

export const policyQuestion = bodySchema(
  'PolicyQuestion',
  'A use to decide about.',
  () => z.object(questionMembers()),
  example,
);

const userIdMember = () => z.string(mustBe('a string')).min(1, { error: 'must not be empty' }).max(255);

export const adminPolicyQuestion = bodySchema(
  'AdminPolicyQuestion',
  'A use by any user to decide about.',
  () =>
    z.object({
      ...questionMembers(),
      userId: optional(userIdMember()).describe("The user. Default: the API key's owner, or the caller."),
      roles: optional(listOf(userIdMember(), { min: 0, max: 100, mustBe: 'an array of strings' })).describe(
        "The roles of the user's token. API keys have none.",
      ),
    }),
  { ...example, userId: 'user-1' },
);

export const policyExplanation = bodySchema(
  'PolicyExplanation',
  'The decision of the policies.',
  () =>
    z.object({
      allowed: z.boolean().describe('Also false when the user may not see the resource, or it does not exist.'),
      decidedBy: z
        .object({ policyId: policyId(), scope: policyScope(), effect: z.enum(policyEffects) })
        .describe(
          'The deciding policy. Absent when no policy is about the resource, or when you may not see the deciding policy. With `allowed` false and effect `allow`: the resource has allows in that scope, and none of them permits this use.',
        )
        .exactOptional(),
      considered: z.number().int().min(0).describe('The number of policies about the resource that you may see.'),
    }),
  { allowed: false, decidedBy: { policyId: examplePolicyId, scope: 'own', effect: 'deny' }, considered: 2 },
);

type Question = BodyOf<typeof policyQuestion>;
type Explanation = BodyOf<typeof policyExplanation>;
type Explained = Ok<Explanation> | BodyRefusal | Refused<'unavailable'>;

/** @throws Unavailable */
export async function explainToUser(deps: ExplainDeps, caller: Caller, body: unknown): Promise<Explained> {
  const question = checkedBody(policyQuestion.schema(), body);
  if (!question.ok) return question;
  const { keyId } = question.value;
  if (keyId !== undefined && (await deps.findKey(keyId))?.ownerId !== caller.userId)
    return refusedForOne('keyId must be the id of one of your API keys');
  const asked: Caller = keyId === undefined ? caller : { userId: caller.userId, via: 'api-key', keyId, roles: [] };
  return explain(deps, asked, question.value, ({ ownerId }) => ownerId === caller.userId);
}

/** @throws Unavailable */
export async function explainToAdmin(deps: ExplainDeps, caller: Caller, body: unknown): Promise<Explained> {
  const question = checkedBody(adminPolicyQuestion.schema(), body);
  if (!question.ok) return question;
  const { keyId, userId, roles } = question.value;
  const key = keyId === undefined ? undefined : await deps.findKey(keyId);
  if (keyId !== undefined && (key === undefined || (userId !== undefined && userId !== key.ownerId)))
    return refusedForOne(`keyId must be the id of an API key${userId === undefined ? '' : ' of this user'}`);
  const asked: Caller =
    keyId !== undefined && key !== undefined
      ? { userId: key.ownerId, via: 'api-key', keyId, roles: [] }
      : { userId: userId ?? caller.userId, via: 'token', roles: roles ?? (userId === undefined ? caller.roles : []) };
  return explain(deps, asked, question.value, () => true);
}

const unseen: Explained = ok({ allowed: false, considered: 0 });

async function explain(
  deps: ExplainDeps,
  caller: Caller,
  { resource: named, method, selector: asked }: Question,
  mayBeSeen: (policy: PolicyRecord) => boolean,
): Promise<Explained> {
  const resource = named.id === everything ? 'resource.id must name one resource' : parseResource(named);
  if (typeof resource === 'string') return refusedForOne(resource);
  const key = resourceKey(resource);
  const node = resource.kind === 'node' ? await deps.findNode(key) : undefined;
  const owned = resource.kind === 'app' ? await deps.findApp(key) : node;
  if (owned === undefined && (resource.kind === 'node' || resource.kind === 'app')) return unseen;
  const ownerId = owned?.ownerId;
  const known = await scopesFor(deps.known, caller.userId, ownerId === undefined ? [] : [ownerId]);
  if (known === undefined) return refused('unavailable');
  const itself: GuardedResource = { kind: resource.kind, key, ownerId };
  if (owned !== undefined && !isVisible(known, caller, itself, owned)) return unseen;
  const network = node?.network ?? (resource.kind === 'contract' ? key.slice(0, key.lastIndexOf('/')) : undefined);
  const selectorUse = asked?.toLowerCase();
  const uses: readonly (readonly [GuardedResource, Parameters<typeof decide>[3]])[] = [
    ...(network === undefined ? [] : [[{ kind: 'network', key: network }, { method }] as const]),
    [
      itself,
      resource.kind === 'contract'
        ? { selector: selectorUse, paddedSelector: selectorUse ?? '0x00000000' }
        : { method },
    ],
  ];
  const decisions = uses.map(([each, use]) => decide(scopesOf(known, caller, each), caller, each, use));
  const decision =
    decisions.find(({ allowed }) => !allowed) ?? decisions.findLast(({ decidedBy }) => decidedBy !== undefined);
  const by = decision?.decidedBy;
  return ok({
    allowed: decision?.allowed ?? true,
    ...(by !== undefined && mayBeSeen(by)
      ? { decidedBy: { policyId: by.policyId, scope: scopeOf(by), effect: by.effect } }
      : {}),
    considered: uses.reduce((sum, [each]) => sum + considered(known, caller, each, mayBeSeen), 0),
  });
}

/** An own resource, an open one, or one whose owner's allow names the caller. */
function isVisible(
  known: KnownScopes,
  caller: Caller,
  resource: GuardedResource,
  { ownerId, isOpen }: OwnedResource,
): boolean {
  if (isOpen || ownerId === undefined || ownerId === caller.userId) return true;
  return isNamedIn(scopesOf(known, caller, resource).owner, caller, resource);
}

function considered(
  known: KnownScopes,
  caller: Caller,
  resource: GuardedResource,
  mayBeSeen: (policy: PolicyRecord) => boolean,
): number {
  const { global, own, owner } = scopesOf(known, caller, resource);
  return [global, own, owner].reduce(
    (sum, index) => sum + (index !== undefined && isSeen(index, resource, mayBeSeen) ? countAbout(index, resource) : 0),
    0,
  );
}

/** The policies of one scope have one owner: a user who may see one of them may see all. */
function isSeen(
  index: PolicyIndex,
  { kind, key }: GuardedResource,
  mayBeSeen: (policy: PolicyRecord) => boolean,
): boolean {
  const [first] = index.about(kind, key)?.policies ?? index.aboutAll(kind)?.policies ?? [];
  return first !== undefined && mayBeSeen(first);
}
