/**
 * The policies about one resource, or about every resource of a kind (`*`), by effect and subject. A caller costs a few look-ups for any number of policies.
 */

import type { Caller } from '../api/caller.ts';
import { everything, type PolicyEffect, type PolicyRecord } from './policy.ts';
import { type Asked, earlier, RuleMatcher } from './rule-matcher.ts';

export type AskingCaller = Pick<Caller, 'userId' | 'keyId' | 'roles'>;

type BySubject = {
  everyone: RuleMatcher | undefined;
  readonly users: Map<string, RuleMatcher>;
  readonly keys: Map<string, RuleMatcher>;
  readonly roles: Map<string, RuleMatcher>;
};

type Sorted = {
  readonly deny: BySubject;
  readonly allow: BySubject;
  /** The first allow, and the first that does not name only others. */
  readonly anyAllow: PolicyRecord | undefined;
  readonly ownersAllow: PolicyRecord | undefined;
};

/** Whether the policy may match a request of its owner: otherwise it names only others. */
export type NamesOwner = (policy: PolicyRecord) => boolean;

export class ResourceRules {
  readonly #policies = new Map<string, PolicyRecord>();
  /** Sorted at the first read after a change, so that consecutive changes cost nothing. */
  #sorted: Sorted | undefined;

  constructor(readonly namesOwner: NamesOwner) {}

  get size(): number {
    return this.#policies.size;
  }

  get policies(): Iterable<PolicyRecord> {
    return this.#policies.values();
  }

  set(policy: PolicyRecord): void {
    this.#policies.set(policy.policyId, policy);
    this.#sorted = undefined;
  }

  delete(policyId: string): void {
    this.#policies.delete(policyId);
    this.#sorted = undefined;
  }

  /** The first policy with this effect that names the caller and matches the use. */
  first(effect: PolicyEffect, caller: AskingCaller, asked: Asked): PolicyRecord | undefined {
    const by = this.#sort()[effect];
    let found = by.everyone?.first(asked, effect);
    if (by.users.size > 0) found = earlier(found, by.users.get(caller.userId)?.first(asked, effect));
    if (caller.keyId !== undefined && by.keys.size > 0)
      found = earlier(found, by.keys.get(caller.keyId)?.first(asked, effect));
    if (by.roles.size > 0)
      for (const role of caller.roles) found = earlier(found, by.roles.get(role)?.first(asked, effect));
    return found;
  }

  /** Whether an allow names the caller, regardless of its methods. */
  names({ userId, keyId, roles }: AskingCaller): boolean {
    const { allow } = this.#sort();
    return (
      allow.everyone !== undefined ||
      allow.users.has(userId) ||
      (keyId !== undefined && allow.keys.has(keyId)) ||
      (allow.roles.size > 0 && roles.some((role) => allow.roles.has(role)))
    );
  }

  /** The first allow that counts: any, or the first that may concern the owner of the policies. */
  firstAllow(counts: 'any' | 'naming-the-owner'): PolicyRecord | undefined {
    const { anyAllow, ownersAllow } = this.#sort();
    return counts === 'any' ? anyAllow : ownersAllow;
  }

  #sort(): Sorted {
    if (this.#sorted !== undefined) return this.#sorted;
    const ordered = [...this.#policies.values()].sort((one, other) => (one.policyId < other.policyId ? -1 : 1));
    const sides = { deny: emptySide(), allow: emptySide() };
    for (const policy of ordered)
      for (const subject of new Set(policy.subjects)) add(sides[policy.effect], subject, policy);
    const allows = ordered.filter(({ effect }) => effect === 'allow');
    this.#sorted = { ...sides, anyAllow: allows[0], ownersAllow: allows.find(this.namesOwner) };
    return this.#sorted;
  }
}

function emptySide(): BySubject {
  return { everyone: undefined, users: new Map(), keys: new Map(), roles: new Map() };
}

function add(by: BySubject, subject: string, policy: PolicyRecord): void {
  if (subject === everything) {
    by.everyone ??= new RuleMatcher();
    by.everyone.add(policy);
    return;
  }
  const { kind, id } = subjectOf(subject);
  const side = kind === 'user' ? by.users : kind === 'key' ? by.keys : by.roles;
  const matcher = side.get(id) ?? new RuleMatcher();
  side.set(id, matcher);
  matcher.add(policy);
}

/** The parts of `user:<id>`, `key:<keyId>` and `role:<role>`; the id may contain colons. */
export function subjectOf(subject: string): { readonly kind: string; readonly id: string } {
  const colon = subject.indexOf(':');
  return { kind: subject.slice(0, colon), id: subject.slice(colon + 1) };
}
