/** What the answers of the EVM family's methods are determined by, and so how long they may be kept (contract/cache#cached). A method that is not listed here is not kept. */

export type KeptMethod = {
  /** `constant`: the same for ever. `block`: the block that the params name, or the newest one. */
  readonly by: 'constant' | 'block';
  /** How a result tells its block, so that a block that is not final can be compared with the chain: in `hash` and `number`, or in `blockHash` and `blockNumber`. */
  readonly reports?: 'own' | 'holder';
  /** It executes a call, whose failure is determined like a result. */
  readonly executes?: true;
  /** Kept of final blocks only. */
  readonly heavy?: true;
};

const state: KeptMethod = { by: 'block' };
const execution: KeptMethod = { by: 'block', executes: true };
const ownBlock: KeptMethod = { by: 'block', reports: 'own' };
const inBlock: KeptMethod = { by: 'block', reports: 'holder' };
const heavy: KeptMethod = { by: 'block', heavy: true };

const of = (names: readonly string[], kept: KeptMethod) => names.map((name) => [name, kept] as const);

export const evmKeptMethods: ReadonlyMap<string, KeptMethod> = new Map([
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
