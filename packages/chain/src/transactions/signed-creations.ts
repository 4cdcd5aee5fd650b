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

/** Geth's limit for a transaction without blobs. Nodes refuse a longer one, so it creates no contract. */
export const maxCreationLength = 131_072;
/** Transactions in one message that make a record. Further ones make none, because the caller pays for one message. */
export const maxCreations = 4;
/** Texts that are decoded; no real bundle has as many. */
const maxTexts = 512;
/**
 * A text of digits that is long enough for a signed transaction. The pattern runs on the JSON text itself: parsing lists of millions of entries would take half
 * a second.
 */
const digitsPattern = /"((?:0[xX])?[0-9a-fA-F]{100,})"/g;
/** Texts with escaped digits (`\u0030`) are decoded only if all params are at most this long. */
const maxEscapedLength = 524_288;

/**
 * The transactions without `to` in a call's parameters, once each and at most `maxCreations`, regardless of their position. `params`: valid JSON. Takes time in
 * proportion to its length.
 */
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

/** Decodes escapes, so that texts of digits contain none. */
function withoutEscapes(json: string): string {
  return json.includes('\\u') && json.length <= maxEscapedLength ? JSON.stringify(JSON.parse(json)) : json;
}
