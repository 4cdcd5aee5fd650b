/** Who signed transactions, and with which nonce: whoever uses the nonce for another transaction takes what it did back for good. */

import type { Hex } from 'viem';
import { isJsonObject } from '../../platform/json/json-object.ts';
import { ChainAway, type ChainReader } from './chain-reader.ts';

/** `from` in lower case. */
export type Signer = { readonly from: string; readonly nonce: number };

/** By hash. Throws `ChainAway` also when the node does not know one of them: it has another chain than the one whose logs were read. */
export async function readSigners(chain: ChainReader, hashes: readonly Hex[]): Promise<ReadonlyMap<Hex, Signer>> {
  const distinct = [...new Set(hashes)];
  const answers = await chain.ask(distinct.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] })));
  return new Map(
    distinct.map((hash, at) => {
      const signer = signerOf(answers[at]);
      if (signer === undefined) throw new ChainAway(`the transaction ${hash} is not known any more`);
      return [hash, signer];
    }),
  );
}

function signerOf(transaction: unknown): Signer | undefined {
  const { from, nonce } = isJsonObject(transaction) ? transaction : {};
  if (typeof from !== 'string' || typeof nonce !== 'string' || !/^0x[0-9a-f]{1,13}$/i.test(nonce)) return undefined;
  return { from: from.toLowerCase(), nonce: Number(nonce) };
}
