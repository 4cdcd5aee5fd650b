/** Who wants to know that something happened in a session: told by whoever committed it. */

/** Called after a commit, on the node that made it. Never throws, never waits. */
export type SessionChanged = (sessionId: string) => void;
