/** The storage interface of the list of users. Every engine passes the same tests. */

export type KnownUser = {
  readonly userId: string;
  /** The latest use that is stored with the user's keys and usage; undefined before the first one. */
  readonly lastSeenAtMs?: number;
  /** Keys that are neither revoked nor expired. */
  readonly keys: number;
};

export type UserSearch = {
  /** Part of the id; ASCII letters match in either case. Empty: every user. */
  readonly search: string;
  /** After this user, in the order of the store. */
  readonly after?: string;
  readonly limit: number;
  readonly nowMs: number;
};

export type UserListStore = {
  /** Users with API keys or usage, by id. Looks at a bounded number of users: `next` is where it got to, undefined at the end. @throws Unavailable */
  list(search: UserSearch): Promise<{ readonly users: readonly KnownUser[]; readonly next?: string }>;
};
