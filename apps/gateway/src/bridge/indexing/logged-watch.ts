/** Logs the indexer's work: at most one line of progress every ten seconds, and each trouble once. */

import type { Clock } from '@flowgate/base/clock';
import { errorPlace } from '@flowgate/base/text';
import type { Log } from '@flowgate/telemetry/log';
import type { IndexWatch } from './index-watch.ts';

const progressEveryMs = 10_000;
/** With more blocks than this to read it is a back-fill, which has its own log lines. */
const fewBlocks = 100;

export type LoggedDeps = { readonly log: Log; readonly clock: Pick<Clock, 'monotonic'> };

export function createLoggedWatch({ log, clock }: LoggedDeps, streamId: string): IndexWatch {
  let trouble: string | undefined;
  let filling: { readonly sinceMs: number; saidMs: number; logs: number; blocks: number } | undefined;

  function troubleOver(): void {
    if (trouble === undefined) return;
    trouble = undefined;
    log.info('bridge.trouble-over', { stream: streamId });
  }

  return {
    stored({ blocks, to, logs, head }) {
      troubleOver();
      const nowMs = clock.monotonic();
      if (filling === undefined) {
        if (head - to + blocks <= fewBlocks) return;
        filling = { sinceMs: nowMs, saidMs: nowMs, logs: 0, blocks: 0 };
        log.info('bridge.back-fill-begun', { stream: streamId, from: to - blocks + 1, head });
      }
      filling.logs += logs;
      filling.blocks += blocks;
      if (nowMs - filling.saidMs < progressEveryMs) return;
      filling.saidMs = nowMs;
      const seconds = Math.max(0.001, (nowMs - filling.sinceMs) / 1_000);
      const logsPerSecond = Math.round(filling.logs / seconds);
      log.info('bridge.back-fill', { stream: streamId, at: to, head, logs: filling.logs, logsPerSecond });
    },
    caughtUp({ nextBlock }) {
      troubleOver();
      if (filling === undefined) return;
      const { logs, blocks, sinceMs } = filling;
      const seconds = Math.round(clock.monotonic() - sinceMs) / 1_000;
      filling = undefined;
      log.info('bridge.back-fill-done', { stream: streamId, at: nextBlock - 1, blocks, logs, seconds });
    },
    reorganized: ({ keep, depth }) => log.warn('bridge.reorganised', { stream: streamId, keep, depth }),
    failed(fault, reason) {
      if (trouble === reason) return;
      trouble = reason;
      log.warn('bridge.trouble', { stream: streamId, fault, reason });
    },
    holes: (node, blocks) => log.warn('bridge.holes', { stream: streamId, node, blocks }),
    ended: () => {},
    error: (error) => log.error('bridge.indexing-failed', { stream: streamId, ...errorPlace(error) }),
  };
}
