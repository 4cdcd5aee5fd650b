/** The port by which the HTTP edge asks for admission of a request; `limits/` implements it (contract/limits). */

/** The limiter's decision, in the terms of the response headers. */
export type Admission = {
  readonly admitted: boolean;
  /** Requests allowed in any 60 s by the tighter of the applied limits. */
  readonly limit: number;
  readonly remaining: number;
  /** Unix time in milliseconds when the oldest counted request leaves the window. */
  readonly resetAtMs: number;
  /** How long to wait until the refused cost fits; 0 when admitted. Waiting that long always succeeds unless others spend it first. */
  readonly retryAfterMs: number;
};

/**
 * Decides all limits of a request together, all or nothing: what is refused consumes nothing.
 * `cost` is the number of JSON-RPC messages in a batch, otherwise 1, and never above the user's whole limit.
 */
export type RateLimiter = {
  readonly admit: (userId: string, cost: number, sessionId?: string) => Admission | Promise<Admission>;
  /** The user's whole limit: a longer batch can never be admitted. */
  readonly userLimit: (userId: string) => number;
  /** What `admit` would return, as far as this process knows; counts nothing. */
  readonly peek: (userId: string, cost: number) => Admission;
};
