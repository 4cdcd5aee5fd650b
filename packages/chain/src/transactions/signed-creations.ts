/** Transactions that create contracts, in the `params` of methods that submit signed bytes (contract/contracts#deployed). */

import { decodeRawTransaction, type RawTransaction } from './raw-transaction.ts';

/**
 * Methods that submit signed transactions: eth_sendRawTransaction and its variants (…Sync, …Conditional, …WithDetailedOutput, klay_, kaia_, realtime_) as their first parameter,
 * eth_sendPrivateTransaction in an object, eth_sendBundle and mev_sendBundle in lists of objects. All forms are tried for each method, because chains have further ones.
 */
const submits = /send|submit|broadcast/i;

export function mayCarryTransactions(method: string): boolean {
  return submits.test(method);
}

/** Geth's bound on a transaction without blobs. A longer one creates no contract: nodes refuse it. */
export const maxCreationLength = 131_072;
/** Transactions that create contracts in one message. Further ones make no record: the caller pays for one message. */
export const maxCreations = 4;
/** Texts that are decoded: no bundle has so many. */
const maxTexts = 512;
/** A text of digits that is long enough for a signed transaction. Found in the JSON's own text: parsing lists of millions of entries would take half a second. */
const digitsPattern = /"((?:0[xX])?[0-9a-fA-F]{100,})"/g;
/** A text with digits as escapes (`\u0030`) is decoded up to this length of the whole. */
const maxEscapedLength = 524_288;

/** The transactions without `to` that a call carries, wherever in its parameters, at most `maxCreations`, each once. `params`: valid JSON. Takes time in proportion to its length. */
export function signedCreations(params: string): readonly RawTransaction[] {
  const found = new Map<string, RawTransaction>();
  let decoded = 0;
  for (const [, text = ''] of withoutEscapes(params).matchAll(digitsPattern)) {
    if (text.length > 2 * maxCreationLength + 2 || found.has(text)) continue;
    decoded += 1;
    if (decoded > maxTexts) break;
    const transaction = decodeRawTransaction(text);
    if (transaction === undefined || transaction.to !== undefined) continue;
    found.set(text, transaction);
    if (found.size >= maxCreations) break;
  }
  return [...found.values()];
}

/** Within texts that could be digits, no escape is left. */
function withoutEscapes(json: string): string {
  return json.includes('\\u') && json.length <= maxEscapedLength ? JSON.stringify(JSON.parse(json)) : json;
}
