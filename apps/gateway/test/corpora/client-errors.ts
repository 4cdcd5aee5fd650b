/**
 * JSON-RPC errors of the five execution clients and of the recorded tests of `ethereum/execution-apis`: texts and codes
 * from the clients' sources of August 2026, each classified by hand. Numbers and hashes are examples.
 */

import { errors, type KnownError } from './known-error.ts';

export const clientErrors: readonly KnownError[] = [
  ...errors(
    'unready',
    `Besu | -32008 | Initial sync is still in progress
    Nethermind | -32000 | node is syncing
    Geth | -32000 | node is not synced`,
  ),
  ...errors(
    'limited',
    `Reth | -32009 | Server is busy, try again later
    Besu | -40100 | Unauthorized`,
  ),
  ...errors(
    'too-much',
    `Geth | -32602 | exceed maximum block range 5000
    Geth | -32000 | exceed max addresses or topics per search position
    Geth | -32000 | execution timeout
    Geth | -32000 | account limit exceeded: pooled 17 txs
    Besu | -32005 | Number of requests exceeds max batch size
    Reth | -32602 | query exceeds max block range 100000
    Reth | -32602 | query exceeds max results 20000, retry with the range 100-149
    Reth | -32000 | execution aborted (timeout = 5s)
    Reth | -32010 | The batch request was too large
    Reth | -32007 | Request is too big
    Nethermind | -32005 | Too many logs requested. Max logs per response is 20000.
    Nethermind | -32016 | eth_call request was canceled due to enabled timeout.
    Nethermind | -32016 | Request was canceled due to enabled timeout.`,
  ),
  ...errors(
    'no-state',
    `Geth | -32000 | historical state is not available
    Geth | -32000 | historical state over ubt is not yet supported
    Geth | -32000 | state 0x5f3c is not available
    Geth | -32000 | state 0x5f3c is not canonical
    Geth | -32000 | state history is not yet available in path-based scheme
    Geth | -32000 | state histories haven't been fully indexed yet
    Geth | -32000 | trienode histories haven't been fully indexed yet
    Geth | -32000 | state is unrecoverable
    Geth | -32000 | genesis state is missing
    Geth | -32000 | no state found
    Geth | -32000 | pending state is not available
    Geth | -32000 | tx indexer is not enabled
    Geth | -32000 | failed to get logs for block #12 (0x5f3c)
    Geth | -32000 | unknown preimage
    Geth | -32000 | no preimage found for hash 5f3c
    Erigon | -32000 | block 12 exists but transaction indexing is not yet complete, please try again later
    Besu | 4444 | Pruned history unavailable
    Nethermind | 4444 | Pruned history unavailable
    Nethermind | -32002 | No state available for block 0x5f3c
    Reth | 4444 | pruned history unavailable: requested 5, earliest available 100
    Reth | -32602 | distance to target block exceeds maximum proof window
    Reth | -32603 | no state found for block 12
    Reth | -32603 | no state found for block number 12
    Reth | -32603 | block #5 is not available, history has expired (earliest available: #100)
    Reth | -32603 | insufficient changesets to revert to block #5. Available changeset range: 10..=20`,
  ),
  ...errors(
    'unknown-block',
    `execution-apis | -32000 | header not found
    execution-apis | -32000 | transaction not found
    execution-apis | -32000 | block 0x0000000000000000000000000000000000000000000000000000000000000001 not found
    Geth | -32000 | block #12 not found
    Geth | -32000 | block 5f3c not found
    Geth | -32000 | header #12 not found
    Geth | -32000 | parent 0x5f3c not found
    Geth | -32000 | end block #12 not found
    Geth | -32000 | bad block 0x5f3c not found
    Geth | -32000 | transaction 0x5f3c not found
    Geth | -32000 | transaction 0x5f3c not found in block
    Geth | -32000 | block body not found
    Geth | -32000 | block header is not found, 12, 5f3c
    Geth | -32000 | header found, but block body is missing
    Geth | -32000 | block 0x5f3c found, but parent missing
    Geth | -32000 | missing block 5f3c 12
    Geth | -32000 | hash is not currently canonical
    Geth | -32000 | safe block not found
    Geth | -32000 | finalized header not found
    Geth | -32000 | safe header not found
    Geth | -32000 | earliest header not found
    Geth | -32000 | current header is not available
    Geth | -32000 | head block not available
    Geth | -32000 | pending block is not available
    Geth | -32000 | pending receipts is not available
    Geth | -32000 | request beyond head block: requested 100, head 90
    Erigon | -32000 | block 5f3c not found
    Erigon | -32000 | block not found: 5f3c
    Erigon | -32603 | hash 5f3c is not currently canonical
    Erigon | -32000 | No finalized block
    Erigon | -32000 | tx not found
    Nethermind | -32000 | 12 could not be found
    Nethermind | -32000 | 0x5f3c block is not canonical
    Nethermind | -32000 | 0x5f3c receipt could not be found
    Nethermind | -32000 | header not found
    Besu | -32602 | Invalid block param (block not found)
    Besu | -32000 | Block not found
    Besu | -32000 | Parent block not found
    Besu | -32000 | Transaction not found
    Reth | -32001 | block not found: finalized
    Reth | -32001 | header range not found, start block Number(1), end block Number(2): start block: 0x1, end block: 0x2
    Reth | -32001 | unknown block or tx index
    Reth | -32000 | block 0x5f3c not found
    Reth | -32602 | request beyond head block: requested 100, head 90
    Reth | -32603 | no header found for Number(12)
    Reth | -32603 | no receipt found for Number(12)
    Reth | -32603 | no transaction found for Number(12)
    Reth | -32603 | state at block #12 is not available, block has not been executed yet (latest executed: #11)`,
  ),
  ...errors(
    'no-method',
    `Geth | -32000 | method not allowed
    Geth | -32601 | no "newSideHeads" subscription in eth namespace
    Geth | -32000 | tracing on top of pending is not supported
    Besu | -32601 | Method not found
    Besu | -32604 | Method not enabled
    Besu | -32604 | The method eth_sendTransaction is not supported. Use eth_sendRawTransaction to send a signed transaction to Besu.
    Nethermind | -32600 | The method 'trace_block' is found but the namespace 'Trace' is disabled for http://127.0.0.1:8545/. Consider adding the namespace 'Trace' to JsonRpc.AdditionalRpcUrls for an additional URL, or to JsonRpc.EnabledModules for the default URL.
    Nethermind | -32600 | The method 'eth_subscribe' is found in namespace 'Subscribe' for http://127.0.0.1:8545/' but is disabled for Http.
    Reth | -32603 | JS Tracer is not enabled
    Reth | -32603 | unsupported tracer
    Reth | -32603 | unimplemented
    Reth | -32005 | Batched requests are not supported by this server`,
  ),
  ...errors(
    'internal',
    `Geth | -32000 | receipts length mismatch: 3 vs 4
    Besu | -32603 | Timeout expired
    Besu | -32603 | Unknown internal error
    Besu | -32603 | Plugin internal error
    Besu | -32002 | Transaction pool not enabled. (Either txpool explicitly disabled, or node not yet in sync).
    Nethermind | -32017 | Timeout
    Reth | -32603 | internal blocking task error
    Reth | -32603 | internal eth error
    Reth | -32603 | internal filter error
    Reth | -32603 | Batch transaction sender channel closed
    Reth | -32603 | excess blob gas missing in the EVM's environment after Cancun`,
  ),
  ...errors(
    undefined,
    `execution-apis | -32602 | block range extends beyond current head block
    execution-apis | -32602 | invalid block range params
    execution-apis | -32602 | empty request
    execution-apis | -32602 | invalid argument 0: cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other
    execution-apis | -32602 | invalid argument 0: json: cannot unmarshal hex string without 0x prefix into Go value of type common.Hash
    execution-apis | -32602 | invalid argument 0: hex string without 0x prefix
    execution-apis | -32602 | invalid hex in storage key: "0xasdf"
    execution-apis | -32602 | storage key too long (want at most 32 bytes): "0x000000"
    execution-apis | -32000 | genesis is not traceable
    execution-apis | -32000 | account 0x0100000000000000000000000000000000000000 is not a precompile
    execution-apis | -32000 | nonce too high: address 0x16c57eDF7Fa9D9525378B0b81Bf8A3cEd0620C1c, tx: 999 state: 0
    execution-apis | -32603 | err: nonce has max value: address 0xC000000000000000000000000000000000000000, nonce: 18446744073709551615 (supplied gas 50000000)
    execution-apis | -38014 | err: insufficient funds for gas * price + value: address 0xC000000000000000000000000000000000000000 have 0 want 1000 (supplied gas 50000000)
    execution-apis | -38012 | err: max fee per gas less than block base fee: address 0xC000000000000000000000000000000000000000, maxFeePerGas: 0, baseFee: 1 (supplied gas 50000000)
    execution-apis | -38013 | err: intrinsic gas too low: have 0, want 21000 (supplied gas 0)
    execution-apis | -38020 | block numbers must be in order: 155 <= 155
    execution-apis | -38021 | block timestamps must be in order: 550 <= 588
    execution-apis | -38026 | too many blocks
    execution-apis | 3 | execution reverted: user error
    execution-apis | 3 | execution reverted: assert(false)
    execution-apis | -32015 | out of gas
    Geth | -32602 | can't specify fromBlock/toBlock with blockHash
    Geth | -32602 | invalid topic(s)
    Geth | -32602 | pending logs are not supported
    Geth | -32602 | too many arguments, want at most 2
    Geth | -32602 | missing value for required argument 0
    Geth | -32602 | empty input
    Geth | -32000 | invalid arguments; neither block nor hash specified
    Geth | -32000 | invalid reward percentile: over the query limit 100
    Geth | -32000 | invalid reward percentile: #1:50.000000 >= #2:25.000000
    Geth | -32000 | RPC gas cap exhausted: need 50000001, remaining 50000000
    Geth | -32000 | tx fee (1.20 ether) exceeds the configured cap (1.00 ether)
    Geth | -32000 | only replay-protected (EIP-155) transactions allowed over RPC
    Geth | -32000 | transaction type not supported: type 3 rejected, pool not yet in Cancun
    Geth | -32000 | transaction underpriced: gas tip cap 0, minimum needed 1
    Geth | -32000 | oversized data: transaction size 140000, limit 131072
    Geth | -32000 | gas limit reached
    Geth | -32000 | in-flight transaction limit reached for delegated accounts
    Geth | -32000 | gapped-nonce tx from delegated accounts
    Geth | -32000 | authority already reserved
    Geth | -32000 | sender not an eoa: address 0x12, len(code): 23
    Geth | -32000 | invalid code: must not begin with 0xef
    Geth | -32000 | max call depth exceeded
    Geth | -32000 | contract address collision
    Geth | -32000 | return data out of bounds
    Geth | -32000 | gas uint64 overflow
    Geth | -32000 | insufficient gas for floor data gas cost: have 21000, want 22000
    Geth | -32000 | insufficient balance for transfer
    Geth | -32000 | KZG verification error
    Geth | -32000 | blob transaction missing blob hashes
    Geth | -32000 | max fee per blob gas less than block blob gas fee: address 0x12 blobGasFeeCap: 1, blobBaseFee: 2
    Geth | -32000 | transaction index 7 out of range for block 0x5f3c
    Geth | -32000 | tracing failed: insufficient funds for gas * price + value: address 0x12 have 0 want 1
    Geth | 4 | The transaction was added to the transaction pool but wasn't processed in 2s
    Erigon | -32000 | end (5) < begin (10)
    Erigon | -32000 | begin (12) > latest (10)
    Nethermind | -32602 | requested block range is in the future
    Nethermind | -32602 | invalid block range params
    Nethermind | -32000 | failed to recover sender
    Nethermind | -32000 | transaction cost overflow
    Nethermind | -32000 | nonce too far in future
    Nethermind | -32000 | pending transaction type conflict
    Nethermind | -32000 | unsupported transaction type
    Nethermind | -32000 | transaction too large, Transaction size 140000 exceeds configured max size 131072
    Nethermind | -32000 | delegation nonce gap
    Nethermind | -32000 | InvalidTxChainId: Expected 1, got 2.
    Nethermind | -32000 | TxGasLimitCapExceeded: Gas limit 20000000 exceeded cap of 16777216.
    Nethermind | -32000 | Invalid RLP.
    Besu | -32602 | Invalid params
    Besu | -32602 | Invalid block range params
    Besu | -32602 | Invalid pending transactions params
    Besu | -32602 | Invalid filter params
    Besu | 4445 | Block access list not available for pre-Amsterdam blocks
    Besu | -32000 | Filter not found
    Besu | -32000 | Known transaction
    Besu | -32000 | Transaction fee cap exceeded
    Besu | -32000 | Total blob gas too high
    Besu | -32000 | Max priority fee per gas exceeds max fee per gas
    Besu | -32000 | Transaction processing could not be completed due to an exception
    Besu | -32001 | Nonce too low
    Besu | -32002 | Invalid signature
    Besu | -32003 | Intrinsic gas exceeds gas limit
    Besu | -32004 | Upfront cost exceeds account balance
    Besu | -32005 | Transaction gas limit exceeds block gas limit
    Besu | -32005 | Transaction gas limit cap exceeded
    Besu | -32006 | Nonce too high
    Besu | -32007 | Sender account not authorized to send transactions
    Besu | -32009 | Gas price below configured minimum gas price
    Besu | -32009 | blob gas price below current blob base fee
    Besu | -32603 | blobs failed kzg validation
    Reth | -32602 | block range extends beyond current head block: requested 100, head 90
    Reth | -32602 | invalid block range params
    Reth | -32602 | invalid block range
    Reth | -32602 | failed to decode signed transaction
    Reth | -32602 | invalid reward percentiles
    Reth | -32000 | genesis is not traceable
    Reth | -32602 | filter not found
    Reth | -32000 | gas required exceeds allowance (50000000)
    Reth | -32003 | out of memory: memory limit exceeded during memory expansion
    Reth | -32003 | out of gas: gas required exceeds: 21000
    Reth | -32003 | EVM error: StackUnderflow
    Reth | -32003 | sender is not an EOA
    Reth | -32003 | max_fee_per_blob_gas is not supported for blocks before the Cancun hardfork
    Reth | -32003 | blob_versioned_hashes is not supported for blocks before the Cancun hardfork
    Reth | -32003 | EIP-7702 authorization list not supported
    Reth | -32003 | transactions before Berlin should not have access list
    Reth | -32003 | blob transaction exceeds max blobs per block; got 9
    Reth | -32000 | exceeds max transaction gas limit
    Reth | -32000 | address already reserved
    Reth | 4445 | Block access list not available for pre-Amsterdam blocks`,
  ),
];
