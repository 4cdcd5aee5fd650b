/** Runs one request at a time in a session: acquires its lease, renews it during the work, and always releases it. */

import type { SessionChanged } from '../events/session-watch.ts';
import type {
  SessionRecord,
  SessionSnapshot,
  SessionStore,
  StorageBounds,
  Transition,
  Unseen,
  UserAndApp,
} from './session-store.ts';
import { type LeaseDeps, withLease } from './with-lease.ts';

export type SessionLeaseDeps = LeaseDeps & {
  readonly store: Pick<SessionStore, 'acquire' | 'renew' | 'release' | 'commit'>;
  /** Session ids and keys of starts that this process is working on. A duplicate request on the same gateway is refused without a read of the storage. */
  readonly inFlight: Set<string>;
  /** Creates a name for each attempt, unique across all gateways. */
  readonly newHolder: () => string;
  readonly changed: SessionChanged;
};

export type LeasedSession = {
  /** The session after the lease was acquired. */
  readonly snapshot: SessionSnapshot;
  /**
   * Whether this request still owns the lease, to be called before anything that cannot be reversed. Answered from memory, unless the process was suspended or renewals failed:
   * then the storage is read, and its `Unavailable` may be thrown. After `false` nothing can be committed.
   */
  readonly isOurs: () => Promise<boolean>;
  /** As `SessionStore.commit`. Call it at the end; call it again only after `marked`. */
  readonly commit: (
    transition: Transition,
    bounds?: StorageBounds,
    unseen?: Unseen,
  ) => ReturnType<SessionStore['commit']>;
  /** As `SessionStore.acquire` returned it. */
  readonly userAndApp: UserAndApp | undefined;
};

type Wanted = {
  readonly sessionId: string;
  readonly idempotencyKey?: string | undefined;
  /** As `SessionStore.acquire`. */
  readonly seen?: SessionRecord | undefined;
};

/** `running`: another request has the lease. `over`: the session has ended or does not exist. Throws what the work and the storage throw. */
export async function withSessionLease<T>(
  deps: SessionLeaseDeps,
  { sessionId, idempotencyKey, seen }: Wanted,
  work: (leased: LeasedSession) => Promise<T>,
): Promise<T | 'running' | 'over'> {
  const { inFlight } = deps;
  if (inFlight.has(sessionId)) return 'running';
  inFlight.add(sessionId);
  try {
    return await leaseAndWork(deps, { sessionId, idempotencyKey, seen }, work);
  } finally {
    inFlight.delete(sessionId);
  }
}

async function leaseAndWork<T>(
  deps: SessionLeaseDeps,
  { sessionId, idempotencyKey, seen }: Wanted,
  work: (leased: LeasedSession) => Promise<T>,
): Promise<T | 'running' | 'over'> {
  const { store, leaseMs, clock } = deps;
  const askedAtMs = clock.monotonic();
  const acquired = await store.acquire(sessionId, deps.newHolder(), leaseMs, idempotencyKey, seen);
  if (acquired.kind !== 'acquired') return acquired.kind;
  const { lease, snapshot, userAndApp } = acquired;
  const stored = {
    askedAtMs,
    renew: (ttlMs: number) => store.renew(lease, ttlMs),
    release: () => store.release(lease),
  };
  return withLease(deps, stored, ({ isOurs, used }) =>
    work({
      snapshot,
      userAndApp,
      isOurs,
      async commit(transition, bounds, unseen) {
        const outcome = await store.commit(lease, transition, bounds, unseen);
        if (outcome !== 'committed') return outcome;
        used();
        deps.changed(sessionId);
        return outcome;
      },
    }),
  );
}
