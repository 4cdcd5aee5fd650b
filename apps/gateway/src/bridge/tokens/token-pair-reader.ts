/** Reads token pairs from the logs of the token factory on L2. */

import { type BridgeLog, l2Contracts, topicsOf } from '@flowgate/chain/blocks/bridge-log';
import { decodeEventLog, toEventSelector } from 'viem';
import { tokenFactoryAbi } from '../decoding/bridge-abi.ts';
import { decoded } from '../decoding/bridge-message.ts';
import type { LogReader } from '../facts/log-stream.ts';
import type { TokenPairFact } from '../facts/token-pair-facts.ts';

/** For the stream of a bridge's L2. Several L2 tokens may name one L1 token, and anyone can create one. */
export function tokenPairReader(): LogReader {
  return {
    wanted: { addresses: [l2Contracts.tokenFactory], topics: [toEventSelector(tokenFactoryAbi[0])] },
    async read({ logs, blocks }) {
      const inTransaction = new Map<string, number>();
      const tokenPairs = logs.flatMap((log): readonly TokenPairFact[] => {
        const pair = readPair(log);
        const block = blocks.get(log.blockNumber);
        if (pair === undefined || block === undefined) return [];
        const { transactionHash, blockNumber, blockHash, logIndex } = log;
        const nth = inTransaction.get(transactionHash) ?? 0;
        inTransaction.set(transactionHash, nth + 1);
        const place = { transactionHash, nth, blockNumber, blockHash, logIndex, blockTimeMs: block.timestampMs };
        return [{ ...pair, ...place }];
      });
      return { tokenPairs };
    },
  };
}

function readPair(log: BridgeLog): Pick<TokenPairFact, 'l1' | 'l2'> | undefined {
  const event = decoded(() => decodeEventLog({ abi: tokenFactoryAbi, topics: topicsOf(log), data: log.data }));
  if (event === undefined) return undefined;
  return { l1: event.args.remoteToken.toLowerCase(), l2: event.args.localToken.toLowerCase() };
}
