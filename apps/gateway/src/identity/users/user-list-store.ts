/** The storage interface of the list of users. Every engine passes the same tests. */

export type KnownUser = {
  readonly userId: string;
  /** The latest use stored with the user's keys and usage; undefined before the first use. */
  readonly lastSeenAtMs?: number;
  /** The number of keys that are neither revoked nor expired. */
  readonly keys: number;
};

export type UserSearch = {
  /** Part of the id; ASCII letters match in either case. Empty: every user. */
  readonly search: string;
  /** Only users after this one, in the order of the store. */
  readonly after?: string;
  readonly limit: number;
  readonly nowMs: number;
};

export type UserListStore = {
  /** Users with API keys or usage, by id. Visits a bounded number of users: `next` is the last one visited, undefined at the end. @throws Unavailable */
  list(search: UserSearch): Promise<{ readonly users: readonly KnownUser[]; readonly next?: string }>;
};
