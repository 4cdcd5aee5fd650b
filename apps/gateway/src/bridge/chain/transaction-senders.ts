/** The senders of the transactions of some logs, with their nonces. When another transaction uses the nonce, the effects of the first one can never return. */

import { inChunks } from '@flowgate/base/in-chunks';
import type { BridgeLog } from '@flowgate/chain/blocks/bridge-log';
import { addressIn, hashIn, membersOf, quantityIn } from '@flowgate/chain/blocks/json-rpc-values';
import type { Hex } from 'viem';
import { askInLanes } from './ask-in-lanes.ts';
import { ChainAway, type ChainReader } from './chain-reader.ts';

/** `from` in lower case. */
export type Sender = { readonly from: Hex; readonly nonce: number };

/** Transactions that are in memory at once: nodes return them with their calldata. */
const maxInMemory = 200;

/** By the transaction's hash. Throws `ChainAway` when a node does not know one of them or has it in another block: the node lags behind, or the blocks were lost meanwhile. */
export async function transactionSenders(
  chain: ChainReader,
  logs: readonly Pick<BridgeLog, 'transactionHash' | 'blockHash'>[],
): Promise<ReadonlyMap<string, Sender>> {
  const blocks = new Map(logs.map(({ transactionHash, blockHash }) => [transactionHash, blockHash]));
  const hashes = [...blocks.keys()];
  const senders = new Map<string, Sender>();
  for (const some of inChunks(hashes, maxInMemory)) {
    const questions = some.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] }));
    const answers = await askInLanes(chain, questions);
    for (const [nth, hash] of some.entries()) {
      const sender = senderIn(answers[nth], hash, blocks.get(hash));
      if (sender === undefined) throw new ChainAway(`transaction ${hash} is not in the block of its logs`);
      senders.set(hash, sender);
    }
  }
  return senders;
}

function senderIn(answer: unknown, transactionHash: string, block: string | undefined): Sender | undefined {
  const { hash, blockHash, ...transaction } = membersOf(answer);
  const [from, nonce] = [addressIn(transaction['from']), quantityIn(transaction['nonce'])];
  const isIts = hashIn(hash) === transactionHash.toLowerCase() && hashIn(blockHash) === block?.toLowerCase();
  return isIts && from !== undefined && nonce !== undefined ? { from, nonce } : undefined;
}
