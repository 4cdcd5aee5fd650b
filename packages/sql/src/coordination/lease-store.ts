/**
 * The storage interface of leases, for jobs that only one process may do. Every engine passes
 * `packages/sql/test/lease-store-contract.ts`.
 */

/**
 * One lease on a name. `token` is the fencing token: each lease on a name has a higher one than all before it, so storage can refuse the writes of an earlier
 * holder. A name without its token proves nothing.
 */
export type Lease = { readonly name: string; readonly token: number };

export type LeaseAttempt =
  | { readonly acquired: true; readonly lease: Lease }
  /** `expiresInMs`: when to ask again; the holder may renew meanwhile. */
  | { readonly acquired: false; readonly holder: string; readonly expiresInMs: number };

/**
 * Times are measured by one clock for all processes: the database server's on PostgreSQL, the machine's on SQLite,
 * which only processes of one machine share. When that clock is set, leases end early or late, and a second holder may
 * start while the first still assumes that it has the lease. The fence, not the time, then rejects the first one's
 * writes.
 *
 * Every method throws `Unavailable` when the storage does not answer in time. The operation may have been done or not,
 * and repeating it is safe.
 */
export type LeaseStore = {
  /**
   * Grants a lease for `ttlMs` when the name has none, when its lease has expired, or when `holder` itself has it (its earlier token then becomes invalid, so a
   * holder names one worker, not one machine). Of many attempts at once one succeeds.
   */
  acquire(name: string, holder: string, ttlMs: number): Promise<LeaseAttempt>;

  /**
   * Extends the lease to `ttlMs` from now. `false` when another holder has acquired the name since, or when the lease
   * was released. An expired lease that no other holder acquired can be renewed.
   */
  renew(lease: Lease, ttlMs: number): Promise<boolean>;

  /**
   * From now on others may acquire the name, and the fence refuses this lease. `false` when the lease was no longer the
   * latest one or was released before. Idempotent.
   */
  release(lease: Lease): Promise<boolean>;
};
