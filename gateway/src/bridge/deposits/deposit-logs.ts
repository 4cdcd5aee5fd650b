/** Reads deposits from the logs of L1's portal. */

import { type Address, getAddress, isAddress, toEventSelector } from 'viem';
import type { ChainReader } from '../chain/chain-reader.ts';
import { ChainAway } from '../chain/chain-reader.ts';
import type { LogPlace } from '../chain/log-place.ts';
import { portalAbi } from '../decoding/bridge-abi.ts';
import type { BridgeLog, L1BridgeContracts } from '../decoding/bridge-log.ts';
import { readDepositLog, senderOf } from '../decoding/deposit-log.ts';
import type { LogRange, LogReader } from '../indexing/log-stream.ts';
import { askInLanes } from './ask-in-lanes.ts';
import type { DepositFact } from './deposit-facts.ts';

/** For the stream of a bridge's L1. */
export function depositReader(contracts: L1BridgeContracts): LogReader {
  return {
    wanted: { addresses: [contracts.portal], topics: [toEventSelector(portalAbi[0])] },
    async read({ logs, blocks, chain }) {
      const found = placed(logs, blocks).flatMap(({ log, place }) => {
        const read = readDepositLog(log, contracts);
        return read === undefined ? [] : [{ read, place }];
      });
      const transactions = await transactionsOf(chain, [...new Set(found.map(({ place }) => place.transactionHash))]);
      const accounts = await delegatedAmong(
        chain,
        found.flatMap(({ read: { aliased }, place: { transactionHash } }) =>
          aliased === undefined || aliased === transactions.get(transactionHash)?.from ? [] : [aliased],
        ),
      );
      const deposits = found.map(({ read, place }): DepositFact => {
        const transaction = transactions.get(place.transactionHash);
        // A node that tells a log of a transaction, and not the transaction, is behind another one.
        if (transaction === undefined) throw new ChainAway(`no node has the transaction ${place.transactionHash}`);
        const isAccount = read.aliased !== undefined && accounts.has(read.aliased);
        return { ...place, deposit: senderOf(read, isAccount ? read.aliased : transaction.from), transaction };
      });
      return { deposits };
    },
  };
}

/** Each log with its place among its transaction's own, which counts those that cannot be read: it is the same wherever the transaction is mined. */
export function placed(
  logs: readonly BridgeLog[],
  blocks: LogRange['blocks'],
): readonly { readonly log: BridgeLog; readonly place: LogPlace }[] {
  const inTransaction = new Map<string, number>();
  return logs.flatMap((log) => {
    const { transactionHash, blockNumber, blockHash, logIndex } = log;
    const nth = inTransaction.get(transactionHash) ?? 0;
    inTransaction.set(transactionHash, nth + 1);
    const block = blocks.get(blockNumber);
    if (block === undefined) return [];
    return [{ log, place: { transactionHash, nth, blockNumber, blockHash, logIndex, blockTimeMs: block.timestampMs } }];
  });
}

/** An account that has delegated to a contract (EIP-7702) deposits in other people's transactions, and newer portals give it no alias. */
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

type Sent = { readonly from: Address; readonly nonce: number };

async function transactionsOf(chain: ChainReader, hashes: readonly string[]): Promise<ReadonlyMap<string, Sent>> {
  const answers = await askInLanes(
    chain,
    hashes.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] })),
  );
  return new Map(
    hashes.flatMap((hash, at) => {
      const sent = readTransaction(answers[at], hash);
      return sent === undefined ? [] : [[hash, sent] as const];
    }),
  );
}

function readTransaction(answer: unknown, wanted: string): Sent | undefined {
  if (typeof answer !== 'object' || answer === null || !('hash' in answer && 'from' in answer && 'nonce' in answer))
    return undefined;
  const { hash, from, nonce } = answer;
  if (hash !== wanted || typeof from !== 'string' || !isAddress(from, { strict: false })) return undefined;
  const number = typeof nonce === 'string' && /^0x[0-9a-f]{1,16}$/i.test(nonce) ? Number(nonce) : Number.NaN;
  return Number.isSafeInteger(number) ? { from: getAddress(from), nonce: number } : undefined;
}
