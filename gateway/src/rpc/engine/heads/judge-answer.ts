/** Judges the answer to a call by the head that callers were told: whether it is from before that, or from a future that no node has. Notes the heads that it shows. */

import type { NetworkHeads } from '../../../ledgers/heads/network-heads.ts';
import type { HeldElement, JsonText, NodeQuestion, TextAnswer } from '../../../ledgers/node-port.ts';
import { ByteRange } from '../../../platform/bytes/byte-range.ts';
import type { HeldPart, HeldRange } from '../../../platform/bytes/held-parts.ts';
import type { NeededHeight } from './needed-height.ts';
import { type ShownForm, shownFormOf, shownHeight } from './shown-heights.ts';

export type JudgeParts = {
  readonly heads: NetworkHeads;
  /** Notes what an operator's node has. */
  readonly noteHead: (nodeId: string, height: number) => void;
};

/** `wrong`: another one is to be asked for. `absent`: a block that callers know of is not there; another node may have it. */
export type Judged = 'good' | 'wrong' | 'absent';

/** A node's word about its own head is noted up to so many blocks beyond the known one. */
const mostLead = 16;
/** Further below what was told, a block may be missing because the node keeps no old ones. */
const mostDepth = 64;

export function judgeAnswer(
  { heads, noteHead }: JudgeParts,
  { method }: NodeQuestion,
  { of, height }: NeededHeight,
  nodeId: string,
  answer: TextAnswer | HeldElement,
): Judged | Promise<Judged> {
  const form = shownFormOf(method);
  const told = heads.toldHeight() ?? -1;
  const known = heads.heightOf(nodeId);
  const isNone = answer.kind !== 'held' && (answer.kind === 'error' || isNull(answer.raw));
  if (isNone || (form === undefined && height < 0)) {
    if (of !== 'none' && known !== undefined && known < told) return 'wrong';
    const isMissing = form === 'number' && answer.kind === 'result' && height <= told && height > told - mostDepth;
    return isMissing && height >= 0 ? 'absent' : 'good';
  }
  const shown = form === undefined ? height : shownIn(form, answer);
  if (shown === undefined) return of !== 'none' && known !== undefined && known < told ? 'wrong' : 'good';
  const head = heads.head()?.number;
  if (head !== undefined && shown <= head + mostLead) noteHead(nodeId, shown);
  if (of === 'newest' && form !== 'lastBlockNumber' && shown < told) return 'wrong';
  // The block after the newest is nobody's head yet.
  if (of === 'pending' || shown <= told) return 'good';
  const isOwn = known !== undefined;
  if (head !== undefined && (shown <= head || (isOwn && shown === head + 1))) {
    heads.noteTold(shown);
    if (shown > head) void heads.refresh();
    return 'good';
  }
  return heads.refresh().then((seen) => {
    // Without a head of the operator's nodes nothing contradicts it. But where one was known, it could not be kept from being followed by a lower one.
    if (seen === undefined) return isOwn && head !== undefined && of === 'newest' ? 'wrong' : 'good';
    if (shown <= seen.number + (isOwn ? 1 : 0)) {
      heads.noteTold(shown);
      return 'good';
    }
    return of === 'newest' ? 'wrong' : 'good';
  });
}

function shownIn(form: ShownForm, answer: TextAnswer | HeldElement): number | undefined {
  if (answer.kind !== 'held') return shownHeight(form, answer.raw, answer.raw);
  // What stands between ranges is short, such as the commas of an array that was put together.
  const first = answer.parts.find(isRange);
  const last = answer.parts.findLast(isRange);
  if (first === undefined || last === undefined) return undefined;
  return shownHeight(form, blockOf(first.held.view(first.start, first.end)), lastBlockOf(last));
}

/** The last bytes as far as they are in one block. */
function lastBlockOf({ held, start, end }: HeldRange): JsonText {
  const nth = held.blockOf(end - 1);
  let from = start;
  while (held.blockOf(from) < nth) from += held.view(from, end).length;
  return blockOf(held.view(from, end));
}

function isRange(part: HeldPart): part is HeldRange {
  return typeof part !== 'string' && 'held' in part;
}

function blockOf(bytes: Uint8Array): JsonText {
  return new ByteRange(bytes, 0, bytes.length);
}

/** JSON's only value that begins with an n. */
function isNull({ bytes, start }: JsonText): boolean {
  return bytes[start] === 0x6e;
}
