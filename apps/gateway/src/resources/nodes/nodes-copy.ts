/** What this gateway knows of registered nodes: loaded when it starts, and then only what has changed (contract/many-gateways#shared-copies). */

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
  /** What was stored before the call is in force here, and others are told. When it cannot be read now, it is in force at the next poll that succeeds. Never rejects for that. */
  readonly changed: () => Promise<void>;
  /** Loads, listens and polls; the returned function ends that. */
  readonly start: () => () => void;
};

/** With a change, everything is loaded again after so long, should a gateway have missed a removal that is no longer remembered. */
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
      // When this fails, the first poll loads.
      void copy.reload().catch(() => {});
      return stop;
    },
  };
}
