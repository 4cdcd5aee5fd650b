/**
 * The EVM family's reads: methods that change nothing at a node and may be sent again, to the same node or another one (contract/retries#reads). Names are exact: a method that is not listed counts as no read,
 * since a missing name costs one try and a wrong one a second transaction. Sources: ethereum/execution-apis, the method lists of Geth, Erigon, Nethermind, Besu and Reth, and of the chains that add to them.
 */

/** `names`: the methods without their prefix, separated by spaces. */
function of(namespace: string, names: string): readonly string[] {
  return names
    .trim()
    .split(/\s+/)
    .map((name) => `${namespace}_${name}`);
}

/** Excluded: filters, which the node stores (`eth_newFilter`, `eth_getFilterChanges`), subscriptions, and submissions. */
const eth = of(
  'eth',
  `blockNumber chainId syncing protocolVersion gasPrice maxPriorityFeePerGas blobBaseFee baseFee feeHistory coinbase mining hashrate config capabilities
  getBalance getCode getStorageAt getStorageValues getTransactionCount getProof getAccount getAccountInfo getStorageRoot
  call callMany callBundle callDetailed estimateGas createAccessList simulateV1
  getBlockByNumber getBlockByHash getHeaderByNumber getHeaderByHash getBlockReceipts getBlockAccessListByBlockHash getBlockAccessListByBlockNumber
  getBlockTransactionCountByNumber getBlockTransactionCountByHash getUncleCountByBlockNumber getUncleCountByBlockHash
  getUncleByBlockNumberAndIndex getUncleByBlockHashAndIndex getMinerDataByBlockHash getMinerDataByBlockNumber
  getTransactionByHash getTransactionReceipt getTransactionByBlockNumberAndIndex getTransactionByBlockHashAndIndex getTransactionBySenderAndNonce
  getRawTransactionByHash getRawTransactionByBlockNumberAndIndex getRawTransactionByBlockHashAndIndex getTransactionReceiptsByBlock
  getLogs getBorBlockReceipt getRootHash getChainConfig getActiveFeeConfigAt suggestPriceOptions
  supportedEntryPoints estimateUserOperationGas getUserOperationByHash getUserOperationReceipt`,
);

const node = [
  ...of('net', 'version listening peerCount'),
  ...of('web3', 'clientVersion sha3'),
  ...of('rpc', 'modules'),
  'rpc.discover',
];

/** Heavy: they re-execute blocks or walk tries. */
const debug = of(
  'debug',
  `traceTransaction traceCall traceCallMany traceBlock traceBlockByNumber traceBlockByHash traceBadBlock
  getRawBlock getRawHeader getRawReceipts getRawTransaction getRawTransactions getBlockRlp getHeaderRlp getBadBlocks preimage
  storageRangeAt accountRange accountAt getModifiedAccountsByHash getModifiedAccountsByNumber intermediateRoots getAccessibleState codeByHash
  executionWitness executionWitnessByBlockHash getChainLevel`,
);

const traces = 'block call callMany filter get rawTransaction replayBlockTransactions replayTransaction transaction';

const indexed = [
  ...of('trace', `${traces} blockOpcodeGas transactionOpcodeGas`),
  ...of('arbtrace', traces),
  ...of(
    'ots',
    `getApiLevel getInternalOperations searchTransactionsBefore searchTransactionsAfter getBlockDetails getBlockDetailsByHash getBlockTransactions hasCode
    traceTransaction getTransactionError getTransactionBySenderAndNonce getContractCreator`,
  ),
  ...of(
    'erigon',
    `forks blockNumber getHeaderByHash getHeaderByNumber getBlockReceiptsByBlockHash getBlockReceipts getLogs getLogsByHash getLatestLogs getBlockByTimestamp
    getBalanceChangesInBlock watchTheBurn`,
  ),
  ...of('overlay', 'getLogs callConstructor'),
  ...of('proof', 'call getTransactionByHash getTransactionReceipt'),
];

/** Methods of single chains. Excluded are methods that are not documented as read-only, such as `bor_getVoteOnHash`, which locks a milestone. */
const chains = [
  ...of('optimism', 'outputAtBlock syncStatus rollupConfig version safeHeadAtL1Block'),
  ...of('rollup', 'getInfo gasPrices'),
  ...of('arb', 'findBatchContainingBlock getL1Confirmations blockL1Num getRawBlockMetadata'),
  ...of('arbdebug', 'pricingModel timeoutQueue timeoutQueueHistory'),
  ...of(
    'zks',
    `estimateFee estimateGasL1ToL2 getBridgehubContract getMainContract getTestnetPaymaster getBridgeContracts getBaseTokenL1Address L1ChainId getConfirmedTokens
    getAllAccountBalances getL2ToL1MsgProof getL2ToL1LogProof L1BatchNumber getBlockDetails getTransactionDetails getRawBlockTransactions getL1BatchBlockRange
    getL1BatchDetails getBytecodeByHash getL1GasPrice getFeeParams getBatchFeeInput getProtocolVersion getProof getL2Multicall3 getTimestampAsserter gasPerPubdata getTokenPrice`,
  ),
  ...of('linea', 'estimateGas getProof getTransactionExclusionStatusV1'),
  ...of(
    'bor',
    `getAuthor getCurrentProposer getCurrentValidators getRootHash getSigners getSignersAtHash getSnapshot getSnapshotAtHash getSnapshotProposer
    getSnapshotProposerSequence`,
  ),
  ...of(
    'zkevm',
    `consolidatedBlockNumber isBlockConsolidated isBlockVirtualized batchNumber batchNumberByBlockNumber virtualBatchNumber verifiedBatchNumber getBatchByNumber
    getFullBlockByNumber getFullBlockByHash getNativeBlockHashesInRange getTransactionByL2Hash getTransactionReceiptByL2Hash getExitRootsByGER
    getLatestGlobalExitRoot estimateCounters getForkId getForkById getForkIdByBatchNumber getForks`,
  ),
  ...of(
    'scroll',
    `getBlockByHash getBlockByNumber getL1MessageByIndex getFirstQueueIndexNotInL2Block getLatestRelayedQueueIndex estimateL1DataFee getNumSkippedTransactions
    getSkippedTransaction getSkippedTransactionHashes`,
  ),
  ...of('taiko', 'headL1Origin l1OriginByID getSyncMode'),
  ...of('moon', 'isBlockFinalized isTxFinalized'),
  ...of('rsk', 'protocolVersion getRawTransactionReceiptByHash getTransactionReceiptNodesByHash getStorageBytesAt'),
  ...['klay', 'kaia'].flatMap((namespace) =>
    of(
      namespace,
      `blockNumber chainID chainId clientVersion syncing protocolVersion call estimateGas estimateComputationCost gasPrice maxPriorityFeePerGas feeHistory
      getBalance getCode getStorageAt getTransactionCount getAccount getAccountKey isContractAccount getProof createAccessList
      getBlockByNumber getBlockByHash getHeaderByNumber getHeaderByHash getBlockReceipts getBlockTransactionCountByNumber getBlockTransactionCountByHash
      getBlockWithConsensusInfoByNumber getBlockWithConsensusInfoByHash getCommittee getCommitteeSize getCouncil getCouncilSize getRewards getLogs
      getTransactionByHash getTransactionReceipt getTransactionBySenderTxHash getTransactionReceiptBySenderTxHash
      getTransactionByBlockNumberAndIndex getTransactionByBlockHashAndIndex`,
    ),
  ),
];

/** Methods of single providers. */
const providers = [
  ...of(
    'alchemy',
    `getTokenBalances getTokenMetadata getTokenAllowance getAssetTransfers getTransactionReceipts simulateAssetChanges simulateAssetChangesBundle
    simulateExecution simulateExecutionBundle`,
  ),
  ...of('mev', 'simBundle'),
];

export const evmReads: ReadonlySet<string> = new Set([...eth, ...node, ...debug, ...indexed, ...chains, ...providers]);
