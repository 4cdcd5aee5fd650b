/** The storage for marks of secrets. Every engine passes `flow/secrets/secret-mark-store.contract.ts`. */

/** Every method throws `Unavailable` if the storage does not answer in time; the operation may then be done or not. */
export type SecretMarkStore = {
  /** The marks of the user's secrets with the app, newest first, at most `max`. */
  find(userId: string, appId: string, max: number): Promise<readonly string[]>;

  /** Adds the marks as the newest, including those that already exist, and deletes all but the owner's `max` newest. Concurrent calls lose nothing else. */
  remember(
    owner: { readonly userId: string; readonly appId: string },
    marks: readonly string[],
    atMs: number,
    max: number,
  ): Promise<void>;
};
