/** The routes of policies: each parses, calls one function, and shapes the reply (contract/firewall). */

import { pageQuery } from '../api/page-query.ts';
import { emptyReply, okReply } from '../api/reply-of.ts';
import type { AccessLevel, CallerRequest, CallerRoute, RouteAnswer } from '../api/route.ts';
import { actorOf } from '../audit/audit-note.ts';
import {
  adminPolicyQuestion,
  type ExplainDeps,
  explainToAdmin,
  explainToUser,
  policyExplanation,
  policyQuestion,
} from './explain-policies.ts';
import { maxGlobalPolicies, maxOwnPolicies } from './known-policies.ts';
import {
  createPolicy,
  deletePolicy,
  findPolicy,
  listPolicies,
  type ManagePoliciesDeps,
  updatePolicy,
} from './manage-policies.ts';
import { globalOwner } from './policy.ts';
import { policyInput, policyPatch } from './policy-input.ts';
import { policy, policyPage, policyPath } from './policy-wire.ts';
import { type PreviewDeps, policyPreview, previewPolicy, previewQuery } from './preview-policy.ts';

export type PolicyRouteDeps = ManagePoliciesDeps & ExplainDeps & PreviewDeps;

/** The routes exist once for a user's own policies and once for the global ones. */
type Side = {
  readonly path: string;
  readonly whose: string;
  readonly max: number;
  /** Who may read policies. Only a token may write them: an API key that a policy limits must not remove that limit. */
  readonly reads: Exclude<AccessLevel, 'public'>;
  readonly writes: Exclude<AccessLevel, 'public'>;
  readonly ownerOf: (request: CallerRequest) => string;
};

const sides: readonly Side[] = [
  {
    path: '/users/me/policies',
    whose: 'own',
    max: maxOwnPolicies,
    reads: 'caller',
    writes: 'token',
    ownerOf: ({ caller }) => caller.userId,
  },
  {
    path: '/admin/policies',
    whose: 'global',
    max: maxGlobalPolicies,
    reads: 'admin',
    writes: 'admin',
    ownerOf: () => globalOwner,
  },
];

const tag = 'Policies';

export function policyRoutes(deps: PolicyRouteDeps): readonly CallerRoute[] {
  // In the document, routes with fixed paths precede those with a parameter in the same position.
  return [...explainRoutes(deps), ...sides.flatMap((side) => [...listRoutes(deps, side), ...oneRoutes(deps, side)])];
}

function listRoutes(deps: PolicyRouteDeps, { path, whose, max, reads, writes, ownerOf }: Side): readonly CallerRoute[] {
  return [
    {
      method: 'POST',
      path,
      accessLevel: writes,
      doc: {
        summary: `Create a policy (${whose})`,
        description: `The policy applies on this gateway once this request is answered, and on the others within 5 seconds. At most ${max}.`,
        tag,
        body: policyInput,
        responses: [{ status: 201, description: 'Made.', schema: policy }],
        refusals: ['bad-request', 'conflict'],
      },
      handle: async (request): Promise<RouteAnswer> => {
        const made = await createPolicy(deps, ownerAnd(request, ownerOf), request.body);
        if (!made.ok) return made;
        return { status: 201, body: made.value, headers: { Location: `${path}/${made.value.policyId}` } };
      },
    },
    {
      method: 'GET',
      path,
      accessLevel: reads,
      doc: {
        summary: `List policies (${whose})`,
        description: 'Newest first.',
        tag,
        query: pageQuery(20),
        responses: [{ status: 200, description: 'A page of policies.', schema: policyPage }],
        refusals: ['bad-request'],
      },
      handle: async (request) => okReply(await listPolicies(deps, ownerOf(request), request.query)),
    },
  ];
}

function oneRoutes(deps: PolicyRouteDeps, { path, whose, reads, writes, ownerOf }: Side): readonly CallerRoute[] {
  const common = { path: `${path}/{policyId}` };
  const idOf = ({ params }: CallerRequest) => params['policyId'] ?? '';
  return [
    {
      ...common,
      method: 'GET',
      accessLevel: reads,
      doc: {
        summary: `Get a policy (${whose})`,
        description: 'The current version.',
        tag,
        path: policyPath,
        responses: [{ status: 200, description: 'The policy.', schema: policy }],
        refusals: ['not-found'],
      },
      handle: async (request) => okReply(await findPolicy(deps, ownerOf(request), idOf(request))),
    },
    {
      ...common,
      method: 'PATCH',
      accessLevel: writes,
      doc: {
        summary: `Change a policy (${whose})`,
        description: 'Omitted members do not change. The result is checked like a new policy.',
        tag,
        path: policyPath,
        body: policyPatch,
        responses: [{ status: 200, description: 'The changed policy.', schema: policy }],
        refusals: ['bad-request', 'not-found', 'conflict'],
      },
      handle: async (request) =>
        okReply(await updatePolicy(deps, ownerAnd(request, ownerOf), idOf(request), request.body)),
    },
    {
      ...common,
      method: 'DELETE',
      accessLevel: writes,
      doc: {
        summary: `Delete a policy (${whose})`,
        description:
          'The policy no longer applies on this gateway once this request is answered, and on the others within 5 seconds.',
        tag,
        path: policyPath,
        responses: [{ status: 204, description: 'Deleted.' }],
        refusals: ['not-found'],
      },
      handle: async (request) => emptyReply(await deletePolicy(deps, ownerAnd(request, ownerOf), idOf(request))),
    },
  ];
}

function explainRoutes(deps: PolicyRouteDeps): readonly CallerRoute[] {
  const responses = [{ status: 200, description: 'The decision of the policies.', schema: policyExplanation }];
  return [
    {
      method: 'POST',
      path: '/users/me/policies/preview',
      accessLevel: 'caller',
      doc: {
        summary: 'Preview a policy',
        description:
          'Which of your JSON-RPC calls of the last 24 hours the policy would have refused, in addition to those that your other policies refuse. Stores nothing. Usage contains no contracts and nodes, so policies about them and about Flow Apps have no effect here.',
        tag,
        query: previewQuery,
        body: policyInput,
        responses: [
          { status: 200, description: 'The calls that the policy would have refused.', schema: policyPreview },
        ],
        refusals: ['bad-request', 'unavailable'],
      },
      handle: async ({ caller, query, body }) => okReply(await previewPolicy(deps, caller, query, body)),
    },
    {
      method: 'POST',
      path: '/users/me/policies/explain',
      accessLevel: 'caller',
      doc: {
        summary: 'Explain what policies decide',
        description: 'For a request of yours. The response names the deciding policy if it is yours.',
        tag,
        body: policyQuestion,
        responses,
        refusals: ['bad-request', 'unavailable'],
      },
      handle: async ({ caller, body }) => okReply(await explainToUser(deps, caller, body)),
    },
    {
      method: 'POST',
      path: '/admin/policies/explain',
      accessLevel: 'admin',
      doc: {
        summary: 'Explain what policies decide about any user',
        description: 'Over all scopes.',
        tag,
        body: adminPolicyQuestion,
        responses,
        refusals: ['bad-request', 'unavailable'],
      },
      handle: async ({ caller, body }) => okReply(await explainToAdmin(deps, caller, body)),
    },
  ];
}

function ownerAnd(request: CallerRequest, ownerOf: Side['ownerOf']) {
  return { ownerId: ownerOf(request), actor: actorOf(request) };
}
