/**
 * How each method of the EVM family calls contracts: in a form that the gateway reads, in another form, or not at all
 * (contract/firewall-resources#methods-and-contracts).
 */

/**
 * The form of a method's first parameter. `call`: a call object. `raw`: a signed transaction. `simulate`: an object
 * with `blockStateCalls`. `bundles`: an array of objects with `transactions`. `pairs`: an array of pairs that begin
 * with a call object.
 */
export type CallForm = 'call' | 'raw' | 'simulate' | 'bundles' | 'pairs';

export const callForms: Readonly<Record<string, CallForm>> = {
  eth_call: 'call',
  eth_estimateGas: 'call',
  eth_createAccessList: 'call',
  debug_traceCall: 'call',
  trace_call: 'call',
  arbtrace_call: 'call',
  eth_sendRawTransaction: 'raw',
  eth_sendRawTransactionSync: 'raw',
  eth_sendRawTransactionConditional: 'raw',
  eth_sendPrivateRawTransaction: 'raw',
  trace_rawTransaction: 'raw',
  eth_simulateV1: 'simulate',
  debug_simulateV1: 'simulate',
  eth_callMany: 'bundles',
  debug_traceCallMany: 'bundles',
  trace_callMany: 'pairs',
  arbtrace_callMany: 'pairs',
};

/**
 * Methods that execute no call of the caller's choice: they read the state of a chain, or trace past transactions. A
 * final `*` matches any characters. Any other method may send or execute a call, and is refused where contract policies
 * apply.
 */
export const callFree: readonly string[] = [
  ...['rpc.discover', 'rpc_modules', 'web3_*', 'net_*'],
  ...['eth_get*', 'eth_blockNumber', 'eth_chainId', 'eth_syncing', 'eth_protocolVersion', 'eth_accounts', 'eth_config'],
  ...['eth_gasPrice', 'eth_maxPriorityFeePerGas', 'eth_feeHistory', 'eth_blobBaseFee', 'eth_baseFee'],
  ...['eth_coinbase', 'eth_mining', 'eth_hashrate', 'eth_pendingTransactions'],
  ...['eth_newFilter', 'eth_newBlockFilter', 'eth_newPendingTransactionFilter', 'eth_uninstallFilter'],
  ...['eth_subscribe', 'eth_unsubscribe'],
  ...[
    'debug_getRaw*',
    'debug_getBlockRlp*',
    'debug_getModifiedAccountsByHash',
    'debug_getModifiedAccountsByNumber',
    'debug_getHeaderRlp',
  ],
  ...[
    'debug_getBadBlocks',
    'debug_getAccessibleState',
    'debug_getChainLevel',
    'debug_traceTransaction',
    'debug_traceBlockByHash',
    'debug_traceBlockByNumber',
    'debug_traceChain',
  ],
  ...['debug_storageRangeAt', 'debug_accountRange', 'debug_accountAt', 'debug_intermediateRoots', 'debug_preimage'],
  ...['debug_codeByHash', 'debug_executionWitness', 'debug_executionWitnessByBlockHash'],
  ...['trace_block', 'trace_filter', 'trace_get', 'trace_transaction', 'trace_replayTransaction'],
  'trace_replayBlockTransactions',
  ...['arbtrace_block', 'arbtrace_filter', 'arbtrace_get', 'arbtrace_transaction', 'arbtrace_replayTransaction'],
  'arbtrace_replayBlockTransactions',
  ...['ots_*', 'erigon_get*', 'erigon_blockNumber', 'erigon_forks'],
  ...['optimism_*', 'bor_get*', 'zks_get*'],
];

const forms = new Map(Object.entries(callForms).map(([name, form]) => [name.toLowerCase(), form]));
const freeNames = new Set(callFree.filter((name) => !name.endsWith('*')).map((name) => name.toLowerCase()));
const freePrefixes = callFree.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1).toLowerCase());

/** `none`: the method calls no contract. `unknown`: it may call one. Ignores letter case. */
export function callFormOf(method: string): CallForm | 'none' | 'unknown' {
  const name = method.toLowerCase();
  const form = forms.get(name);
  if (form !== undefined) return form;
  return freeNames.has(name) || freePrefixes.some((prefix) => name.startsWith(prefix)) ? 'none' : 'unknown';
}
