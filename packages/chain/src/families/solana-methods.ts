/** The Solana family's method lists: the published HTTP methods that read, simulation, and `sendTransaction` (contract/json-rpc#solana). */

import type { ListedReads } from './method-family.ts';

/**
 * The published methods (solana.com/docs/rpc/http), without `requestAirdrop`, which spends a faucet's funds, and `getIdentity`, which reveals the node's
 * identity.
 */
const reads = [
  ...['getAccountInfo', 'getBalance', 'getMultipleAccounts', 'getMinimumBalanceForRentExemption'],
  ...['getBlock', 'getBlockCommitment', 'getBlockHeight', 'getBlockProduction', 'getBlockTime'],
  ...['getBlocks', 'getBlocksWithLimit', 'getFirstAvailableBlock', 'minimumLedgerSlot'],
  ...['getClusterNodes', 'getHealth', 'getVersion', 'getGenesisHash', 'getAgGenesisCert', 'getHighestSnapshotSlot'],
  ...['getMaxRetransmitSlot', 'getMaxShredInsertSlot'],
  ...['getEpochInfo', 'getEpochSchedule', 'getSlot', 'getSlotLeader', 'getSlotLeaders', 'getLeaderSchedule'],
  ...['getInflationGovernor', 'getInflationRate', 'getInflationReward'],
  ...['getStakeMinimumDelegation', 'getVoteAccounts'],
  ...['getFeeForMessage', 'getLatestBlockhash', 'isBlockhashValid'],
  ...['getRecentPerformanceSamples', 'getRecentPrioritizationFees', 'getTransactionCount'],
  ...['getSignatureStatuses', 'getSignaturesForAddress', 'getTransaction', 'getTransactionsForAddress'],
  ...['getTokenAccountBalance', 'getTokenAccountsByOwner', 'getTokenSupply'],
];

/** Without an index, a node answers these by a scan of all accounts, or of all accounts of a program. */
const scans = [
  ...['getProgramAccounts', 'getLargestAccounts', 'getTokenLargestAccounts', 'getTokenAccountsByDelegate'],
  ...['getSupply'],
];

const simulation = 'simulateTransaction';

export const solanaReads: ReadonlySet<string> = new Set([...reads, ...scans, simulation]);

export const solanaMethods: ListedReads = {
  shape: /^[a-zA-Z]+$/,
  maxLength: 64,
  allowed: [...reads, simulation, 'sendTransaction'],
  heavy: scans,
  enableForm: /^[a-z]+\*?$/i,
  enableExamples: ['getProgramAccounts', 'getToken*'],
};
