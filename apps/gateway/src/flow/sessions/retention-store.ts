/** The storage for the removal of old sessions. Every engine passes `flow/sessions/retention-store.contract.ts`. */

/** Every method takes a fraction of a second, however much is stored, and throws `Unavailable` when the storage does not answer in time; the operation may have been done or not. */
export type RetentionStore = {
  /**
   * Removes up to `limit` sessions that ended at `endedByMs` or before, in the order of their ends, fewer when they are large. Removed sessions are not found any more. Never removes an active
   * session or one that ended later, even under concurrent changes. Their reserved payments are removed too; payments that were settled, or may have been, stay as the record of money. Their
   * responses and events are left to `clearRemains`. Returns how many were removed.
   */
  removeEnded(endedByMs: number, limit: number): Promise<number>;

  /**
   * Like `removeEnded`, for users who keep more than `bytes`: handles up to 200 users, and for each up to `limit` of the sessions that were started first.
   */
  removeOfFull(bytes: number, endedByMs: number, limit: number): Promise<number>;

  /** Deletes some of the responses and events of removed sessions. Returns whether there may be more. Other sessions are not touched. */
  clearRemains(): Promise<boolean>;
};
