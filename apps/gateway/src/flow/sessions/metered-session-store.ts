/** Counts the steps that apps answered by the outcome of their commit. */

import type { Counter } from '@flowgate/telemetry/metrics/instruments';
import type { Family } from '@flowgate/telemetry/metrics/registry';
import type { SessionStore } from './session-store.ts';

/** Returns the store unchanged if `steps` is absent. */
export function meteredSessionStore(store: SessionStore, steps: Family<Counter> | undefined): SessionStore {
  if (steps === undefined) return store;
  const counters = {
    committed: steps.with('committed'),
    lost: steps.with('lost'),
    'app-data-full': steps.with('app-data-full'),
    'user-full': steps.with('user-full'),
  };
  return {
    ...store,
    async commit(lease, transition, bounds, unseen) {
      const outcome = await store.commit(lease, transition, bounds, unseen);
      // Cancellations and expiries store no response.
      if (transition.response === undefined) return outcome;
      // The same submission is committed again after a search for secrets.
      if (outcome !== 'marked') counters[outcome].add();
      return outcome;
    },
  };
}
