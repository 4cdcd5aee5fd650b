/** Opens what callers of EVM networks ask beyond single answers: filters that a node keeps, and ranges of logs. */

import type { Config } from '../config/config.ts';
import { refusesRange } from '../ledgers/error-faults.ts';
import { namedBlock } from '../ledgers/families/named-block.ts';
import type { Network } from '../ledgers/network.ts';
import type { CallPort } from '../ledgers/node-port.ts';
import { createSealedHex } from '../platform/sealed-hex.ts';
import { createFilters } from '../rpc/engine/filters/filters.ts';
import { chargeFor } from '../rpc/engine/logs/charge-pieces.ts';
import { createLogs } from '../rpc/engine/logs/logs.ts';
import { createBatchSplitter } from '../rpc/engine/split-batch.ts';
import type { Ledgers } from './ledgers.ts';
import type { Sharing } from './sharing.ts';
import type { Surroundings } from './surroundings.ts';

/** Wraps the port of callers' calls to a network, or to one of its nodes. */
export type WrapCalls = (port: CallPort, network: Network, scope: 'whole' | 'one') => CallPort;

/** The ports of other families stay as they are. */
export function openKeptAndBounded(
  { keys, outbound, networks }: Config,
  { clock, timeSlices: slices }: Surroundings,
  { ledgers: { answerBudget: budget }, sharing: { limiter } }: { readonly ledgers: Ledgers; readonly sharing: Sharing },
): WrapCalls {
  const timeoutMs = outbound.nodeTimeoutSeconds * 1000;
  const sealed = createSealedHex(keys.peppers, 'filter-id');
  return (port, network, scope) => {
    const { dlt, networkId, chain } = network;
    const { family } = chain;
    const bounds = networks.find((each) => each.dlt === dlt && each.networkId === networkId)?.logs;
    if (family.name !== 'evm' || bounds === undefined) return port;
    const splitBatch = createBatchSplitter({ clock, budget, timeoutMs, reads: family.reads });
    const withFilters = createFilters({ sealed, network: `${dlt}/${networkId}`, splitBatch });
    const withLogs = createLogs({
      ...bounds,
      ...{ clock, slices, budget, timeoutMs, splitBatch },
      nameBlock: (question) => namedBlock(family, question),
      refusesRange,
      charge: chargeFor(limiter),
      // Who asks one node wants the head of that node.
      heads: () => (scope === 'whole' ? network.heads : undefined),
    });
    return withLogs(withFilters(port));
  };
}
