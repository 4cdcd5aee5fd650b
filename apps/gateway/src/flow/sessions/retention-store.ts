/** The storage for the removal of old sessions. Every engine passes `flow/sessions/retention-store.contract.ts`. */

/** Every method takes a fraction of a second, regardless of the amount of data, and throws `Unavailable` if the storage does not answer in time; the operation may then be done or not. */
export type RetentionStore = {
  /**
   * Removes up to `limit` sessions that ended at `endedByMs` or before, in the order of their ends; fewer if they are large. Removed sessions are no longer found. Never removes
   * an active session or one that ended later, even under concurrent changes. Their reserved payments are removed too. Payments that were or may have been settled remain as the
   * record of money. `clearRemains` deletes their responses and events. Returns how many were removed.
   */
  removeEnded(endedByMs: number, limit: number): Promise<number>;

  /** Like `removeEnded`, for users who store more than `bytes`: handles up to 200 users, and for each up to `limit` of the sessions that were started first. */
  removeOfFull(bytes: number, endedByMs: number, limit: number): Promise<number>;

  /** Deletes some of the responses and events of removed sessions. Returns whether there may be more. Other sessions are not touched. */
  clearRemains(): Promise<boolean>;
};
