/** Opens filters, which a node stores, and ranges of logs, for callers of EVM networks. */

import type { Config } from '../config/config.ts';
import { createFilters } from '../rpc/engine/filters/filters.ts';
import { createSealedHex } from '../rpc/engine/filters/sealed-hex.ts';
import { chargeFor } from '../rpc/engine/logs/charge-pieces.ts';
import { createLogs } from '../rpc/engine/logs/logs.ts';
import { namedBlock } from '../rpc/engine/named-block.ts';
import { createBatchSplitter } from '../rpc/engine/split-batch.ts';
import type { Network } from '../upstream/networks/network.ts';
import type { CallPort } from '../upstream/port/node-port.ts';
import { refusesRange } from '../upstream/response/error-faults.ts';
import type { Ledgers } from './open-ledgers.ts';
import type { Sharing } from './open-sharing.ts';
import type { Runtime } from './runtime.ts';

export type FiltersAndLogs = {
  readonly filters: (port: CallPort, network: Network) => CallPort;
  readonly logs: (port: CallPort, network: Network, scope: 'whole' | 'one') => CallPort;
};

/** The ports of other families are unchanged. */
export function openFiltersAndLogs(
  { keys, outbound, networks }: Config,
  { clock, timerWheel, timeSlices: slices }: Runtime,
  { ledgers: { answerBudget: budget }, sharing: { limiter } }: { readonly ledgers: Ledgers; readonly sharing: Sharing },
): FiltersAndLogs {
  const timeoutMs = outbound.nodeTimeoutSeconds * 1000;
  const sealed = createSealedHex(keys.peppers, 'filter-id');
  const splitterOf = ({ chain: { family } }: Network) =>
    createBatchSplitter({ clock, budget, timeoutMs, reads: family.reads });
  const isEvm = ({ chain: { family } }: Network) => family.name === 'evm';
  return {
    filters(port, network) {
      if (!isEvm(network)) return port;
      const { dlt, networkId } = network;
      return createFilters({ sealed, network: `${dlt}/${networkId}`, splitBatch: splitterOf(network) })(port);
    },
    logs(port, network, scope) {
      const { dlt, networkId, chain } = network;
      const bounds = networks.find((each) => each.dlt === dlt && each.networkId === networkId)?.logs;
      if (!isEvm(network) || bounds === undefined) return port;
      return createLogs({
        ...bounds,
        ...{ clock, timerWheel, slices, budget, timeoutMs, splitBatch: splitterOf(network) },
        nameBlock: (question) => namedBlock(chain.family, question),
        refusesRange,
        charge: chargeFor(limiter),
        // A caller of one node wants the head of that node.
        heads: () => (scope === 'whole' ? network.heads : undefined),
      })(port);
    },
  };
}
