/** Who may come in and how much each may ask: what the steps of every pipeline share. */

import type { Authenticator } from '../api/authenticator.ts';
import type { RateLimiter } from '../api/rate-limiter.ts';
import type { ByteAllowance } from '../platform/bytes/byte-allowance.ts';
import type { Clock } from '../platform/clock.ts';

export type AccessControl = {
  readonly authenticator: Authenticator;
  readonly limiter: RateLimiter;
  /** What each user may have decoded for requests that are then refused by a limit, and so cost nothing (docs/decisions/0042). */
  readonly unchargedDecoding: ByteAllowance;
  readonly clock: Pick<Clock, 'monotonic'>;
};
