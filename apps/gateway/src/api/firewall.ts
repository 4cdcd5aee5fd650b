/** The port by which surfaces ask whether policies permit something; `firewall/` implements it (contract/firewall). */

import type { Caller } from './caller.ts';

/** A resource as policies name it. */
export type GuardedResource = {
  readonly kind: 'network' | 'node' | 'contract' | 'app';
  /** `ethereum/dev`, a node's id, `ethereum/dev/0x…` in lower case or `ethereum/dev/create`, `publisher/slug`. */
  readonly key: string;
  /** The user to whom the node or app belongs; absent for an operator's. */
  readonly ownerId?: string | undefined;
};

/** What is done with the resource. */
export type GuardedUse = {
  /** Networks and nodes: the decoded name. Absent for what calls no method. */
  readonly method?: string | undefined;
  /** Contracts: `0x` and 8 digits, lower case; absent with less than four bytes of data. */
  readonly selector?: string | undefined;
  /** Contracts: the same with missing bytes as zeros. */
  readonly paddedSelector?: string | undefined;
};

/** The policies that decide for one caller, as they are now: ask again for the next request. */
export type CallerRules = {
  readonly allows: (resource: GuardedResource, use: GuardedUse) => boolean;
  /** Whether an allow of the resource's owner names the caller, who then sees it. */
  readonly isNamed: (resource: GuardedResource) => boolean;
  /** Whether a policy about resources of this kind is in a scope that is asked for the caller, whatever its resource and subjects are. */
  readonly concerns: (kind: GuardedResource['kind']) => boolean;
};

/** `unavailable`: what policies there are is not known (any more), so what one could refuse is refused with 503. */
export type RulesOutcome = CallerRules | 'unavailable';

export type Firewall = {
  /** True: there is certainly no policy, so nothing has to be asked. */
  readonly isIdle: boolean;
  /** The rules for the caller, with those of the owners of nodes or apps that may be asked about. Synchronous when they are in memory. */
  readonly rulesFor: (caller: Caller, ownerIds?: readonly string[]) => RulesOutcome | Promise<RulesOutcome>;
  /** `isNamed`, as far as memory tells: false, too, while the owner's policies are not there. Once `rulesFor` has answered for that owner, they are. */
  readonly namesNow: (caller: Pick<Caller, 'userId' | 'keyId' | 'roles'>, resource: GuardedResource) => boolean;
};
