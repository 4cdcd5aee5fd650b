/** Reads deposits from the logs of L1's portal. */

import type { L1BridgeContracts } from '@flowgate/chain/blocks/bridge-log';
import { type Address, toEventSelector } from 'viem';
import { askInLanes } from '../chain/ask-in-lanes.ts';
import type { ChainReader } from '../chain/chain-reader.ts';
import { transactionSenders } from '../chain/transaction-senders.ts';
import { portalAbi } from '../decoding/bridge-abi.ts';
import { same } from '../decoding/bridge-message.ts';
import { readDepositLog, senderOf } from '../decoding/deposit-log.ts';
import type { DepositFact } from '../facts/deposit-facts.ts';
import type { LogReader } from '../facts/log-stream.ts';
import { placedLogs } from '../facts/placed-logs.ts';

/** For the stream of a bridge's L1. */
export function depositReader(contracts: L1BridgeContracts): LogReader {
  return {
    wanted: { addresses: [contracts.portal], topics: [toEventSelector(portalAbi[0])] },
    async read({ logs, blocks, chain }) {
      const read = placedLogs(logs, blocks).flatMap(({ log, place }) => {
        const deposit = readDepositLog(log, contracts);
        return deposit === undefined ? [] : [{ deposit, place }];
      });
      const senders = await transactionSenders(
        chain,
        read.map(({ place }) => place),
      );
      const found = read.flatMap(({ deposit, place }) => {
        const transaction = senders.get(place.transactionHash);
        return transaction === undefined ? [] : [{ deposit, place, transaction }];
      });
      const accounts = await delegatedAmong(
        chain,
        found.flatMap(({ deposit: { aliased }, transaction: { from } }) =>
          aliased === undefined || same(aliased, from) ? [] : [aliased],
        ),
      );
      const deposits = found.map(({ deposit, place, transaction }): DepositFact => {
        const isAccount = deposit.aliased !== undefined && accounts.has(deposit.aliased);
        return { ...place, deposit: senderOf(deposit, isAccount ? deposit.aliased : transaction.from), transaction };
      });
      return { deposits };
    },
  };
}

/** An account that delegates to a contract (EIP-7702) can deposit in transactions of other senders, and newer portals give it no alias. */
const delegatedCode = /^0xef0100[0-9a-f]{40}$/i;

async function delegatedAmong(chain: ChainReader, senders: readonly Address[]): Promise<ReadonlySet<Address>> {
  const distinct = [...new Set(senders)];
  const codes = await askInLanes(
    chain,
    distinct.map((sender) => ({ method: 'eth_getCode', params: [sender, 'latest'] })),
  );
  return new Set(
    distinct.filter((_, at) => {
      const code = codes[at];
      return typeof code === 'string' && delegatedCode.test(code);
    }),
  );
}
