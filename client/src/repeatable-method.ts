/** The JSON-RPC methods that may be sent twice: those that only read, with the same result for everybody. */

/** All others are not repeatable: transactions and user operations, and filters, whose changes are returned once. */
const reads: ReadonlySet<string> = new Set([
  'eth_blobBaseFee',
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_createAccessList',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_maxPriorityFeePerGas',
  'eth_protocolVersion',
  'eth_simulateV1',
  'eth_syncing',
  'net_listening',
  'net_peerCount',
  'net_version',
  'rpc_modules',
  'web3_clientVersion',
  'web3_sha3',
]);

/** Of Bitcoin's methods those that read the chain or the mempool; other names that begin with `get` are a wallet's, and some of them change it. */
const bitcoinReads: ReadonlySet<string> = new Set([
  ...['estimatesmartfee', 'getbestblockhash', 'getblock', 'getblockchaininfo', 'getblockcount', 'getblockfilter'],
  ...['getblockhash', 'getblockheader', 'getblockstats', 'getchaintips', 'getchaintxstats', 'getdeploymentinfo'],
  ...['getdifficulty', 'getmempoolancestors', 'getmempooldescendants', 'getmempoolentry', 'getmempoolinfo'],
  ...['getrawmempool', 'getrawtransaction', 'gettxout', 'gettxoutproof', 'gettxspendingprevout', 'testmempoolaccept'],
]);

/** Every method of Solana that begins so reads. */
const solanaReads = /^get[A-Z][A-Za-z]*$/;

export function isRepeatableMethod(method: string): boolean {
  return (
    reads.has(method) ||
    (method.startsWith('eth_get') && !method.startsWith('eth_getFilter')) ||
    bitcoinReads.has(method) ||
    solanaReads.test(method) ||
    method === 'isBlockhashValid' ||
    method === 'simulateTransaction'
  );
}
