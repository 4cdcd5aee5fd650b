/**
 * Which block the answer of each method of the EVM family is about (contract/heads#named-blocks): the Ethereum execution API's specification, and what Geth, Erigon, Nethermind,
 * Besu, Reth and Arbitrum add.
 */

import type { BlockPlace, BlockPlaces, BlockTag } from './block-places.ts';

const height = (at: number, ifAbsent?: BlockTag): BlockPlace => ({ by: 'height', at, orHash: false, ifAbsent });
const heightOrHash = (at: number, ifAbsent?: BlockTag): BlockPlace => ({ by: 'height', at, orHash: true, ifAbsent });
const hash = (at: number): BlockPlace => ({ by: 'hash', at });
const transaction: BlockPlace = { by: 'transaction' };
const head: BlockPlace = { by: 'head' };
const pending: BlockPlace = { by: 'pending' };
const nothing: BlockPlace = { by: 'nothing' };

const state: Readonly<Record<string, BlockPlace>> = {
  eth_getBalance: heightOrHash(1, 'latest'),
  eth_getCode: heightOrHash(1, 'latest'),
  eth_getTransactionCount: heightOrHash(1, 'latest'),
  eth_getStorageAt: heightOrHash(2, 'latest'),
  eth_getProof: heightOrHash(2, 'latest'),
  eth_getAccount: heightOrHash(1, 'latest'),
  eth_getAccountInfo: heightOrHash(1, 'latest'),
};

const execution: Readonly<Record<string, BlockPlace>> = {
  eth_call: heightOrHash(1, 'latest'),
  eth_simulateV1: heightOrHash(1, 'latest'),
  // Without the parameter, Besu and Geth before 1.14 use the pending block, other nodes the newest one.
  eth_estimateGas: heightOrHash(1, 'pending'),
  eth_createAccessList: heightOrHash(1, 'pending'),
  debug_traceCall: heightOrHash(1, 'latest'),
  debug_simulateV1: heightOrHash(1, 'latest'),
  trace_call: heightOrHash(2, 'latest'),
  trace_callMany: heightOrHash(1, 'latest'),
  arbtrace_call: heightOrHash(2, 'latest'),
  arbtrace_callMany: heightOrHash(1, 'latest'),
};

const blocks: Readonly<Record<string, BlockPlace>> = {
  eth_getBlockByNumber: height(0),
  eth_getHeaderByNumber: height(0),
  eth_getBlockTransactionCountByNumber: height(0),
  eth_getUncleCountByBlockNumber: height(0),
  eth_getUncleByBlockNumberAndIndex: height(0),
  eth_getTransactionByBlockNumberAndIndex: height(0),
  eth_getRawTransactionByBlockNumberAndIndex: height(0),
  eth_getBlockReceipts: heightOrHash(0),
  // The answer is about the blocks up to this one.
  eth_feeHistory: height(1),
  eth_getBlockByHash: hash(0),
  eth_getHeaderByHash: hash(0),
  eth_getBlockTransactionCountByHash: hash(0),
  eth_getUncleCountByBlockHash: hash(0),
  eth_getUncleByBlockHashAndIndex: hash(0),
  eth_getTransactionByBlockHashAndIndex: hash(0),
  eth_getRawTransactionByBlockHashAndIndex: hash(0),
  debug_getRawHeader: heightOrHash(0),
  debug_getRawBlock: heightOrHash(0),
  debug_getRawReceipts: heightOrHash(0),
  debug_traceBlockByNumber: height(0),
  debug_traceBlockByHash: hash(0),
  debug_executionWitness: heightOrHash(0),
  debug_executionWitnessByBlockHash: hash(0),
  debug_storageRangeAt: hash(0),
  debug_intermediateRoots: hash(0),
  trace_block: heightOrHash(0),
  trace_replayBlockTransactions: heightOrHash(0),
  arbtrace_block: heightOrHash(0),
  arbtrace_replayBlockTransactions: heightOrHash(0),
};

const ranges: Readonly<Record<string, BlockPlace>> = {
  eth_getLogs: { by: 'range', ifAbsent: 'latest' },
  eth_newFilter: { by: 'range', ifAbsent: 'latest' },
  // Nodes differ in the meaning of a missing end.
  trace_filter: { by: 'range', ifAbsent: undefined },
  arbtrace_filter: { by: 'range', ifAbsent: undefined },
  erigon_getLogs: { by: 'range', ifAbsent: undefined },
};

const named = (names: readonly string[], place: BlockPlace) => names.map((name) => [name, place] as const);

export const evmBlocks: BlockPlaces = new Map([
  ...Object.entries({ ...state, ...execution, ...blocks, ...ranges }),
  ...named(['eth_getTransactionByHash', 'eth_getTransactionReceipt', 'eth_getRawTransactionByHash'], transaction),
  ...named(['debug_traceTransaction', 'debug_getRawTransaction'], transaction),
  ...named(['trace_transaction', 'trace_replayTransaction', 'trace_get'], transaction),
  ...named(['arbtrace_transaction', 'arbtrace_replayTransaction', 'arbtrace_get'], transaction),
  ...named(['eth_blockNumber', 'eth_syncing', 'eth_gasPrice', 'eth_maxPriorityFeePerGas', 'eth_blobBaseFee'], head),
  ...named(['eth_baseFee', 'eth_newBlockFilter', 'erigon_blockNumber'], head),
  ...named(['eth_getFilterChanges', 'eth_getFilterLogs'], head),
  ...named(['eth_pendingTransactions', 'eth_newPendingTransactionFilter'], pending),
  ...named(['eth_chainId', 'net_version', 'eth_protocolVersion', 'web3_clientVersion', 'web3_sha3'], nothing),
  ...named(['net_listening', 'net_peerCount', 'eth_accounts', 'eth_coinbase', 'eth_mining', 'eth_hashrate'], nothing),
  ...named(['rpc_modules', 'rpc.discover', 'eth_uninstallFilter', 'eth_config'], nothing),
  ...named(['debug_preimage', 'debug_getBadBlocks', 'debug_codeByHash'], nothing),
]);
