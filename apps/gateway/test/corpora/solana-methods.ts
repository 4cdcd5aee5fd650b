/** Methods on a Solana network that reach no node, and those that do (contract/json-rpc#solana). */

/** The published HTTP methods that read, simulate or send (solana.com/docs/rpc/http; the types of the package @solana/rpc-api 8.4.0). */
export const solanaForwarded: readonly string[] = `
getAccountInfo getAgGenesisCert getBalance getBlock getBlockCommitment getBlockHeight getBlockProduction getBlocks getBlocksWithLimit getBlockTime
getClusterNodes getEpochInfo getEpochSchedule getFeeForMessage getFirstAvailableBlock getGenesisHash getHealth getHighestSnapshotSlot getInflationGovernor getInflationRate
getInflationReward getLatestBlockhash getLeaderSchedule getMaxRetransmitSlot getMaxShredInsertSlot getMinimumBalanceForRentExemption getMultipleAccounts
getRecentPerformanceSamples getRecentPrioritizationFees getSignaturesForAddress getSignatureStatuses getSlot getSlotLeader getSlotLeaders getStakeMinimumDelegation
getTokenAccountBalance getTokenAccountsByOwner getTokenSupply getTransaction getTransactionCount getTransactionsForAddress getVersion getVoteAccounts isBlockhashValid minimumLedgerSlot
sendTransaction simulateTransaction
`
  .trim()
  .split(/\s+/);

/** Disabled until a network enables them. */
export const solanaHeavy: readonly string[] =
  'getProgramAccounts getLargestAccounts getTokenLargestAccounts getTokenAccountsByDelegate getSupply'.split(' ');

/** The faucet and the node's own identity; a validator's admin service; subscriptions; simulators; methods of other families and of single providers. */
export const solanaBlocked: readonly string[] = `
requestAirdrop getIdentity
exit rpcAddress setLogFilter startTime startProgress addAuthorizedVoter addAuthorizedVoterFromBytes removeAllAuthorizedVoters setIdentity setIdentityFromBytes
setStakedNodesOverrides contactInfo repairShredFromPeer repairWhitelist setRepairWhitelist getSecondaryIndexKeySize setPublicTpuAddress setPublicTpuForwardsAddress plugins
loadPlugin unloadPlugin reloadPlugin listPlugins manageBlockProduction
accountSubscribe accountUnsubscribe blockSubscribe logsSubscribe programSubscribe rootSubscribe signatureSubscribe slotSubscribe slotsUpdatesSubscribe voteSubscribe
registerNode deregisterNode surfnet_setAccount surfnet_setTokenAccount surfnet_timeTravel surfnet_resetNetwork
getAsset getPriorityFeeEstimate sendBundle simulateBundle qn_estimatePriorityFees
eth_blockNumber eth_sendTransaction admin_peers getblockcount stop
getConfirmedTransaction getRecentBlockhash getFees
`
  .trim()
  .split(/\s+/);
