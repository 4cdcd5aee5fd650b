/** Who sent the transactions of some logs. */

import { isJsonObject } from '../../platform/json/json-object.ts';
import type { BridgeLog } from '../decoding/bridge-log.ts';
import { ChainAway, type ChainReader } from './chain-reader.ts';

/** `from` in lower case. */
export type Sender = { readonly from: string; readonly nonce: number };

/** Transactions that are held at once: their calldata is read with them. */
const batchSize = 50;

/** By the transaction's hash. Throws `ChainAway` when a node does not know one of them, or has it in another block: it lags behind, or the blocks were lost meanwhile. */
export async function sendersOf(
  chain: ChainReader,
  logs: readonly Pick<BridgeLog, 'transactionHash' | 'blockHash'>[],
): Promise<ReadonlyMap<string, Sender>> {
  const blocks = new Map(logs.map(({ transactionHash, blockHash }) => [transactionHash, blockHash]));
  const hashes = [...blocks.keys()];
  const senders = new Map<string, Sender>();
  for (let at = 0; at < hashes.length; at += batchSize) {
    const batch = hashes.slice(at, at + batchSize);
    const answers = await chain.ask(batch.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] })));
    for (const [nth, hash] of batch.entries()) {
      const sender = senderIn(answers[nth], hash, blocks.get(hash));
      if (sender === undefined) throw new ChainAway(`transaction ${hash} is not in the block of its logs`);
      senders.set(hash, sender);
    }
  }
  return senders;
}

function senderIn(answer: unknown, transactionHash: string, block: string | undefined): Sender | undefined {
  if (!isJsonObject(answer)) return undefined;
  const { hash, blockHash, from, nonce } = answer;
  const isIts = sameText(hash, transactionHash) && sameText(blockHash, block);
  if (!isIts || typeof from !== 'string' || !/^0x[0-9a-f]{40}$/i.test(from)) return undefined;
  if (typeof nonce !== 'string' || !/^0x[0-9a-f]{1,16}$/i.test(nonce)) return undefined;
  // No account sends 2^53 transactions: a nonce beyond is that of no transaction.
  return { from: from.toLowerCase(), nonce: Math.min(Number(nonce), Number.MAX_SAFE_INTEGER) };
}

function sameText(value: unknown, expected: string | undefined): boolean {
  return typeof value === 'string' && value.toLowerCase() === expected?.toLowerCase();
}
