/** The policies of one owner, or the global ones, indexed by their resource. */

import { everything, type PolicyRecord, type ResourceKind, resourceKey } from './policy.ts';
import { type NamesOwner, ResourceRules } from './resource-rules.ts';

type OfKind = { readonly byId: Map<string, ResourceRules>; size: number };

export class PolicyIndex {
  readonly #byPolicy = new Map<string, PolicyRecord>();
  readonly #kinds: Readonly<Record<ResourceKind, OfKind>> = {
    network: { byId: new Map(), size: 0 },
    node: { byId: new Map(), size: 0 },
    contract: { byId: new Map(), size: 0 },
    app: { byId: new Map(), size: 0 },
  };

  /** `namesOwner`: whether a policy may concern its own owner. It matters only in the owner's own scope. */
  constructor(
    policies: Iterable<PolicyRecord> = [],
    readonly namesOwner: NamesOwner = () => true,
  ) {
    for (const policy of policies) this.set(policy);
  }

  get size(): number {
    return this.#byPolicy.size;
  }

  get policyIds(): Iterable<string> {
    return this.#byPolicy.keys();
  }

  has(policyId: string): boolean {
    return this.#byPolicy.has(policyId);
  }

  /** The number of policies about resources of this kind. */
  count(kind: ResourceKind): number {
    return this.#kinds[kind].size;
  }

  /** The policies about exactly this resource (`resourceKey`). */
  about(kind: ResourceKind, key: string): ResourceRules | undefined {
    const { size, byId } = this.#kinds[kind];
    return size === 0 ? undefined : byId.get(key);
  }

  /** The policies about every resource of the kind. */
  aboutAll(kind: ResourceKind): ResourceRules | undefined {
    return this.about(kind, everything);
  }

  /** Adds the policy, replacing its earlier version. */
  set(policy: PolicyRecord): void {
    this.delete(policy.policyId);
    this.#byPolicy.set(policy.policyId, policy);
    const ofKind = this.#kinds[policy.resource.kind];
    const key = resourceKey(policy.resource);
    const rules = ofKind.byId.get(key) ?? new ResourceRules(this.namesOwner);
    ofKind.byId.set(key, rules);
    rules.set(policy);
    ofKind.size++;
  }

  delete(policyId: string): void {
    const policy = this.#byPolicy.get(policyId);
    if (policy === undefined) return;
    this.#byPolicy.delete(policyId);
    const ofKind = this.#kinds[policy.resource.kind];
    const key = resourceKey(policy.resource);
    const rules = ofKind.byId.get(key);
    rules?.delete(policyId);
    if (rules?.size === 0) ofKind.byId.delete(key);
    ofKind.size--;
  }
}
