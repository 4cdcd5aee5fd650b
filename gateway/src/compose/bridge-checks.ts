/** Starts the look at contracts of bridges and pools that each start takes. Loaded only where a bridge or a pool is configured. */

import type { Bridge, BridgeSide, SwapPool } from '../bridge/bridge.ts';
import { createChainReader } from '../bridge/chain/chain-reader.ts';
import { type ContractWatch, createContractWatch } from '../bridge/checks/watch-contracts.ts';
import { errorPlace } from '../platform/json/error-place.ts';
import type { Surroundings } from './surroundings.ts';

type Checked = { readonly bridges: readonly Bridge[]; readonly pools: readonly SwapPool[] };

export type RunningContractWatch = Pick<ContractWatch, 'troubleOf'> & { readonly stop: () => void };

/** Nobody waits for it. */
export function startContractWatch(
  { bridges, pools }: Checked,
  { timeSlices, log }: Pick<Surroundings, 'timeSlices' | 'log'>,
): RunningContractWatch {
  const chainOf = ({ network }: BridgeSide) => createChainReader(network, timeSlices);
  const { run, troubleOf } = createContractWatch({ bridges, pools, chainOf }, { log });
  const stopping = new AbortController();
  run(stopping.signal).catch((error: unknown) => log.error('bridge.check-failed', errorPlace(error)));
  return {
    troubleOf,
    // A question under way is not waited for: it changes nothing.
    stop: () => stopping.abort(),
  };
}
