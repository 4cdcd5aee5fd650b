/** Blocks whose bloom tells of a wanted log, and of which none came: the answer is not believed until another way or another node agrees (docs/decisions/0104). */

import type { BlockHeader } from '../chain/block-header.ts';
import type { ChainNode } from '../chain/chain-node.ts';
import type { BridgeLog } from '../decoding/bridge-log.ts';
import type { ReadRange } from './read-range.ts';
import { logsByHash } from './single-block-logs.ts';
import type { StreamFilter } from './stream-filter.ts';

/** Up to so many blocks are asked of another node as well as of this one; of more, where blooms are nearly full, one of both. */
const askedOfBoth = 32;

export type CompletedRange =
  | { readonly kind: 'complete'; readonly logs: readonly BridgeLog[]; readonly holes: number }
  /** Nobody told the logs of a block. */
  | { readonly kind: 'unsure'; readonly reason: string };

/** `others`: nodes that may be asked as well, best first. */
export async function withMissingLogs(
  range: ReadRange,
  filter: StreamFilter,
  node: ChainNode,
  others: readonly ChainNode[],
): Promise<CompletedRange> {
  const seen = new Set(range.logs.map(({ blockNumber }) => blockNumber));
  const doubtful = range.headers.filter(
    ({ number, bloom }) => bloom !== undefined && !seen.has(number) && filter.mayHave(bloom),
  );
  if (doubtful.length === 0) return { kind: 'complete', logs: range.logs, holes: 0 };
  const asked = doubtful.length <= askedOfBoth ? [node, ...others.slice(0, 1)] : [...others.slice(0, 1), node];
  const answers: (readonly (readonly BridgeLog[] | undefined)[])[] = [];
  for (const each of asked) {
    answers.push(await logsByHash(each, filter, doubtful));
    const isAnswered = doubtful.every((_, at) => answers.some((answer) => answer[at] !== undefined));
    if (doubtful.length > askedOfBoth && isAnswered) break;
  }
  return completed(range, doubtful, answers);
}

function completed(
  { logs }: ReadRange,
  doubtful: readonly BlockHeader[],
  answers: readonly (readonly (readonly BridgeLog[] | undefined)[])[],
): CompletedRange {
  const found: BridgeLog[] = [];
  let holes = 0;
  for (const [at, { number }] of doubtful.entries()) {
    const told = answers.map((answer) => answer[at]).filter((each) => each !== undefined);
    if (told.length === 0) return { kind: 'unsure', reason: `block ${number} may have logs that no node tells` };
    const most = told.reduce((one, other) => (other.length > one.length ? other : one));
    if (most.length > 0) holes += 1;
    found.push(...most);
  }
  const all = [...logs, ...found].sort(
    (one, other) => one.blockNumber - other.blockNumber || one.logIndex - other.logIndex,
  );
  return { kind: 'complete', logs: all, holes };
}
