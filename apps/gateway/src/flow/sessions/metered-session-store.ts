/** Counts the steps that apps answered by what became of their commit. */

import type { Counter } from '@flowgate/telemetry/metrics/instruments';
import type { Family } from '@flowgate/telemetry/metrics/registry';
import type { SessionStore } from './session-store.ts';

/** Without `steps` the store itself. */
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
      // Cancellations and expiries have no response that is stored.
      if (transition.response === undefined) return outcome;
      // The same submission is committed once more, after a look at the secrets.
      if (outcome !== 'marked') counters[outcome].add();
      return outcome;
    },
  };
}
