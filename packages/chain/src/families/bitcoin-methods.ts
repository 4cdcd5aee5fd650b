/** The Bitcoin family's method lists: the published methods that read the chain and the mempool, simulation, and `sendrawtransaction` (contract/json-rpc#bitcoin). */

import type { ListedReads } from './method-family.ts';

/**
 * From Bitcoin Core's published methods (developer.bitcoin.org, `help`). Excluded: wallets, mining, peers and control of the process; methods that take a private key; and scans of which a node
 * runs one at a time and that any caller could stop (`scantxoutset`, `scanblocks`).
 */
const reads = [
  ...['getbestblockhash', 'getblock', 'getblockchaininfo', 'getblockcount', 'getblockfilter', 'getblockhash'],
  ...['getblockheader', 'getblockstats', 'getchaintips', 'getchaintxstats', 'getdeploymentinfo', 'getdifficulty'],
  ...['getmempoolancestors', 'getmempooldescendants', 'getmempoolentry', 'getmempoolinfo', 'getrawmempool'],
  ...['gettxout', 'gettxoutproof', 'verifytxoutproof', 'gettxspendingprevout', 'getindexinfo'],
  ...['getrawtransaction', 'decoderawtransaction', 'decodescript', 'decodepsbt', 'analyzepsbt'],
  ...['estimatesmartfee', 'validateaddress', 'verifymessage'],
];

const simulation = 'testmempoolaccept';

/** These scan the whole set of unspent outputs, or whole blocks one after another. */
const walks = ['gettxoutsetinfo', 'getdescriptoractivity'];

export const bitcoinReads: ReadonlySet<string> = new Set([...reads, ...walks, simulation]);

export const bitcoinMethods: ListedReads = {
  shape: /^[a-z]+$/,
  maxLength: 64,
  allowed: [...reads, simulation, 'sendrawtransaction'],
  heavy: walks,
  enableForm: /^[a-z]+\*?$/i,
  enableExamples: ['gettxoutsetinfo', 'gettxoutset*'],
};
