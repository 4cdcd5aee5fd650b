/** What remembering secrets needs from storage: their marks, never themselves. Every engine passes `test/contracts/secret-mark-store-contract.ts`. */

/** Every method throws `Unavailable` when the storage does not answer in time; then it may have been done or not. */
export type SecretMarkStore = {
  /** Of the user's secrets with the app, newest first, at most `most`. */
  find(userId: string, appId: string, most: number): Promise<readonly string[]>;

  /** Keeps these too, as the newest; what is there already becomes so. Of the owner's then the `most` newest are kept. Of many at once none is lost but for that. */
  remember(
    owner: { readonly userId: string; readonly appId: string },
    marks: readonly string[],
    atMs: number,
    most: number,
  ): Promise<void>;
};
