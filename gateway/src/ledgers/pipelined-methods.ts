/** Which calls may share a connection to a node that pipelines: reads that keep nothing at the node, and that nodes answer soon (docs/decisions/0067). */

/** Named one by one: what is not known here goes out alone, as heavy reads, filters and everything that is sent to the network do. */
const quickReads: ReadonlySet<string> = new Set([
  ...['eth_blockNumber', 'eth_chainId', 'eth_syncing', 'eth_protocolVersion', 'net_version', 'web3_clientVersion'],
  ...['eth_gasPrice', 'eth_maxPriorityFeePerGas', 'eth_blobBaseFee', 'eth_baseFee', 'eth_feeHistory'],
  ...['eth_getBalance', 'eth_getCode', 'eth_getStorageAt', 'eth_getTransactionCount'],
  ...['eth_call', 'eth_estimateGas'],
  ...['eth_getBlockByNumber', 'eth_getBlockByHash', 'eth_getHeaderByNumber', 'eth_getHeaderByHash'],
  ...['eth_getBlockTransactionCountByNumber', 'eth_getBlockTransactionCountByHash'],
  ...['eth_getUncleCountByBlockNumber', 'eth_getUncleCountByBlockHash'],
  ...['eth_getUncleByBlockNumberAndIndex', 'eth_getUncleByBlockHashAndIndex'],
  ...['eth_getTransactionByHash', 'eth_getTransactionReceipt'],
  ...['eth_getTransactionByBlockNumberAndIndex', 'eth_getTransactionByBlockHashAndIndex'],
]);

export function isPipelined(method: string): boolean {
  return quickReads.has(method);
}
