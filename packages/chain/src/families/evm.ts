/** The EVM family: Ethereum and compatible chains, identified by their EIP-155 chain id. */

import { evmBlocks } from './evm-blocks.ts';
import { evmMethods } from './evm-methods.ts';
import { evmReads } from './evm-reads.ts';
import type { LedgerFamily } from './ledger-family.ts';

/** Listed by name. Any other method is sent alone, such as heavy reads, filters, and all submissions. */
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

export const evm: LedgerFamily = {
  name: 'evm',
  methods: evmMethods,
  reads: evmReads,
  quickReads,
  blocks: evmBlocks,
  takesVersion1: false,
  hasFeed: true,
  identity: { method: 'eth_chainId', params: '[]', read: (result) => quantity(result, 64)?.toString() },
  head: { method: 'eth_blockNumber', params: '[]', read: (result) => safeNumber(quantity(result, 14)) },
};

function quantity(result: unknown, maxDigits: number): bigint | undefined {
  const isQuantity = typeof result === 'string' && result.length <= maxDigits + 2 && /^0x[0-9a-f]+$/i.test(result);
  return isQuantity ? BigInt(result) : undefined;
}

function safeNumber(value: bigint | undefined): number | undefined {
  return value === undefined || value > Number.MAX_SAFE_INTEGER ? undefined : Number(value);
}
