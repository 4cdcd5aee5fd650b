/**
 * JSON-RPC errors of real nodes and providers with their meaning; undefined: the error is about the call. Numbers are
 * examples.
 */

import { clientErrors } from './client-errors.ts';
import { errors, type KnownError } from './known-error.ts';

export const nodeErrors: readonly KnownError[] = [
  ...errors(
    'limited',
    `Infura | -32005 | daily request count exceeded, request rate limited
    Alchemy | 429 | Your app has exceeded its compute units per second capacity. If you have retries enabled, you can safely ignore this message.
    QuickNode | -32007 | 50/second request limit reached - reduce calls per second or upgrade your account at quicknode.com
    Ankr | -32090 | Too many requests, reason: call rate limit exhausted, retry in 10s
    Chainstack | -32005 | You've exceeded the RPS limit available on the current plan.
    dRPC | 15 | You reached the free tier limits, upgrade your account
    BlastAPI | -32029 | Rate limit reached
    Cloudflare | -32016 | over rate limit
    Flowgate | -32005 | Too many requests.
    GetBlock | -32000 | Monthly capacity limit exceeded. Visit https://example.test/billing to upgrade
    Alchemy | -32000 | Must be authenticated!
    a provider | -32000 | invalid api key
    public nodes | -32097 | Rate limit
    Infura | -32005 | project ID request rate exceeded
    a provider | -32000 | API key is inactive`,
  ),
  ...errors(
    'unready',
    `Bitcoin Core | -28 | Loading block index...
    Bitcoin Core | -28 | Verifying blocks...
    Bitcoin Core | -10 | Bitcoin Core is in initial sync and waiting for blocks...
    Solana | -32005 | Node is behind by 42 slots
    Solana | -32005 | Node is unhealthy
    a proxy | -32000 | node is not synced
    a proxy | -32000 | The node is not ready`,
  ),
  ...errors(
    'too-much',
    `Infura | -32005 | query returned more than 10000 results. Try with this block range [0x1, 0x2].
    Alchemy | -32602 | Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size
    QuickNode | -32614 | eth_getLogs is limited to a 10,000 range
    Ankr | -32602 | block range is too wide
    Chainstack | -32000 | Block range limit exceeded. See more details at https://example.test/limits
    BSC | -32000 | exceed maximum block range: 5000
    Erigon | -32000 | query timeout exceeded
    Geth | -32000 | execution aborted (timeout = 5s)
    Geth | -32003 | response too large
    Geth | -32600 | batch too large
    Reth | -32008 | Response is too big
    Reth | -32602 | query exceeds max results 20000, retry with the range 1-2
    Nethermind | -32000 | Too many logs requested. Max logs per response is 20000.
    dRPC | -32000 | exceed max addresses or topics per search position
    Besu | -32005 | Requested range exceeds maximum RPC range limit
    a provider | -32600 | Batch size is limited to 10 requests
    EIP-1474 | -32005 | Limit exceeded
    Erigon | -32000 | memory limit exceeded while tracing`,
  ),
  ...errors(
    'no-state',
    `Geth | -32000 | missing trie node 5f3c (path ) state 0x5f3c is not available
    Geth | -32000 | required historical state unavailable (reexec=128)
    Geth | -32000 | historical state 5f3c is not available
    Geth | 4444 | pruned history unavailable
    Geth | -32000 | transaction indexing is in progress
    Erigon | -32000 | old data not available due to pruning: requested block 1, history is available from block 9
    Nethermind | -32002 | No state available for block 12 (0x12)
    Nethermind | -32000 | Block 12 receipts have been pruned
    Besu | -32000 | World state unavailable
    Reth | -32603 | distance to target block exceeds maximum proof window
    Reth | -32603 | state at block #12 is pruned
    Arbitrum | -32000 | missing trie node 5f3c (path ) <nil>
    OP | -32000 | no historical RPC is available for this historical (pre-bedrock) execution request
    Chainstack | -32602 | Archive, Debug and Trace requests are not available on your current plan.
    Alchemy | -32000 | state is not available for this block, upgrade for archive
    Solana | -32001 | Block 5 cleaned up, does not exist on node. First available block: 9
    Solana | -32011 | Transaction history is not available from this node
    Solana | -32010 | key excluded from account secondary indexes; this RPC method unavailable for key
    Bitcoin Core | -1 | Block not available (pruned data)
    Bitcoin Core | -5 | No such mempool transaction. Use -txindex or provide a block hash to enable blockchain transaction queries. Use gettransaction for wallet transactions.`,
  ),
  ...errors(
    'unknown-block',
    `Geth | -32000 | header not found
    Geth | -32000 | header for hash not found
    Geth | -32000 | unknown block
    Geth | -32000 | hash 0x12 is not currently canonical
    Geth | -39001 | Unknown block
    Geth | -32000 | finalized block not found
    Geth | -32000 | transaction not found
    Erigon | -32000 | block not found: 12
    Nethermind | -32001 | 0x12 could not be found
    Besu | -39001 | Unknown block
    Reth | -32001 | block not found: hash 0x12
    Avalanche | -32000 | cannot query unfinalized data
    Avalanche | -32000 | requested from block 12 after last accepted block 11
    zkSync | -32602 | Block with such an ID doesn't exist yet: no block
    EIP-1474 | -32001 | Resource not found
    Solana | -32004 | Block not available for slot 12
    Solana | -32014 | Block status not yet available for slot 12
    Solana | -32007 | Slot 12 was skipped, or missing due to ledger jump to recent snapshot
    Solana | -32016 | Minimum context slot has not been reached
    Bitcoin Core | -5 | Block not found
    Bitcoin Core | -8 | Block height out of range`,
  ),
  ...errors(
    'no-method',
    `Geth | -32601 | the method trace_block does not exist/is not available
    Nethermind | -32601 | Method trace_block is not supported
    Erigon | -32601 | the method eth_rate_limit_exceeded does not exist/is not available
    Besu | -32604 | Method not enabled: method not supported
    Hardhat | -32004 | Method debug_getRawBlock is not supported
    Ankr | -32000 | Method disabled: the method is not available on this chain
    dRPC | 12 | method is not available on freetier: method is not`,
  ),
  ...errors(
    'internal',
    `Geth | -32603 | method handler crashed
    Geth | -32002 | request timed out
    Nethermind | -32603 | Internal error
    Besu | -32603 | Internal error
    Reth | -32603 | internal error: database read failed
    Infura | -32603 | Internal server error. Please try again later.
    Alchemy | -32000 | Unable to complete request at this time: upstream
    QuickNode | -32000 | context deadline exceeded
    proxyd | -32011 | no backends available for method
    proxyd | -32010 | backend is currently not healthy to serve traffic
    a proxy | -32000 | connection refused
    EIP-1474 | -32002 | Resource unavailable
    Hardhat | -32603 | fork block could not be loaded
    Arbitrum | -32603 | block 12 is not ready
    a node | -32603 | an unknown problem`,
  ),
  ...errors(
    undefined,
    `Geth | 3 | execution reverted: missing trie node
    Geth | -32000 | execution reverted: rate limit exceeded
    Geth | -32000 | execution reverted
    Geth | -32000 | out of gas
    Geth | -32000 | gas required exceeds allowance (50000000)
    Geth | -32000 | insufficient funds for gas * price + value: address 0x12 have 0 want 1
    Geth | -32000 | nonce too low: next nonce 12, tx nonce 11
    Geth | -32000 | replacement transaction underpriced
    Geth | -32000 | max fee per gas less than block base fee: address 0x12, maxFeePerGas: 1, baseFee: 9
    Geth | -32000 | already known
    Geth | -32000 | exceeds block gas limit
    Geth | -32000 | intrinsic gas too low: have 21000, want 21644
    Geth | -32000 | invalid sender
    Geth | -32000 | invalid opcode: INVALID
    Geth | -32000 | filter not found
    Geth | -32000 | invalid block range params
    Geth | -32602 | invalid argument 0: hex string without 0x prefix
    Geth | -32602 | missing value for required argument 1
    Geth | -32602 | invalid argument 0: json: cannot unmarshal string "internal error: rate limit, node is behind" into Go value
    Reth | -32602 | Invalid params
    Nethermind | -32015 | VM execution error.
    Nethermind | -32010 | AlreadyKnown
    Nethermind | -32010 | OldNonce, Current nonce: 5, nonce of rejected tx: 4
    Besu | -32000 | Execution reverted (rate limit exceeded)
    Besu | -32003 | Transaction rejected
    OpenEthereum | -32015 | Transaction execution error.
    Hardhat | -32603 | Error: VM Exception while processing transaction: reverted with reason string 'internal error'
    Frontier | -32603 | VM Exception while processing transaction: revert missing trie node
    Monad | -32603 | An existing transaction had higher priority
    OP sequencer | -32000 | sender is over rate limit
    a provider | -32600 | Invalid Request
    Solana | -32002 | Transaction simulation failed: Blockhash not found
    Solana | -32003 | Transaction signature verification failure
    Solana | -32602 | Invalid param: WrongSize
    Bitcoin Core | -8 | blockhash must be of length 64 (not 3, for 'abc')
    Bitcoin Core | -27 | Transaction already in block chain
    Bitcoin Core | -26 | min relay fee not met, 100 < 200
    a node | -32000 | an unknown problem
    a node | 1 | -32603`,
  ),
  ...clientErrors,
];
