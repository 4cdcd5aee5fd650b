/** What removing old sessions needs from storage. Every engine passes `test/contracts/retention-store-contract.ts`. */

/** Every method is done in a small part of a second, however much there is, and throws `Unavailable` when the storage does not answer in time; then it may have been done or not. */
export type RetentionStore = {
  /**
   * Removes up to `limit` sessions that were over at `endedByMs` or before, longest over first, fewer when they are large: from then on nobody finds them. Never an active
   * one, and none that ended later, whoever else is at it. Payments of theirs that were only reserved go with them; those that were settled, or may have been, stay as the record
   * of money. Their responses and events are left to `clearRemains`. How many were removed.
   */
  removeEnded(endedByMs: number, limit: number): Promise<number>;

  /**
   * As `removeEnded`, for users who keep more than `bytes` in all, from 200 of them: of each the sessions that were started first. Together they are `limit` for each user.
   */
  removeOfFull(bytes: number, endedByMs: number, limit: number): Promise<number>;

  /** Deletes a part of the responses and events that removed sessions left; whether there may be more. Nothing of other sessions is touched. */
  clearRemains(): Promise<boolean>;
};
