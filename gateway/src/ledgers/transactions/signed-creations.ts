/** Transactions that create contracts, in the `params` of methods that submit signed bytes (contract/contracts#deployed). */

import { decodeRawTransaction, type RawTransaction } from './raw-transaction.ts';

/**
 * Methods that submit signed transactions, with how they carry them: eth_sendRawTransaction and its kin (…Sync, …Conditional, …WithDetailedOutput, klay_, kaia_, realtime_) as their
 * first parameter, eth_sendPrivateTransaction in an object, eth_sendBundle and mev_sendBundle in lists of objects. Not told apart by name, since every chain has further ones:
 * whatever is called so may carry some.
 */
const submits = /send|submit|broadcast/i;

export function mayCarryTransactions(method: string): boolean {
  return submits.test(method);
}

/** Geth's bound on a transaction without blobs. A longer one creates no contract: nodes refuse it. */
export const longestCreation = 131_072;
/** Transactions that create contracts in one message. Further ones make no record: the caller pays for one message. */
export const mostCreations = 4;
/** Texts that are looked at, and levels of lists and objects: a bundle in a bundle has seven. */
const mostTexts = 512;
const mostLevels = 8;

/** The transactions without `to` that a call carries, at most `mostCreations`, each once. `params`: valid JSON. Takes time in proportion to its length. */
export function signedCreations(params: string): readonly RawTransaction[] {
  const found = new Map<string, RawTransaction>();
  let texts = 0;
  const look = (value: unknown, levels: number): void => {
    if (texts >= mostTexts || found.size >= mostCreations) return;
    if (typeof value === 'string') {
      texts += 1;
      if (value.length > 2 * longestCreation + 2 || found.has(value)) return;
      const transaction = decodeRawTransaction(value);
      if (transaction !== undefined && transaction.to === undefined) found.set(value, transaction);
    } else if (typeof value === 'object' && value !== null && levels > 0)
      for (const each of Object.values(value)) look(each, levels - 1);
  };
  look(JSON.parse(params), mostLevels);
  return [...found.values()];
}
