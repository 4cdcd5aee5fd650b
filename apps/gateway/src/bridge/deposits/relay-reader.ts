/** Reads the outcomes of messages from the logs of L2's messenger. */

import { l2Contracts } from '@flowgate/chain/blocks/bridge-log';
import { toEventSelector } from 'viem';
import { messengerAbi } from '../decoding/bridge-abi.ts';
import type { RelayFact } from '../facts/deposit-facts.ts';
import type { LogReader } from '../facts/log-stream.ts';
import { placedLogs } from '../facts/placed-logs.ts';

const [, relayedEvent, failedEvent] = messengerAbi;
const relayed = toEventSelector(relayedEvent);

/** For the stream of a bridge's L2. */
export function relayReader(): LogReader {
  return {
    wanted: { addresses: [l2Contracts.messenger], topics: [relayed, toEventSelector(failedEvent)] },
    async read({ logs, blocks }) {
      const relays = placedLogs(logs, blocks).flatMap(({ log, place }): readonly RelayFact[] => {
        const [event, messageHash] = log.topics;
        return messageHash === undefined ? [] : [{ ...place, messageHash, isRelayed: event === relayed }];
      });
      return { relays };
    },
  };
}
