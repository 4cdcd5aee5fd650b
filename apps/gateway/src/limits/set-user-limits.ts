/**
 * Sets and removes a user's own limits. They apply on this gateway when the call resolves, on the other gateways within seconds
 * (contract/administration#limits-of-a-user).
 */

import { ok, type Result, refused } from '@flowgate/base/result';
import { checkedBody } from '@flowgate/body-schema/checked-body';
import type { Actor } from '../audit/audit-note.ts';
import type { UserLimits } from './user-limits.ts';
import { maxUsersWithLimits, type UserLimitsStore } from './user-limits-store.ts';
import { userLimitsInput } from './user-limits-wire.ts';

export type SetUserLimitsDeps = {
  readonly limitsStore: Pick<UserLimitsStore, 'set' | 'remove'>;
  /** Notifies the other gateways. Resolves when the change applies on this gateway. */
  readonly limitsChanged: () => Promise<void>;
};

/** A body without any limit removes the user's limits. Throws `Unavailable`: the limits may then be set or not, and repeating is safe. */
export async function setUserLimits(
  deps: SetUserLimitsDeps,
  actor: Actor,
  userId: string,
  body: unknown,
): Promise<Result<UserLimits, 'bad-request' | 'conflict'>> {
  const input = checkedBody(userLimitsInput.schema(), body);
  if (!input.ok) return input;
  const limits = present(input.value);
  if (Object.keys(limits).length === 0) {
    await removeUserLimits(deps, actor, userId);
    return ok({});
  }
  const note = { actor, action: 'limits.set', target: userId, details: limits } as const;
  const outcome = await deps.limitsStore.set(userId, limits, maxUsersWithLimits, note);
  if (outcome === 'full')
    return refused('conflict', `${maxUsersWithLimits} users have limits of their own already; remove some first.`);
  await deps.limitsChanged();
  return ok(limits);
}

/** Idempotent. Throws `Unavailable` like `setUserLimits`. */
export async function removeUserLimits(deps: SetUserLimitsDeps, actor: Actor, userId: string): Promise<void> {
  await deps.limitsStore.remove(userId, { actor, action: 'limits.removed', target: userId, details: {} });
  await deps.limitsChanged();
}

function present(given: { readonly [K in keyof UserLimits]-?: UserLimits[K] | undefined }): UserLimits {
  const { userPerMinute, sessionPerMinute, maxActiveKeys, nodes } = given;
  return {
    ...(userPerMinute === undefined ? {} : { userPerMinute }),
    ...(sessionPerMinute === undefined ? {} : { sessionPerMinute }),
    ...(maxActiveKeys === undefined ? {} : { maxActiveKeys }),
    ...(nodes === undefined ? {} : { nodes }),
  };
}
