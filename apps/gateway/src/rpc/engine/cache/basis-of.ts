/** Determines the basis of an answer, and thereby whether it is cached (contract/cache#cached). */

import { ByteRange } from '@flowgate/bytes/byte-range';
import type { LedgerFamily } from '@flowgate/chain/families/ledger-family';
import { createMembers, isMember, rawMember, readMembers } from '@flowgate/json/json-members';
import { byteAt, maxAnswerDepth } from '@flowgate/json/json-scan';
import type { HeadBlock } from '../../../upstream/heads/network-heads.ts';
import type { JsonText, TextAnswer } from '../../../upstream/port/node-port.ts';
import { type BlockOfHash, namedBlock } from '../named-block.ts';
import type { CacheableMethod } from './cacheable-methods.ts';
import type { Basis } from './cached-answer.ts';
import type { ChainView, SeenHeads } from './chain-view.ts';
import type { InFlightCall } from './in-flight-calls.ts';
import { reportedBlock } from './reported-block.ts';

export type BasisDeps = {
  readonly family: Pick<LedgerFamily, 'blocks'>;
  readonly heads: SeenHeads;
  readonly view: ChainView;
};

/** Recent blocks that are searched for a hash that only the params name. */
const recentBlocks = 128;

const memberNames = ['code', 'message'];
/** Codes of Geth and most other nodes, and of Parity's descendants. */
const codes = ['3', '-32015'];
/** The message with code -32000, which has other meanings too. */
const revertMessage = /^"(?:execution|vm execution error:? ?|transaction) ?revert/i;
const maxMessageLength = 128;

/** Whether an error says that a call was executed and reverted: every node returns the same for the same block. */
function isExecutedError({ bytes, start }: JsonText): boolean {
  const members = createMembers(memberNames);
  if (readMembers(bytes, start, maxAnswerDepth, members) < 0 || members.problem !== undefined) return false;
  if (codes.some((code) => isMember(bytes, members, 0, code))) return true;
  const message = rawMember(bytes, members, 1);
  if (message === undefined || !isMember(bytes, members, 0, '-32000')) return false;
  const end = Math.min(message.end, message.start + maxMessageLength);
  return revertMessage.test(
    Buffer.from(bytes.buffer, bytes.byteOffset + message.start, end - message.start).toString('latin1'),
  );
}

/** `nodeId`: the node that gave the whole answer. Undefined when the answer is not cacheable. */
export function basisOf(
  deps: BasisDeps,
  cacheable: CacheableMethod,
  inFlightCall: InFlightCall,
  nodeId: string,
  answer: TextAnswer,
): Basis | undefined {
  const { heads } = deps;
  // Only the operator's nodes have a known height: answers of users' nodes are not trusted for other callers.
  if (heads.heightOf(nodeId) === undefined) return undefined;
  const { raw } = answer;
  if (answer.kind === 'error') {
    if (cacheable.executes !== true || !isExecutedError(raw)) return undefined;
  } else if (isNull(raw)) return undefined;
  if (cacheable.by === 'constant') return answer.kind === 'result' ? { kind: 'constant' } : undefined;
  const { method, key, keyStart, keySize } = inFlightCall;
  // Read from the copy: the caller may reuse its own bytes.
  const params = keySize === 0 ? undefined : new ByteRange(key, keyStart, keyStart + keySize);
  const named = namedBlock(deps.family, { method, params });
  switch (named.kind) {
    case 'tag':
      return named.tag === 'latest' ? atHead(deps, cacheable, inFlightCall, nodeId, raw) : undefined;
    case 'head':
      return atHead(deps, cacheable, inFlightCall, nodeId, raw);
    case 'height':
      return atHeight(deps, cacheable, inFlightCall, nodeId, named.height, raw);
    case 'hash':
      return atHash(deps, cacheable, inFlightCall, nodeId, named, raw);
    case 'transaction': {
      const reported = cacheable.reports && reportedBlock(raw, cacheable.reports);
      return reported && atBlock(deps, cacheable, inFlightCall, reported.height, reported.hash);
    }
    case 'range': {
      const { from, to } = named;
      if (from.kind !== 'height' || to.kind !== 'height') return undefined;
      return atHeight(deps, { by: 'block', heavy: true }, inFlightCall, nodeId, Math.max(from.height, to.height), raw);
    }
    default:
      return undefined;
  }
}

/** Only for the node that reported the head before the call was sent: other nodes may be behind, or have a different block at that height. */
function atHead(
  { heads, view }: BasisDeps,
  { heavy, reports }: CacheableMethod,
  { departure }: InFlightCall,
  nodeId: string,
  raw: JsonText,
): Basis | undefined {
  const { head, turn } = departure;
  if (heavy === true || head === undefined || head.nodeId !== nodeId) return undefined;
  if (view.turn() !== turn || !heads.isFresh() || (heads.reportedHeight() ?? 0) > head.number) return undefined;
  return reports === undefined || isOf(head, reportedBlock(raw, reports)?.hash)
    ? { kind: 'head', height: head.number, turn }
    : undefined;
}

function isOf(head: HeadBlock, hash: string | undefined): boolean {
  return hash === head.hash;
}

function atHeight(
  deps: BasisDeps,
  cacheable: CacheableMethod,
  inFlightCall: InFlightCall,
  nodeId: string,
  height: number,
  raw: JsonText,
): Basis | undefined {
  const { heads, view } = deps;
  const reported = cacheable.reports && reportedBlock(raw, cacheable.reports);
  if (reported !== undefined)
    return reported.height === height ? atBlock(deps, cacheable, inFlightCall, height, reported.hash) : undefined;
  const final = heads.finalHeight();
  if (final === undefined || height > final || !view.hadReached(nodeId, height, inFlightCall.departure))
    return undefined;
  // An empty list of receipts names no block.
  return cacheable.reports === undefined || isEmptyArray(raw) ? { kind: 'final', height } : undefined;
}

/** An answer that a block's hash determines never changes. It is cached unless the chain has a different block at that height, or is known to have lost this block. */
function atHash(
  deps: BasisDeps,
  cacheable: CacheableMethod,
  inFlightCall: InFlightCall,
  nodeId: string,
  { hash, mustBeCanonical }: BlockOfHash,
  raw: JsonText,
): Basis | undefined {
  const { heads, view } = deps;
  const reported = cacheable.reports && reportedBlock(raw, cacheable.reports);
  if (reported !== undefined && reported.hash !== hash) return undefined;
  const height = reported?.height ?? recentHeight(heads, hash);
  // A node without the block may return no logs instead of an error.
  if (reported === undefined && isEmptyArray(raw))
    if (height === undefined || !view.hadReached(nodeId, height, inFlightCall.departure)) return undefined;
  if (mustBeCanonical) return height === undefined ? undefined : atBlock(deps, cacheable, inFlightCall, height, hash);
  if (height === undefined) {
    if (view.turn() !== inFlightCall.departure.turn || view.hasLost(hash)) return undefined;
    return { kind: 'hash', height, hash, losses: view.losses };
  }
  const known = heads.hashAt(height);
  if (known !== undefined && known !== hash) return undefined;
  const final = heads.finalHeight();
  return final !== undefined && height <= final
    ? { kind: 'final', height }
    : { kind: 'hash', height, hash, losses: view.losses };
}

/** A block of the chain, or one that the chain does not contradict because it is older than the oldest stored block. */
function atBlock(
  { heads, view }: BasisDeps,
  { heavy }: CacheableMethod,
  { departure }: InFlightCall,
  height: number,
  hash: string,
): Basis | undefined {
  const final = heads.finalHeight();
  const known = heads.hashAt(height);
  if (known !== undefined && known !== hash) return undefined;
  if (final !== undefined && height <= final) return { kind: 'final', height };
  if (heavy === true) return undefined;
  const isBefore = height < (heads.head()?.number ?? -1) && view.turn() === departure.turn;
  return known === hash || isBefore ? { kind: 'block', height, hash, losses: view.losses } : undefined;
}

function recentHeight(heads: SeenHeads, hash: string): number | undefined {
  const newest = heads.head()?.number ?? -1;
  for (let height = newest; height >= 0 && height > newest - recentBlocks; height--)
    if (heads.hashAt(height) === hash) return height;
  return undefined;
}

/** `null` is the only JSON value that begins with an n. */
function isNull({ bytes, start }: JsonText): boolean {
  return byteAt(bytes, start) === 0x6e;
}

function isEmptyArray({ bytes, start, length }: JsonText): boolean {
  return length === 2 && byteAt(bytes, start) === 0x5b;
}
