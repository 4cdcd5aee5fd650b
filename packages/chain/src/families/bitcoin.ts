/** The Bitcoin family: chains that the hash of block 0 identifies (the JSON-RPC interface of Bitcoin Core). */

import { bitcoinMethods, bitcoinReads } from './bitcoin-methods.ts';
import type { LedgerFamily } from './ledger-family.ts';

const quickReads: ReadonlySet<string> = new Set([
  ...['estimatesmartfee', 'getbestblockhash', 'getblockchaininfo', 'getblockcount', 'getblockhash', 'getblockheader'],
  ...['getdifficulty', 'getmempoolentry', 'getmempoolinfo', 'getrawtransaction', 'gettxout', 'validateaddress'],
]);

export const bitcoin: LedgerFamily = {
  name: 'bitcoin',
  methods: bitcoinMethods,
  reads: bitcoinReads,
  quickReads,
  takesVersion1: true,
  hasFeed: false,
  genesisHash: { read: hashOf, form: 'must be 64 hexadecimal digits, as getblockhash 0 returns them' },
  identity: { method: 'getblockhash', params: '[0]', read: hashOf },
  head: {
    method: 'getblockcount',
    params: '[]',
    read: (result) => (Number.isSafeInteger(result) && Number(result) >= 0 ? Number(result) : undefined),
  },
};

function hashOf(text: unknown): string | undefined {
  return typeof text === 'string' && /^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : undefined;
}
