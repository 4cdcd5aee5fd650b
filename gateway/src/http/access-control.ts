/** Authentication, limits and clock: the services that the steps of every pipeline share. */

import type { Authenticator } from '../api/authenticator.ts';
import type { RateLimiter } from '../api/rate-limiter.ts';
import type { ByteAllowance } from '../platform/bytes/byte-allowance.ts';
import type { Clock } from '../platform/clock.ts';

export type AccessControl = {
  readonly authenticator: Authenticator;
  readonly limiter: RateLimiter;
  /** How much may be decoded for a user whose requests are then refused by a limit, and so are not charged (docs/decisions/0042). */
  readonly unchargedDecoding: ByteAllowance;
  readonly clock: Pick<Clock, 'monotonic'>;
};
