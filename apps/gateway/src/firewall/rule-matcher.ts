/** The policies of one resource, effect and subject: finds the one that matches a method or a selector, for any number of policies. */

import { memoized } from '@flowgate/async/bounded-map';
import { createMethodGlob, type MethodGlob } from './method-glob.ts';
import { methodKey, type PolicyRecord } from './policy.ts';

/** What a use contains besides its resource. */
export type Asked = {
  /** Networks and nodes: the decoded method. Absent for uses without a method, such as a read over REST. */
  readonly method?: string | undefined;
  /** Contracts: `0x` and 8 digits, lower case; absent for a call with less than four bytes of data. */
  readonly selector?: string | undefined;
  /** Contracts: the same with missing bytes as zeros, for contracts that do not check the length. */
  readonly paddedSelector?: string | undefined;
};

/** Cached answers for methods. Callers use some dozens of names. */
const memoLimit = 256;

/** Used in place of empty maps, and never written to. */
const noNames = new Map<string, PolicyRecord>();
const noGlobs = new Map<string, { readonly glob: MethodGlob; readonly policy: PolicyRecord }>();

/** The globs of a policy, built once for all its subjects: a policy has up to 100 of each. */
const globsOfPolicies = new WeakMap<PolicyRecord, readonly MethodGlob[]>();

function globsOf(policy: PolicyRecord): readonly MethodGlob[] {
  const known = globsOfPolicies.get(policy);
  if (known !== undefined) return known;
  const globs = (policy.methods ?? []).map((method) => createMethodGlob(methodKey(method)));
  globsOfPolicies.set(policy, globs);
  return globs;
}

/**
 * If several policies match, the one with the lowest id counts, which is the oldest. It is built at its first use: most subjects of most policies never
 * occur, and together they would take a multiple of the policies' memory.
 */
export class RuleMatcher {
  #added: PolicyRecord[] = [];
  #always: PolicyRecord | undefined;
  /** By lower-case method, or by selector. */
  #names: Map<string, PolicyRecord> = noNames;
  #globs: Map<string, { readonly glob: MethodGlob; readonly policy: PolicyRecord }> = noGlobs;
  #firstOfName: ((name: string) => PolicyRecord | undefined) | undefined;

  /** Policies are added in the order of their ids. */
  add(policy: PolicyRecord): void {
    this.#added.push(policy);
  }

  #build(): void {
    const added = this.#added;
    this.#added = [];
    // The cached answers were computed without these policies.
    this.#firstOfName = undefined;
    for (const policy of added) this.#put(policy);
  }

  #put(policy: PolicyRecord): void {
    const { methods, selectors } = policy;
    if (methods === undefined && selectors === undefined) this.#always ??= policy;
    if (methods === undefined && selectors === undefined) return;
    if (this.#names === noNames) [this.#names, this.#globs] = [new Map(), new Map()];
    for (const selector of selectors ?? []) addFirst(this.#names, selector, policy);
    for (const glob of globsOf(policy)) {
      if (glob.isName) addFirst(this.#names, glob.glob, policy);
      else if (!this.#globs.has(glob.glob)) this.#globs.set(glob.glob, { glob, policy });
    }
  }

  /**
   * The first policy that matches. A policy with methods never denies a read, which has no method, but a caller who may call some of them may read. A policy
   * with selectors denies data that a contract could take for one of them, and allows only exact ones.
   */
  first({ method, selector, paddedSelector }: Asked, effect: PolicyRecord['effect']): PolicyRecord | undefined {
    if (this.#added.length > 0) this.#build();
    if (this.#names.size === 0 && this.#globs.size === 0) return this.#always;
    if (method !== undefined) return this.#firstFor(method);
    const asked = effect === 'deny' ? (paddedSelector ?? selector) : selector;
    if (asked !== undefined) return earlier(this.#always, this.#names.get(asked));
    return effect === 'allow' ? earlier(this.#always, this.#firstWithMethods()) : this.#always;
  }

  #firstFor(method: string): PolicyRecord | undefined {
    const name = methodKey(method);
    if (this.#globs.size === 0) return earlier(this.#always, this.#names.get(name));
    this.#firstOfName ??= memoized(memoLimit, (each: string) => this.#firstMatching(each));
    return this.#firstOfName(name);
  }

  #firstMatching(name: string): PolicyRecord | undefined {
    let found = earlier(this.#always, this.#names.get(name));
    for (const { glob, policy } of this.#globs.values()) if (glob.matches(name)) found = earlier(found, policy);
    return found;
  }

  #firstWithMethods(): PolicyRecord | undefined {
    let found: PolicyRecord | undefined;
    for (const policy of this.#names.values()) if (policy.methods !== undefined) found = earlier(found, policy);
    for (const { policy } of this.#globs.values()) found = earlier(found, policy);
    return found;
  }
}

export function earlier(one: PolicyRecord | undefined, other: PolicyRecord | undefined): PolicyRecord | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.policyId <= other.policyId ? one : other;
}

function addFirst(map: Map<string, PolicyRecord>, name: string, policy: PolicyRecord): void {
  if (!map.has(name)) map.set(name, policy);
}
