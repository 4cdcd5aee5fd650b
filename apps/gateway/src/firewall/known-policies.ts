/** This gateway's copy of policies: all global ones, which users have policies, and the policies of users with recent requests (docs/decisions/0078). */

import type { PubSub } from '@flowgate/async/pub-sub';
import type { Clock } from '@flowgate/base/clock';
import { createSharedCopy, type Loaded } from '@flowgate/sql/coordination/shared-copy';
import type { Log } from '@flowgate/telemetry/log';
import { globalOwner, type PolicyRecord } from './policy.ts';
import { PolicyIndex } from './policy-index.ts';
import type { PolicyStore } from './policy-store.ts';
import { subjectOf } from './resource-rules.ts';
import { type LoadedPolicies, lastKnownMs, UserPolicies } from './user-policies.ts';

export type KnownPoliciesDeps = {
  readonly store: Pick<PolicyStore, 'readRevision' | 'changedSince' | 'writtenSince' | 'idsOf' | 'keysOf'>;
  readonly pubSub?: PubSub | undefined;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** The maximum number of bytes of users' policies in memory. */
  readonly maxBytes?: number;
};

/** `none`: the user certainly has no policies. */
export type UserKnowledge = PolicyIndex | 'none' | 'unknown';

export type KnownPolicies = {
  /** True when certainly no policy exists; false while that is uncertain. */
  readonly isEmpty: () => boolean;
  /** Undefined: the policies are unknown, or the copy is too old. */
  readonly global: () => PolicyIndex | undefined;
  /** `unknown`: the policies have to be looked up. */
  readonly of: (userId: string) => UserKnowledge;
  /** Undefined: the store is unavailable. Never rejects for that reason. */
  readonly lookUp: (userId: string) => Promise<PolicyIndex | undefined>;
  /** Call it after the commit of a change of the owner's policies. @throws Unavailable */
  readonly changed: (ownerId: string) => Promise<void>;
  /** Loads what every request needs. @throws Unavailable */
  readonly load: () => Promise<void>;
  /** Starts listening and polling; the returned function ends both. */
  readonly start: (pollMs?: number) => () => void;
};

/** Rows read at a time; a policy has at most 30 KiB. */
const rowsAtOnce = 500;
const ownersAtOnce = 5_000;
/** The maximum number of global policies. */
export const maxGlobalPolicies = 10_000;
/** The maximum number of policies of one user. */
export const maxOwnPolicies = 100;
/** After this time without an answer of the store, it is no longer certain that no policy exists. Polls run every 4 s. */
const certainMs = 10_000;
const checkMs = 1_000;

/** One index for the life of the process: loads change it, one policy after another. */
type PolicyCopy = { readonly global: PolicyIndex; readonly owners: Set<string> };

export function createKnownPolicies({ store, pubSub, clock, log, maxBytes }: KnownPoliciesDeps): KnownPolicies {
  const users = new UserPolicies({
    load: (userId) => loadUser(store, userId),
    clock,
    ...(maxBytes === undefined ? {} : { maxBytes }),
  });
  let isEmpty = false;
  const copy = createSharedCopy<PolicyCopy>({
    name: 'policies',
    readRevision: () => store.readRevision(),
    load: (previous) => loadChanges(store, previous, (userId) => users.forget(userId)),
    onLoad: check,
    pubSub,
    clock,
    log,
  });

  function check(): void {
    const current = copy.current();
    isEmpty =
      current !== undefined && current.global.size === 0 && current.owners.size === 0 && copy.ageMs() < certainMs;
  }
  const isRecent = () => copy.ageMs() < lastKnownMs;

  return {
    isEmpty: () => isEmpty,
    global: () => (isRecent() ? copy.current()?.global : undefined),
    of(userId) {
      if (copy.current()?.owners.has(userId) === false) return 'none';
      return users.known(userId) ?? 'unknown';
    },
    lookUp: (userId) => users.lookUp(userId),
    async changed(ownerId) {
      users.forget(ownerId);
      await copy.changed();
    },
    load: () => copy.reload(),
    start(pollMs) {
      const stop = copy.start(pollMs);
      const timer = setInterval(check, Math.min(checkMs, pollMs ?? checkMs));
      timer.unref();
      return () => {
        clearInterval(timer);
        stop();
      };
    },
  };
}

/** Updates the copy, owner by owner. If it fails half-way, the next load repeats it. */
async function loadChanges(
  store: KnownPoliciesDeps['store'],
  previous: Loaded<PolicyCopy> | undefined,
  forget: (userId: string) => void,
): Promise<Loaded<PolicyCopy>> {
  const revision = await store.readRevision();
  const value = previous?.value ?? { global: new PolicyIndex(), owners: new Set() };
  const since = previous?.revision ?? 0;
  for (let after = since; ; ) {
    const changed = await store.changedSince(after, ownersAtOnce);
    for (const { ownerId, policies } of changed) {
      if (ownerId === globalOwner) await loadGlobal(store, value.global, since, policies);
      else if (policies === 0) value.owners.delete(ownerId);
      else value.owners.add(ownerId);
      if (ownerId !== globalOwner) forget(ownerId);
    }
    const last = changed.length < ownersAtOnce ? undefined : changed.at(-1);
    if (last === undefined) return { revision, value };
    after = last.revision;
  }
}

/** Reads policies written since; and the ids of those that remain, if there are fewer than in the copy. */
async function loadGlobal(
  store: KnownPoliciesDeps['store'],
  global: PolicyIndex,
  since: number,
  policies: number,
): Promise<void> {
  for (let after = since; ; ) {
    const written = await store.writtenSince(globalOwner, after, rowsAtOnce);
    for (const { policy } of written) global.set(policy);
    const last = written.length < rowsAtOnce ? undefined : written.at(-1);
    if (last === undefined) break;
    after = last.revision;
  }
  if (global.size === policies) return;
  const left = new Set(await store.idsOf(globalOwner, maxGlobalPolicies));
  for (const policyId of [...global.policyIds]) if (!left.has(policyId)) global.delete(policyId);
}

/** Bytes that an index takes in addition to the texts of its policies; measured (docs/decisions/0078). */
const bytesOfIndex = 2_048;
const bytesOfPolicy = 1_536;

async function loadUser(store: KnownPoliciesDeps['store'], userId: string): Promise<LoadedPolicies> {
  const policies = (await store.writtenSince(userId, 0, maxOwnPolicies)).map(({ policy }) => policy);
  const keyIds = new Set(policies.filter(isShare).flatMap(({ subjects }) => subjects.flatMap(namedKey)));
  const own = new Set(keyIds.size === 0 ? [] : await store.keysOf(userId, [...keyIds]));
  const namesOwner = ({ subjects }: PolicyRecord) =>
    subjects.some(
      (subject) => subject === '*' || subject === `user:${userId}` || namedKey(subject).some((keyId) => own.has(keyId)),
    );
  const bytes = policies.reduce((sum, policy) => sum + bytesOfPolicy + 4 * textLength(policy), bytesOfIndex);
  return { index: new PolicyIndex(policies, namesOwner), bytes };
}

/** Only allows of nodes and apps are evaluated differently for their owner. */
function isShare({ effect, resource }: PolicyRecord): boolean {
  return effect === 'allow' && (resource.kind === 'node' || resource.kind === 'app');
}

function namedKey(subject: string): readonly string[] {
  const { kind, id } = subjectOf(subject);
  return kind === 'key' ? [id] : [];
}

function textLength({ subjects, methods = [], selectors = [] }: PolicyRecord): number {
  return [...subjects, ...methods, ...selectors].reduce((sum, text) => sum + text.length + 16, 0);
}
