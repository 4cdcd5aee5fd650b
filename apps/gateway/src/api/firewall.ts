/** The interface by which all surfaces ask whether policies allow a request; `firewall/` implements it (contract/firewall). */

import type { Caller } from './caller.ts';

/** A resource, named as in policies. */
export type GuardedResource = {
  readonly kind: 'network' | 'node' | 'contract' | 'app';
  /** `ethereum/dev`, a node's id, `ethereum/dev/0x…` in lower case or `ethereum/dev/create`, `publisher/slug`. */
  readonly key: string;
  /** The owner of the node or app; absent if the operator configured it. */
  readonly ownerId?: string | undefined;
};

/** The use of the resource that policies decide on. */
export type GuardedUse = {
  /** Networks and nodes: the decoded method name. Absent for uses that call no method. */
  readonly method?: string | undefined;
  /** Contracts: `0x` and 8 digits, lower case. Absent if the call has less than four bytes of data. */
  readonly selector?: string | undefined;
  /** Contracts: the selector with missing bytes filled with zeros. */
  readonly paddedSelector?: string | undefined;
};

/** The policies that apply to one caller at this moment. Get them again for the next request. */
export type CallerRules = {
  readonly allows: (resource: GuardedResource, use: GuardedUse) => boolean;
  /** Whether an `allow` policy of the resource's owner names the caller. Such a caller sees the resource. */
  readonly isNamed: (resource: GuardedResource) => boolean;
  /** Whether any policy that applies to the caller is about resources of this kind, regardless of its resources and subjects. */
  readonly concerns: (kind: GuardedResource['kind']) => boolean;
};

/** `unavailable`: the policies cannot be read at present. Requests that a policy could deny get 503. */
export type RulesOutcome = CallerRules | 'unavailable';

export type Firewall = {
  /** True if no policy exists, so that no rules have to be read. */
  readonly isIdle: boolean;
  /** The rules for the caller, including those of `ownerIds`, the owners of nodes or apps to be checked. Returns a value instead of a promise when the rules are in memory. */
  readonly rulesFor: (caller: Caller, ownerIds?: readonly string[]) => RulesOutcome | Promise<RulesOutcome>;
  /** `isNamed` from memory only: false while the owner's policies are not loaded. They are loaded after `rulesFor` was called with that owner. */
  readonly namesNow: (caller: Pick<Caller, 'userId' | 'keyId' | 'roles'>, resource: GuardedResource) => boolean;
};
