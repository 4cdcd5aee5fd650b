/** Measures how long the shared storage takes to decide an admission, whether it succeeds or not. */

import type { Clock } from '@flowgate/base/clock';
import type { Histogram } from '@flowgate/telemetry/metrics/instruments';
import type { AdmissionStore } from './admission-store.ts';

/** Without `seconds`, returns the store itself. Costs one more promise per call, only with a shared storage. */
export function meteredAdmissionStore(
  store: AdmissionStore,
  seconds: Histogram | undefined,
  { monotonic }: Pick<Clock, 'monotonic'>,
): AdmissionStore {
  if (seconds === undefined) return store;
  return {
    epoch: store.epoch,
    admit(userId, cost, sessionId) {
      const startedMs = monotonic();
      const observe = () => seconds.observe((monotonic() - startedMs) / 1000);
      return store.admit(userId, cost, sessionId).then(
        (admission) => {
          observe();
          return admission;
        },
        (error: unknown) => {
          observe();
          throw error;
        },
      );
    },
  };
}
