/** Evaluates the answer to a call against the reported head: whether it is older, or about a block that no operator's node has. Records the heads that the answer shows. */

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
  /** Records the height of an operator's node. */
  readonly noteHead: (nodeId: string, height: number) => void;
  /** The operator's nodes that get calls. */
  readonly ownNodes: () => readonly { readonly nodeId: string }[];
};

/**
 * `wrong`: from before what was reported, from a node that lacks what the call needs, or about a block that no operator's node confirms; another answer is needed. `beyond`: the same, of blocks that no
 * operator's node has. `absent`: a block that callers know of is not there; another node may have it.
 */
export type Evaluated = 'good' | 'wrong' | 'beyond' | 'absent';

/** A head that a node reports is recorded if it is at most this many blocks above the known head. */
const maxLead = 16;
/** Further below the reported head, a block may be missing because the node has pruned it. */
const maxDepth = 64;

/** `answer`: from this node alone, never joined from several nodes. `behind`: from its reply. */
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
    // An existing block has a list of receipts, which may be empty.
    return form === 'number' || method === 'eth_getBlockReceipts' ? 'absent' : 'good';
  }
  // A range may end in a block that does not exist yet.
  const isOfRange = needed.isRange === true;
  const inAnswer = form !== undefined ? shownIn(form, answer) : isOfRange ? undefined : height;
  const head = heads.head()?.number;
  if (inAnswer !== undefined && head !== undefined && inAnswer <= head + maxLead) noteHead(nodeId, inAnswer);
  if (form === 'lastBlockNumber' || isOfRange) return evaluateList(deps, needed, known, inAnswer);
  if (inAnswer === undefined) return of !== 'none' && known !== undefined && known < reported ? 'wrong' : 'good';
  if (of === 'newest' && inAnswer < reported) return 'wrong';
  // The pending block is not the head of any node yet.
  return of === 'pending' ? 'good' : noteShown(deps, inAnswer, known !== undefined);
}

/** `known`: the known height of the node. A list of logs shows nothing about the blocks after its last log: only a node with the last block of the range can answer for the whole range. */
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
  // The range ends in an existing block.
  const isThere = isOwn || needed.height <= (heads.head()?.number ?? -1);
  const shown = Math.max(last ?? -1, needed.of === 'none' && isThere ? needed.height : -1);
  return shown < 0 || needed.of === 'pending' ? 'good' : noteShown(deps, shown, isOwn);
}

/** Whether some operator's node has this block. */
function isReached({ heads, ownNodes }: EvaluateAnswerDeps, height: number): boolean {
  if (height <= Math.max(heads.head()?.number ?? -1, heads.reportedHeight() ?? -1)) return true;
  return ownNodes().some(({ nodeId }) => (heads.heightOf(nodeId) ?? -1) >= height);
}

/** Records a block that the caller is about to see, so that no later answer is older. `isOwn`: an operator's node shows the block. */
function noteShown({ heads }: EvaluateAnswerDeps, shown: number, isOwn: boolean): Evaluated | Promise<Evaluated> {
  if (shown <= (heads.reportedHeight() ?? -1)) return 'good';
  const head = heads.head()?.number;
  if (head !== undefined && (shown <= head || (isOwn && shown === head + 1))) {
    heads.noteReported(shown);
    if (shown > head) void heads.refresh();
    return 'good';
  }
  return confirmed(heads, shown, isOwn).then((isThere) => {
    // Without a known head nothing contradicts the answer. With one, a lower answer could follow this answer.
    if (isThere === 'unknown') return head === undefined ? 'good' : 'wrong';
    return isThere ? 'good' : 'wrong';
  });
}

/** Whether the operator's nodes have this block, which is then recorded. `unknown`: none of them reports its newest block, so nothing contradicts the answer. */
async function confirmed(heads: NetworkHeads, shown: number, isOwn: boolean): Promise<boolean | 'unknown'> {
  // A check in flight may have begun before the node had the block; the second check begins after.
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
  // Texts between ranges are short, such as the commas of a joined array.
  const first = answer.parts.find(isRange);
  const last = answer.parts.findLast(isRange);
  if (first === undefined || last === undefined) return undefined;
  return shownHeight(form, blockOf(first.source.view(first.start, first.end)), lastBlockOf(last));
}

/** The part of the last bytes that is in one block. */
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

/** `null` is the only JSON value that begins with an n. */
function isNull({ bytes, start }: JsonText): boolean {
  return bytes[start] === 0x6e;
}
