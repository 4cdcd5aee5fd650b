/** The interface by which the HTTP edge checks rate limits; `limits/` implements it (contract/limits). */

/** The limiter's decision, with the values of the response headers. */
export type Admission = {
  readonly admitted: boolean;
  /** Requests allowed in any 60 s, by the tighter of the limits that apply. */
  readonly limit: number;
  readonly remaining: number;
  /** Unix time in milliseconds when the oldest counted request leaves the window. */
  readonly resetAtMs: number;
  /** Time until the refused cost fits; 0 when admitted. A request after this time succeeds unless other requests use the limit first. */
  readonly retryAfterMs: number;
};

/**
 * Decides all limits of a request together: a refused request counts against none of them. `cost` is the number of JSON-RPC messages in a batch, otherwise 1, and never above the
 * user's whole limit.
 */
export type RateLimiter = {
  readonly admit: (userId: string, cost: number, sessionId?: string) => Admission | Promise<Admission>;
  /** The user's whole limit. A batch with more messages can never be admitted. */
  readonly userLimit: (userId: string) => number;
  /** The decision that `admit` would return from this process's own state. Counts nothing. */
  readonly peek: (userId: string, cost: number) => Admission;
};
