/** What a lease on something that only one process may do needs from storage. Every engine passes `test/contracts/lease-store-contract.ts`. */

/**
 * One lease on a name. `token` is the fencing token: each lease on a name has a higher one than all before it, so storage can refuse what an earlier holder still tries to write.
 * A name alone, without its token, proves nothing.
 */
export type Lease = { readonly name: string; readonly token: number };

export type LeaseAttempt =
  | { readonly acquired: true; readonly lease: Lease }
  /** `expiresInMs` is when to ask again; the holder may renew meanwhile. */
  | { readonly acquired: false; readonly holder: string; readonly expiresInMs: number };

/**
 * Times are measured by one clock for all processes: the database server's on PostgreSQL, the machine's on SQLite, which only processes of one machine share. When that
 * clock steps, leases end early or late, and a second holder may start while the first still believes in its lease: the fence keeps the first one's writes out, not the time.
 * Every method throws `Unavailable` when the storage does not answer in time; then it may have been done or not, and repeating is safe.
 */
export type LeaseStore = {
  /**
   * The lease for `ttlMs` when the name has none, its lease has expired, or `holder` itself has it (its earlier token is then worth nothing, so a holder names one
   * worker, not one machine). Of many attempts at once one succeeds.
   */
  acquire(name: string, holder: string, ttlMs: number): Promise<LeaseAttempt>;

  /** Extends the lease to `ttlMs` from now. `false` when somebody acquired the name since, or it was released; an expired lease that nobody took can be renewed. */
  renew(lease: Lease, ttlMs: number): Promise<boolean>;

  /** Others may acquire from now on, and the fence refuses this lease. `false` when it was no longer held; repeating is harmless. */
  release(lease: Lease): Promise<boolean>;
};
