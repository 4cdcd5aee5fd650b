/** The Solana family's method lists: the published HTTP methods that read, simulation, and `sendTransaction` (contract/json-rpc#solana). */

import type { ListedReads } from './method-family.ts';

/** The published methods (solana.com/docs/rpc/http), without `requestAirdrop`, which makes a faucet pay, and `getIdentity`, which names the node itself. */
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

/** A node answers these by scanning all accounts, or all of a program's, unless it has an index for them. */
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
