/** When a gateway starts: checks on the chains that bridges and pools are what the configuration says, until every chain has answered. */

import { pause } from '@flowgate/async/bounded-waits';
import type { Log } from '@flowgate/telemetry/log';
import type { Bridge, BridgeSide, SwapPool } from '../bridges/bridge.ts';
import { bridgeStreamIds, poolStreamId } from '../indexing/stream-id.ts';
import type { Checked } from './check-all.ts';

export type ContractWatch = {
  /** Resolves when every chain has answered or `signal` is aborted. A fault is logged once. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** The fault of the contracts that this stream follows; undefined while none is known. */
  readonly troubleOf: (streamId: string) => string | undefined;
};

/** Milliseconds between two checks. */
const defaultPauseMs = 10_000;

type Found = Checked['findings'][number];

export function createContractWatch(
  check: () => Promise<Checked>,
  { log, pauseMs = defaultPauseMs }: { readonly log: Pick<Log, 'error'>; readonly pauseMs?: number },
): ContractWatch {
  const troubles = new Map<string, string>();
  const report = (found: Found) => {
    const place = [found.of, ...found.path].map(nameOf).join('.');
    const streamId = streamOf(found.of, found.on);
    if (!troubles.has(streamId)) troubles.set(streamId, `misconfigured: ${place} ${found.message}`);
    log.error('bridge.misconfigured', { place, problem: found.message });
  };
  return {
    troubleOf: (streamId) => troubles.get(streamId),
    async run(signal) {
      let before: readonly Found[] = [];
      const reported = new Set<string>();
      while (!signal.aborted) {
        const { findings, away } = await check();
        if (signal.aborted) return;
        // Twice in a row: one answer of an overloaded node is no proof of a wrong contract.
        for (const found of findings.filter((each) => before.some((other) => keyOf(other) === keyOf(each)))) {
          if (!reported.has(keyOf(found))) report(found);
          reported.add(keyOf(found));
        }
        before = findings;
        if (away.length === 0 && findings.every((found) => reported.has(keyOf(found)))) return;
        await pause(pauseMs, signal);
      }
    },
  };
}

const keyOf = ({ of, path }: Found) => [of, ...path].map(nameOf).join('.');

function nameOf(part: Bridge | SwapPool | string | number): string {
  if (typeof part !== 'object') return String(part);
  return 'bridgeId' in part ? `bridge ${part.bridgeId}` : `pool ${part.poolId}`;
}

function streamOf(of: Bridge | SwapPool, on: BridgeSide): string {
  if (!('bridgeId' in of)) return poolStreamId(on);
  const ids = bridgeStreamIds(of.bridgeId);
  return on === of.l1 ? ids.l1 : ids.l2;
}
