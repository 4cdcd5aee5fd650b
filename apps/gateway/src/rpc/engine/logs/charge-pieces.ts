/** Charges the pieces of a question to the limit of its caller, as that many requests (contract/logs#charged). */

import type { Admission, RateLimiter } from '../../../api/rate-limiter.ts';
import type { SplitLogsDeps } from './split-logs.ts';

/** Nothing is charged when not all fit. */
export function chargeFor(limiter: RateLimiter): SplitLogsDeps['charge'] {
  return (userId, requests) => {
    // The limiter takes no cost above the whole limit.
    if (requests > limiter.userLimit(userId)) return limiter.peek(userId, 1).remaining;
    const admission = limiter.admit(userId, requests);
    return admission instanceof Promise ? admission.then(roomIn) : roomIn(admission);
  };
}

function roomIn({ admitted, remaining }: Admission): true | number {
  return admitted || remaining;
}
