/** What remembering secrets needs from storage: their marks, never themselves. Every engine passes `test/contracts/secret-mark-store-contract.ts`. */

/** Marks of one user with one app; the oldest are forgotten for new ones. */
export const mostKeptMarks = 500;

/** Every method throws `Unavailable` when the storage does not answer in time; then it may have been done or not. */
export type SecretMarkStore = {
  /** Of the user's secrets with the app, newest first, at most `mostKeptMarks`. */
  find(userId: string, appId: string): Promise<readonly string[]>;

  /** Keeps these too, as the newest; what is there already becomes so. Of many at once none is lost but for the bound. */
  remember(
    owner: { readonly userId: string; readonly appId: string },
    marks: readonly string[],
    atMs: number,
  ): Promise<void>;
};
