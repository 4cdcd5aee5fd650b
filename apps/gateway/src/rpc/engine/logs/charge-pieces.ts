/** Charges the further pieces of a question to its caller's limit, each as one request (contract/logs#charged). */

import type { Admission, RateLimiter } from '../../../api/rate-limiter.ts';
import type { SplitLogsDeps } from './split-logs.ts';

/** Charges all pieces or none. */
export function chargeFor(limiter: RateLimiter): SplitLogsDeps['charge'] {
  return (userId, requests) => {
    // The limiter accepts no cost above the whole limit.
    if (requests > limiter.userLimit(userId)) return limiter.peek(userId, 1).remaining;
    const admission = limiter.admit(userId, requests);
    return admission instanceof Promise ? admission.then(roomIn) : roomIn(admission);
  };
}

function roomIn({ admitted, remaining }: Admission): true | number {
  return admitted || remaining;
}
