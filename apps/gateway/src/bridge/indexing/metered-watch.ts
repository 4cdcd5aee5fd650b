/** Counts the indexer's work, for the metrics of the process that leads. */

import type { Clock } from '@flowgate/base/clock';
import type { Counter } from '@flowgate/telemetry/metrics/instruments';
import type { Family, GaugeFamily } from '@flowgate/telemetry/metrics/registry';
import type { IndexWatch } from './index-watch.ts';

export type IndexInstruments = {
  readonly indexerLogs: Family<Counter>;
  readonly indexerReorganizations: Family<Counter>;
  readonly indexerErrors: Family<Counter>;
  readonly indexerLagBlocks: GaugeFamily;
  readonly indexerReadAge: GaugeFamily;
};

/** Passes every event on. Without instruments it returns the watch itself. */
export function meteredWatch(
  watch: IndexWatch,
  instruments: IndexInstruments | undefined,
  clock: Pick<Clock, 'monotonic'>,
  streamId: string,
): IndexWatch {
  if (instruments === undefined) return watch;
  let lag: number | undefined;
  let readAtMs = clock.monotonic();
  const logs = instruments.indexerLogs.with(streamId);
  const reorganizations = instruments.indexerReorganizations.with(streamId);
  const failed = (fault: string) => instruments.indexerErrors.with(streamId, fault).add(1);
  const hides = [
    instruments.indexerLagBlocks.add([streamId], () => lag),
    instruments.indexerReadAge.add([streamId], () => (clock.monotonic() - readAtMs) / 1_000),
  ];
  function seen(nextBlock: number, head: number): void {
    lag = Math.max(0, head + 1 - nextBlock);
    readAtMs = clock.monotonic();
  }
  return {
    stored(range) {
      logs.add(range.logs);
      seen(range.to + 1, range.head);
      watch.stored(range);
    },
    caughtUp(at) {
      seen(at.nextBlock, at.head);
      watch.caughtUp(at);
    },
    reorganized(change) {
      reorganizations.add(1);
      watch.reorganized(change);
    },
    failed(fault, reason) {
      failed(fault);
      watch.failed(fault, reason);
    },
    holes(nodeId, blocks) {
      failed('holes');
      watch.holes(nodeId, blocks);
    },
    error(error) {
      failed('bug');
      watch.error(error);
    },
    ended() {
      for (const hide of hides) hide();
      watch.ended();
    },
  };
}
