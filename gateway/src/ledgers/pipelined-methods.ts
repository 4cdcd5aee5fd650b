/** The calls that may share a connection to a node that pipelines: reads that keep no state at the node and are answered soon (docs/decisions/0067). */

/** Listed by name: any other method is sent alone, such as heavy reads, filters, and everything that is submitted to the network. */
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
