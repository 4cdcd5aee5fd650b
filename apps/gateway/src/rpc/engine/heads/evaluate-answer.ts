/** Judges the answer to a call by the head that was reported to callers: whether it is from before that, or about a block that no operator's node has. Notes the heads that it shows. */

import type { BufferedPart, BufferedRange } from '@flowgate/bytes/buffered-body';
import { ByteRange } from '@flowgate/bytes/byte-range';
import type { NetworkHeads } from '../../../upstream/heads/network-heads.ts';
import type {
  BehindNodes,
  BufferedElement,
  JsonText,
  NodeQuestion,
  TextAnswer,
} from '../../../upstream/port/node-port.ts';
import { minHeight, type NeededHeight } from './needed-height.ts';
import { type ShownForm, shownFormOf, shownHeight } from './shown-heights.ts';

export type EvaluateAnswerDeps = {
  readonly heads: NetworkHeads;
  /** Notes what an operator's node has. */
  readonly noteHead: (nodeId: string, height: number) => void;
  /** The operator's nodes that get calls. */
  readonly ownNodes: () => readonly { readonly nodeId: string }[];
};

/**
 * `wrong`: from before what was reported, from a node that lacks what the call needs, or about a block that no operator's node confirms; another answer is needed. `beyond`: the same, of blocks that no
 * operator's node has. `absent`: a block that callers know of is not there; another node may have it.
 */
export type Evaluated = 'good' | 'wrong' | 'beyond' | 'absent';

/** A node's word about its own head is noted up to so many blocks beyond the known one. */
const maxLead = 16;
/** Further below what was told, a block may be missing because the node keeps no old ones. */
const maxDepth = 64;

/** `answer`: of this node alone, never one that was joined from several. `behind`: of its reply. */
export function evaluateAnswer(
  deps: EvaluateAnswerDeps,
  { method }: NodeQuestion,
  needed: NeededHeight,
  nodeId: string,
  answer: TextAnswer | BufferedElement,
  behind: BehindNodes | undefined,
): Evaluated | Promise<Evaluated> {
  const { heads, noteHead } = deps;
  const { of, height } = needed;
  const form = shownFormOf(method);
  const reported = heads.reportedHeight() ?? -1;
  const known = behind?.get(nodeId) ?? heads.heightOf(nodeId);
  const isNone = answer.kind !== 'buffered' && (answer.kind === 'error' || isNull(answer.raw));
  if (isNone || (form === undefined && height < 0)) {
    if (of !== 'none' && known !== undefined && known < reported) return 'wrong';
    if (height < 0 || height > reported || height <= reported - maxDepth || answer.kind === 'error') return 'good';
    // A block that is there has receipts, if only none.
    return form === 'number' || method === 'eth_getBlockReceipts' ? 'absent' : 'good';
  }
  // A range may end in a block that is not there yet.
  const isOfRange = needed.isRange === true;
  const inAnswer = form !== undefined ? shownIn(form, answer) : isOfRange ? undefined : height;
  const head = heads.head()?.number;
  if (inAnswer !== undefined && head !== undefined && inAnswer <= head + maxLead) noteHead(nodeId, inAnswer);
  if (form === 'lastBlockNumber' || isOfRange) return evaluateList(deps, needed, known, inAnswer);
  if (inAnswer === undefined) return of !== 'none' && known !== undefined && known < reported ? 'wrong' : 'good';
  if (of === 'newest' && inAnswer < reported) return 'wrong';
  // The block after the newest is no one's head yet.
  return of === 'pending' ? 'good' : noteShown(deps, inAnswer, known !== undefined);
}

/** `known`: what its node had, as far as is known. A list of logs says nothing of the blocks behind its last log: only a node that has the last block of the range can have answered for the whole range. */
function evaluateList(
  deps: EvaluateAnswerDeps,
  needed: NeededHeight,
  known: number | undefined,
  last: number | undefined,
): Evaluated | Promise<Evaluated> {
  const { heads } = deps;
  const isOwn = known !== undefined;
  const min = minHeight(needed, heads.reportedHeight());
  if (isOwn && Math.max(known, last ?? -1) < min && heads.head() !== undefined)
    return isReached(deps, min) ? 'wrong' : heads.refresh().then(() => (isReached(deps, min) ? 'wrong' : 'beyond'));
  // The range ends in a block that is there.
  const isThere = isOwn || needed.height <= (heads.head()?.number ?? -1);
  const shown = Math.max(last ?? -1, needed.of === 'none' && isThere ? needed.height : -1);
  return shown < 0 || needed.of === 'pending' ? 'good' : noteShown(deps, shown, isOwn);
}

/** Whether some operator's node has this block. */
function isReached({ heads, ownNodes }: EvaluateAnswerDeps, height: number): boolean {
  if (height <= Math.max(heads.head()?.number ?? -1, heads.reportedHeight() ?? -1)) return true;
  return ownNodes().some(({ nodeId }) => (heads.heightOf(nodeId) ?? -1) >= height);
}

/** Remembers a block that the caller is about to see, so that no later answer is older. `isOwn`: an operator's node shows it. */
function noteShown({ heads }: EvaluateAnswerDeps, shown: number, isOwn: boolean): Evaluated | Promise<Evaluated> {
  if (shown <= (heads.reportedHeight() ?? -1)) return 'good';
  const head = heads.head()?.number;
  if (head !== undefined && (shown <= head || (isOwn && shown === head + 1))) {
    heads.noteReported(shown);
    if (shown > head) void heads.refresh();
    return 'good';
  }
  return confirmed(heads, shown, isOwn).then((isThere) => {
    // Without any head nothing contradicts it. Where one was known, what this shows could not be kept from being followed by less.
    if (isThere === 'unknown') return head === undefined ? 'good' : 'wrong';
    return isThere ? 'good' : 'wrong';
  });
}

/** Whether the operator's nodes have this block, which is then noted. `unknown`: none of them reports its newest block, so nothing contradicts it. */
async function confirmed(heads: NetworkHeads, shown: number, isOwn: boolean): Promise<boolean | 'unknown'> {
  // A look in flight may have begun before the node had the block: the second one has not.
  for (let look = 0; look < 2; look++) {
    const seen = await heads.refresh();
    if (seen === undefined) return 'unknown';
    if (shown > seen.number + (isOwn ? 1 : 0)) continue;
    heads.noteReported(shown);
    return true;
  }
  return false;
}

/** The height that an answer shows; undefined when it shows none. */
export function shownIn(form: ShownForm, answer: TextAnswer | BufferedElement): number | undefined {
  if (answer.kind !== 'buffered') return shownHeight(form, answer.raw, answer.raw);
  // What stands between ranges is short, such as the commas of an array that was put together.
  const first = answer.parts.find(isRange);
  const last = answer.parts.findLast(isRange);
  if (first === undefined || last === undefined) return undefined;
  return shownHeight(form, blockOf(first.source.view(first.start, first.end)), lastBlockOf(last));
}

/** The last bytes as far as they are in one block. */
function lastBlockOf({ source, start, end }: BufferedRange): JsonText {
  const nth = source.blockOf(end - 1);
  let from = start;
  while (source.blockOf(from) < nth) from += source.view(from, end).length;
  return blockOf(source.view(from, end));
}

function isRange(part: BufferedPart): part is BufferedRange {
  return typeof part !== 'string' && 'source' in part;
}

function blockOf(bytes: Uint8Array): JsonText {
  return new ByteRange(bytes, 0, bytes.length);
}

/** JSON's only value that begins with an n. */
function isNull({ bytes, start }: JsonText): boolean {
  return bytes[start] === 0x6e;
}
