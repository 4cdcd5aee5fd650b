/** Pauses between failed attempts: each is twice as long as the previous one, up to a maximum. */

export type BackOff = {
  readonly firstMs: number;
  readonly maxMs: number;
  /**
   * The part of a pause by which it is randomly shortened or lengthened, so that clients that failed together do not
   * return together; default none.
   */
  readonly jitter?: number;
};

/** Milliseconds to wait after failed attempt number `attempt`, from 1. `chance` is from 0 to 1. */
export function backOffMs({ firstMs, maxMs, jitter = 0 }: BackOff, attempt: number, chance = 0.5): number {
  return spreadMs(Math.min(maxMs, firstMs * 2 ** (attempt - 1)), jitter, chance);
}

/** A pause, randomly shortened or lengthened by up to `jitter` of it. */
export function spreadMs(pauseMs: number, jitter: number, chance: number): number {
  return pauseMs * (1 - jitter + 2 * jitter * chance);
}
