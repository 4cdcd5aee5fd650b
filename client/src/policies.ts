/** Policies: who may use what, and who may not; own ones, and the operator's (contract/firewall). */

import { askFor } from './ask-for.ts';
import { hasMembers, isObject } from './has-members.ts';
import { createPaged, type Paged, searchOf } from './paged.ts';
import { pathSegment } from './path-segment.ts';
import type { CallOptions, Send } from './transport.ts';
import type {
  AdminPolicyQuestion,
  Policy,
  PolicyExplanation,
  PolicyInput,
  PolicyPatch,
  PolicyPreview,
  PolicyQuestion,
} from './wire.ts';

/** Newest first. Own ones are read with any credential and written with a token; global ones need a token with the role `admin` for both. */
export type Policies<Question = PolicyQuestion> = Paged<Policy> & {
  /**
   * In force on the gateway that answered when it resolves, on the others within 5 seconds. 409 when there is no room, 400 with the member's name for an invalid
   * input. Never repeated: after a failure of kind `no-answer`, look at the list, because the policy may exist.
   */
  create(input: PolicyInput, options?: CallOptions): Promise<Policy>;
  /** 404 for an unknown one. */
  get(policyId: string, options?: CallOptions): Promise<Policy>;
  /** Members that are left out stay as they are; `null` removes `name`, `methods` or `selectors`. */
  update(policyId: string, patch: PolicyPatch, options?: CallOptions): Promise<Policy>;
  remove(policyId: string, options?: CallOptions): Promise<void>;
  /** What the policies decide about a use, and by which policy as far as the caller may see it. */
  explain(question: Question, options?: CallOptions): Promise<PolicyExplanation>;
};

export type OwnPolicies = Policies & {
  /** What the policy would have refused of your JSON-RPC calls of the last 24 hours. `replaces`: a policy of yours in whose place it is tried. Stores nothing. */
  preview(input: PolicyInput, options?: CallOptions & { readonly replaces?: string }): Promise<PolicyPreview>;
};

export function createPolicies(send: Send): OwnPolicies {
  const path = '/users/me/policies';
  return {
    ...policiesAt(send, path),
    preview: (input, { replaces, ...options } = {}) =>
      askFor(send, isPreview, {
        method: 'POST',
        path: `${path}/preview${searchOf({ replaces })}`,
        body: input,
        repeatable: true,
        options,
      }),
  };
}

export function createGlobalPolicies(send: Send): Policies<AdminPolicyQuestion> {
  return policiesAt(send, '/admin/policies');
}

function policiesAt<Question>(send: Send, path: string): Policies<Question> {
  const one = (policyId: string) => `${path}/${pathSegment(policyId)}`;
  return {
    ...createPaged(send, path, isPolicy),
    create: (input, options = {}) =>
      askFor(send, isPolicy, { method: 'POST', path, body: input, repeatable: false, options }),
    get: (policyId, options = {}) =>
      askFor(send, isPolicy, { method: 'GET', path: one(policyId), repeatable: true, options }),
    update: (policyId, patch, options = {}) =>
      askFor(send, isPolicy, { method: 'PATCH', path: one(policyId), body: patch, repeatable: true, options }),
    async remove(policyId, options = {}) {
      await send({ method: 'DELETE', path: one(policyId), repeatable: true, options });
    },
    explain: (question, options = {}) =>
      askFor(send, isExplanation, {
        method: 'POST',
        path: `${path}/explain`,
        body: question,
        repeatable: true,
        options,
      }),
  };
}

function isPolicy(value: unknown): value is Policy {
  return hasMembers(
    value,
    {
      ...{ policyId: 'string', scope: 'string', effect: 'string', subjects: 'texts', resource: 'object' },
      ...{ createdAt: 'string', updatedAt: 'string' },
    },
    { name: 'string', methods: 'texts', selectors: 'texts' },
  );
}

function isExplanation(value: unknown): value is PolicyExplanation {
  return (
    hasMembers(value, { allowed: 'boolean', considered: 'number' }) &&
    (value['decidedBy'] === undefined || isObject(value['decidedBy']))
  );
}

function isPreview(value: unknown): value is PolicyPreview {
  return (
    hasMembers(value, { considered: 'number', refused: 'number' }) &&
    Array.isArray(value['byMethod']) &&
    value['byMethod'].every((row) => hasMembers(row, { method: 'string', refused: 'number' }))
  );
}
