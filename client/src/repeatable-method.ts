/** The JSON-RPC methods that are safe to repeat: reads that return the same result to all callers. */

/** Other methods are not repeatable: transactions, user operations, and filters, whose changes are returned once. */
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

/** Bitcoin's methods that read the chain or the mempool. Other methods that begin with `get` belong to a wallet, and some of them change it. */
const bitcoinReads: ReadonlySet<string> = new Set([
  ...['estimatesmartfee', 'getbestblockhash', 'getblock', 'getblockchaininfo', 'getblockcount', 'getblockfilter'],
  ...['getblockhash', 'getblockheader', 'getblockstats', 'getchaintips', 'getchaintxstats', 'getdeploymentinfo'],
  ...['getdifficulty', 'getmempoolancestors', 'getmempooldescendants', 'getmempoolentry', 'getmempoolinfo'],
  ...['getrawmempool', 'getrawtransaction', 'gettxout', 'gettxoutproof', 'gettxspendingprevout', 'testmempoolaccept'],
]);

/** Each method of Solana with this prefix only reads. */
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
