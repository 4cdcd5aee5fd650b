/** This gateway's copy of the registered nodes: loaded at start, then updated with changes only (contract/many-gateways#shared-copies). */

import type { PubSub } from '@flowgate/async/pub-sub';
import type { Clock } from '@flowgate/base/clock';
import { Unavailable } from '@flowgate/base/unavailable';
import { createSharedCopy } from '@flowgate/sql/coordination/shared-copy';
import type { Log } from '@flowgate/telemetry/log';
import type { NodeStore, NodesLoaded } from './node-store.ts';
import type { RegisteredNodes } from './registered-nodes.ts';

export type NodesCopyDeps = {
  readonly store: Pick<NodeStore, 'readRevision' | 'load'>;
  readonly registered: Pick<RegisteredNodes, 'follow'>;
  readonly pubSub: PubSub | undefined;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
};

export type NodesCopy = {
  /**
   * Applies what was stored before the call, and notifies other gateways. If it cannot be read now, the next successful poll applies it. Never rejects for
   * that reason.
   */
  readonly changed: () => Promise<void>;
  /** Loads, listens and polls; the returned function ends that. */
  readonly start: () => () => void;
};

/** A change after this time loads everything again, in case this gateway missed a removal whose row is already deleted. */
const wholeLoadAfterMs = 300_000;

export function createNodesCopy({ store, registered, pubSub, clock, log }: NodesCopyDeps): NodesCopy {
  let wholeAtMs = Number.NEGATIVE_INFINITY;
  const copy = createSharedCopy<{ readonly loaded: NodesLoaded; readonly isWhole: boolean }>({
    ...{ name: 'nodes', readRevision: store.readRevision, pubSub, clock, log },
    async load(previous) {
      const nowMs = clock.monotonic();
      const isWhole = previous === undefined || nowMs - wholeAtMs > wholeLoadAfterMs;
      const loaded = await store.load(isWhole ? undefined : previous.revision);
      if (isWhole) wholeAtMs = nowMs;
      return { revision: loaded.revision, value: { loaded, isWhole } };
    },
    onLoad: ({ loaded, isWhole }) => registered.follow(loaded, isWhole),
  });
  return {
    changed: () =>
      copy.changed().catch((error: unknown) => {
        if (!(error instanceof Unavailable)) throw error;
      }),
    start() {
      const stop = copy.start();
      // If this fails, the first poll loads.
      void copy.reload().catch(() => {});
      return stop;
    },
  };
}
