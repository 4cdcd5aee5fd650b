/** The rate limit as of the latest response (contract/limits#headers). */
import type { RateLimit } from '@flowgate/client';

export type RateLimitStore = {
  readonly now: () => RateLimit | undefined;
  readonly subscribe: (listener: () => void) => () => void;
  readonly note: (headers: Headers) => void;
};

export function createRateLimitStore(): RateLimitStore {
  const listeners = new Set<() => void>();
  let now: RateLimit | undefined;
  return {
    now: () => now,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    note(headers) {
      const [limit, remaining, resetSeconds] = ['limit', 'remaining', 'reset'].map((name) =>
        Number(headers.get(`x-ratelimit-${name}`) ?? Number.NaN),
      );
      if (limit === undefined || remaining === undefined || resetSeconds === undefined) return;
      if (Number.isNaN(limit) || Number.isNaN(remaining) || Number.isNaN(resetSeconds)) return;
      now = { limit, remaining, resetSeconds };
      for (const listener of listeners) listener();
    },
  };
}
