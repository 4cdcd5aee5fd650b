/** Phrases in JSON-RPC errors of nodes and providers: parts of messages, in lower case, separated by bars. `test/corpora/node-errors` has whole messages for each. */

import type { ErrorFault } from '../port/node-faults.ts';

/** The parts occur in the message in this order. */
export type Phrase = readonly string[];

/** `…` matches any words in between. */
function list(phrases: string): readonly Phrase[] {
  return phrases.split('|').map((phrase) => phrase.split('…').map((part) => part.trim()));
}

/** `message`: in lower case. */
export function hasPhrase(message: string, phrase: Phrase): boolean {
  let from = 0;
  for (const part of phrase) {
    const at = message.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}

/** Failures of execution, and errors that every node returns for the call. Tried first, because a contract chooses the text of its revert, and the caller of a trace the text of its script. */
export const ofTheCall = list(
  `revert | vm exception | vm execution | evm error | execution error | simulation failed | out of gas | gas limit | gas too low
  | intrinsic gas | gas required exceeds | outofgas | max fee per gas | base fee | insufficient funds | insufficient balance
  | nonce | underpriced | fee cap | fee too low | feetoolow | higher priority | replacement | invalid opcode | invalid jump
  | stack overflow | stack underflow | stack limit | write protection | initcode | code size | already known | alreadyknown
  | known transaction | already imported | already exists | already in | already-in | already been processed | invalid sender
  | invalid signature | signature verification | chain id | chainid | transaction type | transaction too | oversized | rlp:
  | cannot unmarshal | missing value for required | invalid argument | invalid block range | invalid params | invalid hex
  | sender is over rate limit | server-side tracer | <eval> | syntaxerror | referenceerror | typeerror | range extends beyond
  | block range is in the future | genesis is not traceable | upfront cost | kzg | during memory expansion | before the cancun hardfork
  | authorization list not supported`,
);

/** Reth's complete message about pruned state. It contains `revert` but is no revert. */
export const prunedChangesets =
  /^insufficient changesets to revert to block #\d+\. available changeset range: [\d.=]+$/;

/** The node's configuration disables the method. Nethermind returns this under the code for a wrong request. */
export const methodIsOff = list('is found in namespace … is disabled | is found but the namespace … is disabled');

/** Limits that fewer blocks do not avoid. */
export const notByRange = list('addresses or topics | number of address | batch');

type Row = {
  readonly fault: ErrorFault;
  /** Codes that decide if no phrase matches. */
  readonly codes: readonly number[];
  readonly phrases: readonly Phrase[];
};

/** Tried in this order: the code for too many calls often reports a limit on the size of one call. */
export const errorRows: readonly Row[] = [
  {
    fault: 'too-much',
    codes: [-32614],
    phrases: list(
      `block range | blocks range | range too large | range is too | range exceeds | exceeds the range | max range | maximum range
      | blocks distance | range limit | returned more than | too many results | too many logs | logs over | max results | log response size
      | response size | response too | response is too | result too large | is too big | query exceeds | limit the query | try paginating
      | addresses or topics | number of address | eth_getlogs is limited | is limited to | query timeout | execution timeout | aborted (timeout
      | due to enabled timeout | batch too | batch limit | batch size | requests in batch | batch request | batching is | batch is`,
    ),
  },
  {
    fault: 'no-state',
    codes: [4444],
    phrases: list(
      `missing trie node | historical | state is not available | state not available | state unavailable | no state available | state not found
      | missing state | state histor | pruned | pruning | archive | proof window | trie does not | reexec | -txindex | transaction indexing
      | cleaned up | history is not available | history not available | first available block | lowest height
      | excluded from account secondary | long-term storage | ancient | state 0x… not available | state 0x… not canonical | histories haven't
      | state is unrecoverable | genesis state is missing | no state found | tx indexer is not | get logs for block | preimage
      | history has expired`,
    ),
  },
  {
    fault: 'unknown-block',
    codes: [],
    phrases: list(
      `blocknotfound | unknown block | could not find block | cannot find block | block does not exist
      | could not be found | cannot be found | header for hash | no block | block number out of | block height | block is out of range
      | block out of range | blocks specified | height must be | after last accepted | unfinalized | greater than latest
      | beyond current head | beyond head | future block | block is in the future | currently canonical | pending block | safe block
      | finalized block | resource not found | cannot find transaction | block not available | block status not
      | slot was skipped | was skipped, or missing | block … not found | header … not found | parent … not found | transaction … not found
      | tx not found | block body is missing | parent missing | missing block | header is not available | pending receipts
      | not canonical | no header found | no receipt found | no transaction found | has not been executed yet | minimum context slot | height is not available`,
    ),
  },
  {
    fault: 'limited',
    codes: [429, -32029],
    phrases: list(
      `rate limit | ratelimit | rate-limit | too many request | request limit | requests limited | requests per | request rate
      | request count exceeded | compute units | capacity limit | capacity exceeded | exceeded its | quota | free tier | current plan
      | upgrade your | usage limit | credits | call limit | throughput | concurrent requests | too much load | overloaded | too busy
      | server is busy | must be authenticated | api key | apikey | project id | unauthorized | unauthenticated | forbidden | access denied
      | key is inactive | key is invalid | key is disabled | key is required`,
    ),
  },
  // An unnamed limit may be one on this call, for example on the memory of a trace.
  { fault: 'too-much', codes: [], phrases: list('limit exceeded | exceeds limit | exceeded limit') },
  {
    fault: 'no-method',
    codes: [-32601, -32004, -32604],
    phrases: list(
      `method not found | does not exist/is not available | method not supported | unsupported method | method is not | method not allowed
      | not whitelisted | is disabled | not supported | not available on | not implemented | unimplemented
      | is not enabled | unsupported tracer`,
    ),
  },
  {
    fault: 'unready',
    codes: [-28, -10],
    phrases: list(
      `node is behind | node is unhealthy | node is not synced | node not synced | node is syncing | still syncing | node is not ready | node not ready | server is not ready
      | service is not ready | loading block | starting up | initial sync | initial block download | warming up | verifying blocks | rescanning`,
    ),
  },
  {
    fault: 'internal',
    codes: [-32603, -32002, -32005, -32001],
    phrases: list(
      `internal error | internal server | internal json | server error | unavailable | upstream | bad gateway | gateway time | timed out
      | timeout | deadline exceeded | context canceled | connection re | no server available | backend | try again | unexpected eof
      | database | leveldb | i/o | panic | handler crashed | receipts length mismatch`,
    ),
  },
];
