/** What must not happen at once to what one user of Flow Apps keeps. */

/**
 * For `serialiseOn`. What a user keeps is counted, and two sessions of one user and app could lock the names that they change in different orders. A commit that has looked for subscriptions must
 * find the same ones until it ends, so that no event passes by one that is there, and as many deliveries wait as are counted.
 */
export function serialiseUser(userId: string): string {
  return `flow sessions of ${userId}`;
}
