/** The data that determines the answers of the EVM family's methods, and thereby how long they are cached (contract/cache#cached). Answers of other methods are not cached. */

export type CacheableMethod = {
  /** `constant`: never changes. `block`: determined by the block that the params name, or by the newest block. */
  readonly by: 'constant' | 'block';
  /** The members in which a result names its block, so that a block that is not final can be compared with the chain. `own`: `hash` and `number`. `holder`: `blockHash` and `blockNumber`. */
  readonly reports?: 'own' | 'holder';
  /** The method executes a call. A revert is cached like a result. */
  readonly executes?: true;
  /** Cached for final blocks only. */
  readonly heavy?: true;
};

const state: CacheableMethod = { by: 'block' };
const execution: CacheableMethod = { by: 'block', executes: true };
const ownBlock: CacheableMethod = { by: 'block', reports: 'own' };
const inBlock: CacheableMethod = { by: 'block', reports: 'holder' };
const heavy: CacheableMethod = { by: 'block', heavy: true };

const of = (names: readonly string[], method: CacheableMethod) => names.map((name) => [name, method] as const);

export const evmCacheableMethods: ReadonlyMap<string, CacheableMethod> = new Map([
  ...of(['eth_chainId', 'net_version', 'web3_sha3'], { by: 'constant' }),
  ...of(['eth_getBalance', 'eth_getCode', 'eth_getTransactionCount', 'eth_getStorageAt', 'eth_getProof'], state),
  ...of(['eth_getAccount', 'eth_getAccountInfo', 'eth_feeHistory', 'eth_getLogs'], state),
  ...of(['eth_gasPrice', 'eth_maxPriorityFeePerGas', 'eth_blobBaseFee', 'eth_baseFee'], state),
  ...of(['eth_getBlockTransactionCountByNumber', 'eth_getBlockTransactionCountByHash'], state),
  ...of(['eth_getUncleCountByBlockNumber', 'eth_getUncleCountByBlockHash'], state),
  ...of(['eth_getUncleByBlockNumberAndIndex', 'eth_getUncleByBlockHashAndIndex'], state),
  ...of(['eth_call', 'eth_simulateV1', 'eth_estimateGas', 'eth_createAccessList'], execution),
  ...of(['eth_getBlockByNumber', 'eth_getBlockByHash', 'eth_getHeaderByNumber', 'eth_getHeaderByHash'], ownBlock),
  ...of(['eth_getTransactionByBlockNumberAndIndex', 'eth_getTransactionByBlockHashAndIndex'], inBlock),
  ...of(['eth_getBlockReceipts', 'eth_getTransactionByHash', 'eth_getTransactionReceipt'], inBlock),
  ...of(['debug_traceBlockByNumber', 'debug_traceBlockByHash', 'debug_traceCall', 'debug_storageRangeAt'], heavy),
  ...of(['debug_getRawHeader', 'debug_getRawBlock', 'debug_getRawReceipts', 'debug_intermediateRoots'], heavy),
  ...of(['trace_block', 'trace_replayBlockTransactions', 'trace_call', 'trace_filter'], heavy),
  ...of(['arbtrace_block', 'arbtrace_replayBlockTransactions', 'arbtrace_call', 'arbtrace_filter'], heavy),
]);
