/** The services that the steps of all pipelines share: authentication, limits and the clock. */

import type { Clock } from '@flowgate/base/clock';
import type { ByteAllowance } from '@flowgate/bytes/byte-allowance';
import type { Authenticator } from '../../api/authenticator.ts';
import type { RateLimiter } from '../../api/rate-limiter.ts';

export type AccessControl = {
  readonly authenticator: Authenticator;
  readonly limiter: RateLimiter;
  /** Bounds, for each user, the bytes decoded for requests that a limit then refuses and that are therefore not charged (docs/decisions/0042). */
  readonly unchargedDecoding: ByteAllowance;
  readonly clock: Pick<Clock, 'monotonic'>;
};
