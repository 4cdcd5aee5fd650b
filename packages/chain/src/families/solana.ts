/** The Solana family: chains that are identified by the hash of their first block (solana.com/docs/rpc, the HTTP methods of Agave). */

import type { LedgerFamily } from './ledger-family.ts';
import { solanaMethods, solanaReads } from './solana-methods.ts';

const quickReads: ReadonlySet<string> = new Set([
  ...['getAccountInfo', 'getBalance', 'getBlockHeight', 'getEpochInfo', 'getFeeForMessage', 'getGenesisHash'],
  ...['getLatestBlockhash', 'getMinimumBalanceForRentExemption', 'getMultipleAccounts', 'getSignatureStatuses'],
  ...['getSlot', 'getSlotLeader', 'getTokenAccountBalance', 'getTokenSupply', 'getTransactionCount', 'getVersion'],
  ...['isBlockhashValid'],
]);

export const solana: LedgerFamily = {
  name: 'solana',
  methods: solanaMethods,
  reads: solanaReads,
  quickReads,
  takesVersion1: false,
  hasFeed: false,
  genesisHash: { read: hashOf, form: 'must be 32 bytes in base 58, as getGenesisHash returns them' },
  identity: { method: 'getGenesisHash', params: '[]', read: hashOf },
  head: {
    method: 'getSlot',
    params: '[]',
    read: (result) => (Number.isSafeInteger(result) && Number(result) >= 0 ? Number(result) : undefined),
  },
};

const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** The text itself, if it is 32 bytes in base 58. Each value has one spelling only. */
function hashOf(text: unknown): string | undefined {
  if (typeof text !== 'string' || !/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return undefined;
  let value = 0n;
  for (const digit of text) value = value * 58n + BigInt(digits.indexOf(digit));
  const leadingZeros = /^1*/.exec(text)?.[0].length ?? 0;
  const bytes = value === 0n ? 0 : Math.ceil(value.toString(16).length / 2);
  return leadingZeros + bytes === 32 ? text : undefined;
}
