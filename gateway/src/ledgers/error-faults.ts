/**
 * JSON-RPC errors of nodes and providers: which of them speak of the node and not of the call, so that a read goes elsewhere (contract/retries#errors). Codes are used in different ways by different nodes, so that the
 * message decides first; what no row knows is the node's word about the call.
 */

import { createMembers, rawMember, readMembers } from '../platform/json/json-members.ts';
import { maxAnswerDepth } from '../platform/json/json-scan.ts';
import type { ErrorFault } from './node-faults.ts';
import type { JsonText } from './node-port.ts';

/** Bytes of an error in which its code and message are looked for. Longer errors have long `data`, mostly of a revert. */
const longestRead = 4_096;
/** Of the message, in characters. */
const longestMessage = 512;

/** What was executed and failed, or is wrong whichever node is asked. Looked for first: a contract chooses the text of its revert. */
const ofTheCall: readonly string[] = [
  ...['revert', 'vm exception', 'vm execution', 'evm error', 'execution error', 'simulation failed'],
  ...[
    'out of gas',
    'gas limit',
    'gas too low',
    'intrinsic gas',
    'gas required exceeds',
    'outofgas',
    'max fee per gas',
    'base fee',
  ],
  ...[
    'insufficient funds',
    'insufficient balance',
    'nonce',
    'underpriced',
    'fee cap',
    'fee too low',
    'feetoolow',
    'higher priority',
    'replacement',
  ],
  ...[
    'invalid opcode',
    'invalid jump',
    'stack overflow',
    'stack underflow',
    'stack limit',
    'write protection',
    'initcode',
    'code size',
  ],
  ...[
    'already known',
    'alreadyknown',
    'known transaction',
    'already imported',
    'already exists',
    'already in',
    'already-in',
    'already been processed',
  ],
  ...[
    'invalid sender',
    'invalid signature',
    'signature verification',
    'chain id',
    'chainid',
    'transaction type',
    'transaction too',
    'oversized',
    'rlp:',
  ],
  ...[
    'cannot unmarshal',
    'missing value for required',
    'invalid argument',
    'invalid block range',
    'invalid params',
    'invalid hex',
    'sender is over rate limit',
  ],
];

type Row = {
  readonly fault: ErrorFault;
  readonly codes: readonly number[];
  /** Parts of messages, in lower case. */
  readonly phrases: readonly string[];
};

/** In the order in which they are tried: a limit on one call's size is often told under the code for too many calls. */
const rows: readonly Row[] = [
  {
    fault: 'too-much',
    codes: [-32614],
    phrases: [
      ...[
        'block range',
        'blocks range',
        'range too large',
        'range is too',
        'range exceeds',
        'exceeds the range',
        'max range',
        'maximum range',
      ],
      ...[
        'blocks distance',
        'range limit',
        'returned more than',
        'too many results',
        'too many logs',
        'logs over',
        'max results',
        'log response size',
      ],
      ...[
        'response size',
        'response too',
        'response is too',
        'result too large',
        'is too big',
        'query exceeds',
        'limit the query',
        'try paginating',
      ],
      ...[
        'addresses or topics',
        'number of address',
        'eth_getlogs is limited',
        'is limited to',
        'query timeout',
        'execution timeout',
        'aborted (timeout',
      ],
      ...['batch too', 'batch limit', 'batch size', 'requests in batch', 'batch request', 'batching is', 'batch is'],
    ],
  },
  {
    fault: 'no-state',
    codes: [4444],
    phrases: [
      ...[
        'missing trie node',
        'historical',
        'state is not available',
        'state not available',
        'state unavailable',
        'no state available',
      ],
      ...[
        'state not found',
        'missing state',
        'state histor',
        'pruned',
        'pruning',
        'archive',
        'proof window',
        'trie does not',
        'reexec',
      ],
      ...[
        '-txindex',
        'transaction indexing',
        'cleaned up',
        'history is not available',
        'history not available',
        'first available block',
        'lowest height',
      ],
      ...['excluded from account secondary', 'long-term storage', 'genesis is not traceable', 'ancient'],
    ],
  },
  {
    fault: 'unknown-block',
    codes: [],
    phrases: [
      ...[
        'header not found',
        'block not found',
        'blocknotfound',
        'unknown block',
        'could not find block',
        'cannot find block',
        'block does not exist',
      ],
      ...['could not be found', 'cannot be found'],
      ...[
        'header for hash',
        'no block',
        'block number out of',
        'block height',
        'block is out of range',
        'block out of range',
        'blocks specified',
        'height must be',
      ],
      ...[
        'after last accepted',
        'unfinalized',
        'greater than latest',
        'beyond current head',
        'beyond head',
        'future block',
        'block is in the future',
      ],
      ...[
        'currently canonical',
        'pending block',
        'safe block',
        'finalized block',
        'resource not found',
        'transaction not found',
        'cannot find transaction',
      ],
      ...[
        'block not available',
        'block status not',
        'slot was skipped',
        'was skipped, or missing',
        'minimum context slot',
        'height is not available',
      ],
    ],
  },
  {
    fault: 'limited',
    codes: [429, -32029],
    phrases: [
      ...[
        'rate limit',
        'ratelimit',
        'rate-limit',
        'too many request',
        'request limit',
        'requests limited',
        'requests per',
        'request rate',
        'request count exceeded',
      ],
      ...[
        'compute units',
        'capacity limit',
        'capacity exceeded',
        'exceeded its',
        'quota',
        'free tier',
        'current plan',
        'upgrade your',
        'usage limit',
        'credit',
      ],
      ...[
        'call limit',
        'throughput',
        'concurrent requests',
        'limit exceeded',
        'too much load',
        'overloaded',
        'too busy',
        'server is busy',
      ],
      ...[
        'must be authenticated',
        'api key',
        'apikey',
        'project id',
        'unauthorized',
        'unauthenticated',
        'forbidden',
        'access denied',
        'key is ',
      ],
    ],
  },
  {
    fault: 'no-method',
    codes: [-32601, -32004],
    phrases: [
      ...[
        'method not found',
        'does not exist/is not available',
        'method not supported',
        'unsupported method',
        'method is not',
        'method not allowed',
      ],
      ...['not whitelisted', 'is disabled', 'not supported', 'not available on', 'not implemented', 'unimplemented'],
    ],
  },
  {
    fault: 'unready',
    codes: [-28, -10],
    phrases: [
      ...[
        'node is behind',
        'node is unhealthy',
        'not synced',
        'is syncing',
        'still syncing',
        'not ready',
        'loading block',
        'starting up',
        'initial sync',
      ],
      ...['initial block download', 'warming up', 'verifying blocks', 'rescanning'],
    ],
  },
  {
    fault: 'internal',
    codes: [-32603, -32002, -32005, -32001],
    phrases: [
      ...[
        'internal error',
        'internal server',
        'internal json',
        'server error',
        'unavailable',
        'upstream',
        'bad gateway',
        'gateway time',
        'timed out',
        'timeout',
      ],
      ...[
        'deadline exceeded',
        'context canceled',
        'connection re',
        'no server available',
        'backend',
        'try again',
        'unexpected eof',
        'database',
        'leveldb',
      ],
      ...['i/o', 'panic', 'handler crashed'],
    ],
  },
];

/** JSON-RPC's own codes for a request that is wrong. Providers tell limits under them, too; but a caller's own words may stand in these errors, and must not count against a node. */
const wrongRequest: ReadonlySet<number> = new Set([-32602, -32600, -32700]);
const aboutData: ReadonlySet<ErrorFault> = new Set(['too-much', 'no-state', 'unknown-block']);
const methodNotFound = -32601;
/** Execution reverted: of nodes of the EVM family. */
const reverted = 3;

const members = createMembers(['code', 'message']);

export type ErrorFacts = {
  readonly code: number /** In lower case, at most its beginning. */;
  readonly message: string;
};

/** What a valid error object says; undefined when its beginning does not tell. Takes a bounded time, however long `data` is. */
export function errorFacts({ bytes, start, end }: JsonText): ErrorFacts | undefined {
  const isShort = end - start <= longestRead;
  const head = isShort ? undefined : headOf(bytes, start);
  if (head !== undefined) return head;
  if (!isShort || readMembers(bytes, start, maxAnswerDepth, members) < 0) return undefined;
  const message = rawMember(bytes, members, 1)?.text().slice(1, -1) ?? '';
  return { code: Number(rawMember(bytes, members, 0)?.text()), message: lowered(message) };
}

const headPattern = /^\{\s{0,8}"code"\s{0,8}:\s{0,8}(-?\d{1,10})\s{0,8},\s{0,8}"message"\s{0,8}:\s{0,8}"/;

/** Of a long error, whose `data` comes last: as every server writes it that we know of. */
function headOf(bytes: Uint8Array, start: number): ErrorFacts | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset + start, longestRead).toString('latin1');
  const found = headPattern.exec(head);
  if (found === null) return undefined;
  const from = found[0].length;
  const quote = head.indexOf('"', from);
  return { code: Number(found[1]), message: lowered(head.slice(from, quote < 0 ? undefined : quote)) };
}

function lowered(message: string): string {
  return message.slice(0, longestMessage).toLowerCase();
}

/** The row of a node's JSON-RPC error in the table of failures; undefined when it speaks of the call. */
export function errorFault(raw: JsonText): ErrorFault | undefined {
  const facts = errorFacts(raw);
  if (facts === undefined || facts.code === reverted) return undefined;
  const { code, message } = facts;
  // The method's name, which a caller chooses, stands in the message.
  if (code === methodNotFound) return 'no-method';
  if (ofTheCall.some((phrase) => message.includes(phrase))) return undefined;
  const byText = rows.find(({ phrases }) => phrases.some((phrase) => message.includes(phrase)))?.fault;
  if (!wrongRequest.has(code)) return byText ?? rows.find(({ codes }) => codes.includes(code))?.fault;
  if (byText === 'limited') return 'too-much';
  return byText !== undefined && aboutData.has(byText) ? byText : undefined;
}
