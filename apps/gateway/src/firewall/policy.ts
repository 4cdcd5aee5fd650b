/** Policies: rules about who may, or may not, use a resource (contract/firewall#policies). */

export const policyEffects = ['allow', 'deny'] as const;
export const resourceKinds = ['network', 'node', 'contract', 'app'] as const;

export type PolicyEffect = (typeof policyEffects)[number];
export type ResourceKind = (typeof resourceKinds)[number];
export type PolicyScope = 'own' | 'global';

/** `id`: `*` for every resource of the kind, otherwise in the form of `resourceKey`. */
export type PolicyResource = { readonly kind: ResourceKind; readonly id: string };

/** The content of a policy. */
export type PolicyTerms = {
  readonly name?: string;
  readonly effect: PolicyEffect;
  /** `*`, `user:<id>`, `key:<keyId>`, `role:<role>`. */
  readonly subjects: readonly string[];
  readonly resource: PolicyResource;
  /** Networks and nodes: globs over the names of methods. Absent: every method. */
  readonly methods?: readonly string[];
  /** Contracts: `0x` and 8 digits, lower case. Absent: every call. */
  readonly selectors?: readonly string[];
};

/** The owner of global policies. No user has this id. */
export const globalOwner = '';

export type PolicyRecord = PolicyTerms & {
  readonly policyId: string;
  /** The owner of the policy, or `globalOwner`. */
  readonly ownerId: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

export function scopeOf({ ownerId }: Pick<PolicyRecord, 'ownerId'>): PolicyScope {
  return ownerId === globalOwner ? 'global' : 'own';
}

/** The id for every resource of a kind, and the subject for every caller. */
export const everything = '*';

/** The id with which a resource is compared: addresses are compared without letter case. */
export function resourceKey({ kind, id }: PolicyResource): string {
  if (kind !== 'contract' || id === everything) return id;
  const slash = id.lastIndexOf('/');
  return id.slice(0, slash) + id.slice(slash).toLowerCase();
}

/** Most methods are compared without letter case, like in the method policy (contract/json-rpc#blocked-methods). */
export function methodKey(method: string): string {
  return method.toLowerCase();
}
