/** Policies: which resources may be used and by whom; the user's own, and the operator's (contract/firewall). */

import { ask } from './ask.ts';
import * as shapes from './generated/shapes.ts';
import { createPaged, type Paged, searchOf } from './paged.ts';
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

/** Newest first. Own policies are read with any credential and written with a token; global ones need a token with the role `admin` for both. */
export type Policies<Question = PolicyQuestion> = Paged<Policy> & {
  /**
   * Creates a policy. In effect at the answering gateway when it resolves, and at all others within 5 seconds. 409 at the maximum number, 400 with the member's
   * name for an invalid input. Never retried: after a failure of kind `no-answer`, check the list, because the policy may exist.
   */
  create(input: PolicyInput, options?: CallOptions): Promise<Policy>;
  /** 404 for an unknown policy. */
  get(policyId: string, options?: CallOptions): Promise<Policy>;
  /** Omitted members remain unchanged; `null` removes `name`, `methods` or `selectors`. */
  update(policyId: string, patch: PolicyPatch, options?: CallOptions): Promise<Policy>;
  remove(policyId: string, options?: CallOptions): Promise<void>;
  /** Whether the policies allow a use, and by which policy as far as the caller may see it. */
  explain(question: Question, options?: CallOptions): Promise<PolicyExplanation>;
};

export type OwnPolicies = Policies & {
  /**
   * The JSON-RPC calls of the caller's last 24 hours that the policy would have refused. `replaces`: id of an own policy that it would replace. Stores nothing.
   */
  preview(input: PolicyInput, options?: CallOptions & { readonly replaces?: string }): Promise<PolicyPreview>;
};

export function createPolicies(send: Send): OwnPolicies {
  return {
    ...policiesAt(send, '/users/me/policies'),
    preview: (body, { replaces, ...options } = {}) =>
      ask(send, 'POST /users/me/policies/preview', shapes.policyPreview, [], {
        ...{ query: searchOf({ replaces }), body },
        ...{ repeatable: true, options },
      }),
  };
}

export function createGlobalPolicies(send: Send): Policies<AdminPolicyQuestion> {
  return policiesAt(send, '/admin/policies');
}

function policiesAt(send: Send, path: '/users/me/policies' | '/admin/policies'): Policies<AdminPolicyQuestion> {
  const one = `${path}/{policyId}` as const;
  return {
    ...createPaged(send, `GET ${path}`, shapes.policy, []),
    create: (body, options) => ask(send, `POST ${path}`, shapes.policy, [], { body, repeatable: false, options }),
    get: (policyId, options) => ask(send, `GET ${one}`, shapes.policy, [policyId], { options }),
    update: (policyId, body, options) => ask(send, `PATCH ${one}`, shapes.policy, [policyId], { body, options }),
    remove: (policyId, options) => ask(send, `DELETE ${one}`, undefined, [policyId], { options }),
    explain: (body, options) =>
      ask(send, `POST ${path}/explain`, shapes.policyExplanation, [], { body, repeatable: true, options }),
  };
}
