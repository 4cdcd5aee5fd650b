/** Decides whether policies permit a use: implements `api/firewall` from memory (contract/firewall#decision). */

import type { Caller } from '../api/caller.ts';
import type { CallerRules, Firewall, GuardedResource, RulesOutcome } from '../api/firewall.ts';
import { decide, hasOwnerScope, isNamedIn, type Scopes } from './decide.ts';
import type { KnownPolicies } from './known-policies.ts';
import { globalOwner } from './policy.ts';
import type { PolicyIndex } from './policy-index.ts';

const noRules: CallerRules = { allows: () => true, isNamed: () => false, concerns: () => false };

/** The policies of users. A user who is not in the map has none. */
type ByUser = ReadonlyMap<string, PolicyIndex>;

const noUsers: ByUser = new Map();

export function createFirewall(known: KnownPolicies): Firewall {
  return {
    get isIdle() {
      return known.isEmpty();
    },
    rulesFor(caller, ownerIds = []) {
      if (known.isEmpty()) return noRules;
      const scopes = scopesFor(known, caller.userId, ownerIds);
      return scopes instanceof Promise ? scopes.then((found) => rulesOf(found, caller)) : rulesOf(scopes, caller);
    },
    namesNow(caller, resource) {
      if (known.isEmpty() || known.global() === undefined || !hasOwnerScope(resource, caller)) return false;
      const index = known.of(resource.ownerId ?? globalOwner);
      return typeof index !== 'string' && isNamedIn(index, caller, resource);
    },
  };
}

type Lookups = Pick<KnownPolicies, 'global' | 'of' | 'lookUp'>;

/** All policies that can decide for a user; undefined when they are not known. */
export type KnownScopes = { readonly global: PolicyIndex; readonly byUser: ByUser };

export function scopesFor(
  known: Lookups,
  userId: string,
  ownerIds: readonly string[],
): KnownScopes | undefined | Promise<KnownScopes | undefined> {
  const global = known.global();
  if (global === undefined) return undefined;
  const byUser = usersKnown(known, userId, ownerIds);
  return byUser === undefined ? lookUpAll(known, userId, ownerIds) : { global, byUser };
}

/** Undefined: some of them have to be looked up. */
function usersKnown(known: Lookups, userId: string, ownerIds: readonly string[]): ByUser | undefined {
  const own = known.of(userId);
  if (own === 'unknown') return undefined;
  if (ownerIds.length === 0) return own === 'none' ? noUsers : new Map([[userId, own]]);
  const byUser = new Map<string, PolicyIndex>();
  if (own !== 'none') byUser.set(userId, own);
  for (const ownerId of ownerIds) {
    const index = known.of(ownerId);
    if (index === 'unknown') return undefined;
    if (index !== 'none') byUser.set(ownerId, index);
  }
  return byUser;
}

/** Concurrent look-ups of one request. A list of nodes needs the policies of all their owners, which would otherwise delay other requests' statements. */
const lookUpsAtOnce = 16;

async function lookUpAll(
  known: Lookups,
  userId: string,
  ownerIds: readonly string[],
): Promise<KnownScopes | undefined> {
  const looked = new Map<string, PolicyIndex>();
  const waiting = [userId, ...ownerIds].values();
  let isUnavailable = false;
  const work = async () => {
    for (const each of waiting) {
      const index = known.of(each);
      const found = index === 'unknown' ? await known.lookUp(each) : index;
      if (found === undefined) isUnavailable = true;
      if (isUnavailable) return;
      if (found !== undefined && found !== 'none') looked.set(each, found);
    }
  };
  await Promise.all(Array.from({ length: Math.min(lookUpsAtOnce, ownerIds.length + 1) }, work));
  if (isUnavailable) return undefined;
  const global = known.global();
  return global === undefined ? undefined : { global, byUser: looked };
}

function rulesOf(known: KnownScopes | undefined, caller: Caller): RulesOutcome {
  if (known === undefined) return 'unavailable';
  const { global, byUser } = known;
  const own = byUser.get(caller.userId);
  return {
    allows: (resource, use) => decide(scopesOf(known, caller, resource), caller, resource, use).allowed,
    isNamed: (resource) => isNamedIn(ownersOf(known, caller, resource), caller, resource),
    concerns: (kind) =>
      global.count(kind) > 0 ||
      (own?.count(kind) ?? 0) > 0 ||
      (isOwnable(kind) && [...byUser.values()].some((each) => each.count(kind) > 0)),
  };
}

function isOwnable(kind: GuardedResource['kind']): boolean {
  return kind === 'node' || kind === 'app';
}

/** The scopes that decide about this resource. */
export function scopesOf(
  { global, byUser }: KnownScopes,
  caller: Pick<Caller, 'userId'>,
  resource: GuardedResource,
): Scopes {
  return {
    global,
    own: byUser.get(caller.userId),
    owner: ownersOf({ global, byUser }, caller, resource),
  };
}

function ownersOf(
  { byUser }: KnownScopes,
  caller: Pick<Caller, 'userId'>,
  resource: GuardedResource,
): PolicyIndex | undefined {
  return hasOwnerScope(resource, caller) ? byUser.get(resource.ownerId ?? globalOwner) : undefined;
}
