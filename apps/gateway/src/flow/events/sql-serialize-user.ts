/** Serializes the transactions that change the stored data of one user of Flow Apps. */

/**
 * For `serializeOn`. The counters of a user must not change concurrently, and two sessions of one user and app could lock the rows of app data in different orders. The
 * subscriptions that a commit has found must stay the same until it ends, so that no subscription misses an event and the counters of pending deliveries are exact.
 */
export function serializeUser(userId: string): string {
  return `flow sessions of ${userId}`;
}
