/** Applies policies to reads over REST of networks, nodes, contracts and apps (contract/firewall-resources#rest). */

import type { Refused } from '@flowgate/base/result';
import { refused } from '@flowgate/base/result';
import type { Caller } from './caller.ts';
import type { Firewall, GuardedResource } from './firewall.ts';

const unknownPolicies = refused('unavailable', 'The policies cannot be read right now.');

/** Undefined if the caller may read all of `resources`. They describe one thing: a node, for example, together with its network. */
export async function readRefusal(
  firewall: Firewall,
  caller: Caller,
  resources: readonly GuardedResource[],
): Promise<Refused<'denied' | 'unavailable'> | undefined> {
  const permitted = await permittedReads(firewall, caller, [resources], (each) => each);
  if ('reason' in permitted) return permitted;
  return permitted.length === 0 ? refused('denied') : undefined;
}

/** The entries of a list that the caller may read. */
export async function permittedReads<T>(
  firewall: Firewall,
  caller: Caller,
  entries: readonly T[],
  resourcesOf: (entry: T) => readonly GuardedResource[],
): Promise<readonly T[] | Refused<'unavailable'>> {
  if (firewall.isIdle) return entries;
  const owners = entries.flatMap((entry) => resourcesOf(entry).flatMap(({ ownerId }) => ownerId ?? []));
  const rules = await firewall.rulesFor(caller, [...new Set(owners)]);
  if (rules === 'unavailable') return unknownPolicies;
  return entries.filter((entry) => resourcesOf(entry).every((resource) => rules.allows(resource, {})));
}
