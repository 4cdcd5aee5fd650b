/** The logs that a stream requests: those that any of its readers wants, in one query. */

import type { BridgeLog } from '@flowgate/chain/blocks/bridge-log';
import { BloomBits, type LogsBloom } from '@flowgate/chain/logs-bloom';
import type { LogFilter, LogReader } from '../facts/log-stream.ts';

export type StreamFilter = {
  /** For `eth_getLogs`, without its blocks; undefined when no reader wants any log. */
  readonly question:
    | { readonly address: readonly string[]; readonly topics: readonly (readonly string[])[] }
    | undefined;
  /** Whether the log may be part of a node's answer to the query. */
  readonly isAsked: (log: BridgeLog) => boolean;
  /** Whether any reader wants the log. */
  readonly isWanted: (log: BridgeLog) => boolean;
  /** Whether a block with this bloom may have a log that a reader wants. */
  readonly mayHave: (bloom: LogsBloom) => boolean;
  /** Whether the block may have more than `logs`, which are all of its returned logs: one with an address or a topic that none of them has. */
  readonly mayHaveMore: (bloom: LogsBloom, logs: readonly BridgeLog[]) => boolean;
};

export function createStreamFilter(readers: readonly Pick<LogReader, 'wanted'>[]): StreamFilter {
  const bits = new BloomBits();
  const filters = readers.map(({ wanted }) => wanted);
  const addresses = new Set<string>(filters.flatMap((filter) => filter.addresses));
  const topics = new Set<string>(filters.flatMap((filter) => filter.topics));
  return {
    // A list without addresses would mean every address.
    question:
      addresses.size === 0 || topics.size === 0 ? undefined : { address: [...addresses], topics: [[...topics]] },
    isAsked: ({ address, topics: [first] }) => addresses.has(address) && first !== undefined && topics.has(first),
    isWanted: (log) => filters.some((filter) => isOf(filter, log)),
    mayHave: (bloom) =>
      filters.some(
        (filter) =>
          filter.addresses.some((address) => bits.has(bloom, address)) &&
          filter.topics.some((topic) => bits.has(bloom, topic)),
      ),
    mayHaveMore: (bloom, logs) =>
      filters.some((filter) => {
        const own = logs.filter((log) => isOf(filter, log));
        const addressesHere = filter.addresses.filter((address) => bits.has(bloom, address));
        const topicsHere = filter.topics.filter((topic) => bits.has(bloom, topic));
        if (addressesHere.length === 0 || topicsHere.length === 0) return false;
        return (
          addressesHere.some((each) => own.every(({ address }) => address !== each)) ||
          topicsHere.some((each) => own.every(({ topics: [first] }) => first !== each))
        );
      }),
  };
}

export function isOf({ addresses, topics }: LogFilter, { address, topics: [first] }: BridgeLog): boolean {
  return addresses.includes(address) && first !== undefined && topics.includes(first);
}
