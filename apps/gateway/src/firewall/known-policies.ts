/** What this gateway knows of policies: all global ones, who has own ones, and those of the users who were asked for (docs/decisions/0078). */

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
  /** The most bytes of users' policies in memory. */
  readonly maxBytes?: number;
};

/** `none`: the user has no policies, for certain. */
export type UserKnowledge = PolicyIndex | 'none' | 'unknown';

export type KnownPolicies = {
  /** There is certainly no policy. False, too, while that is not certain. */
  readonly isEmpty: () => boolean;
  /** Undefined: what there is is not known, or too old. */
  readonly global: () => PolicyIndex | undefined;
  /** `unknown`: it has to be looked up. */
  readonly of: (userId: string) => UserKnowledge;
  /** Undefined: the store is unavailable. Never rejects for that. */
  readonly lookUp: (userId: string) => Promise<PolicyIndex | undefined>;
  /** Call it after the commit of a change of the owner's policies. @throws Unavailable */
  readonly changed: (ownerId: string) => Promise<void>;
  /** Loads what every request needs. @throws Unavailable */
  readonly load: () => Promise<void>;
  /** Starts listening and polling; the returned function ends both. */
  readonly start: (pollMs?: number) => () => void;
};

/** Rows read at a time: a policy has 30 KiB at most. */
const rowsAtOnce = 500;
const ownersAtOnce = 5_000;
/** The most global policies. */
export const maxGlobalPolicies = 10_000;
/** The most policies of one user. */
export const maxOwnPolicies = 100;
/** Without an answer of the store for so long, it is not certain any more that there is no policy. Polls come every 4 s. */
const certainMs = 10_000;
const checkMs = 1_000;

/** One for the life of the process: loads change it, one policy after another. */
type Held = { readonly global: PolicyIndex; readonly owners: Set<string> };

export function createKnownPolicies({ store, pubSub, clock, log, maxBytes }: KnownPoliciesDeps): KnownPolicies {
  const users = new UserPolicies({
    load: (userId) => loadUser(store, userId),
    clock,
    ...(maxBytes === undefined ? {} : { maxBytes }),
  });
  let isEmpty = false;
  const copy = createSharedCopy<Held>({
    name: 'policies',
    readRevision: () => store.readRevision(),
    load: (previous) => loadChanges(store, previous, (userId) => users.forget(userId)),
    onLoad: check,
    pubSub,
    clock,
    log,
  });

  function check(): void {
    const held = copy.current();
    isEmpty = held !== undefined && held.global.size === 0 && held.owners.size === 0 && copy.ageMs() < certainMs;
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

/** Brings what is held up to date, owner by owner. What fails half-way is done again by the next load. */
async function loadChanges(
  store: KnownPoliciesDeps['store'],
  previous: Loaded<Held> | undefined,
  forget: (userId: string) => void,
): Promise<Loaded<Held>> {
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

/** Reads what was written since; and which policies are left, when there are fewer than are held then. */
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

/** What an index takes beside the texts of its policies, in bytes; measured (docs/decisions/0078). */
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

/** Only allows of nodes and apps are read differently for their owner. */
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
