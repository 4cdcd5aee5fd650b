/** Finds logs that a node omitted: compares them with the blocks' blooms and with another node, and requests doubtful ones in other ways before they count (docs/decisions/0104). */

import type { TimeSlices } from '@flowgate/async/time-slices';
import type { BlockHeader } from '@flowgate/chain/blocks/block-header';
import type { BridgeLog } from '@flowgate/chain/blocks/bridge-log';
import type { ChainNode } from '../chain/chain-node.ts';
import { type KnownOfProofs, proveAlone, proveDiffering } from './proofs.ts';
import type { ReadRange } from './read-range.ts';
import { type Hole, holeOf, joinedLogs, reporterOf, reportsSame } from './reporter.ts';
import { askSecondNode, type NodeSpans } from './second-node.ts';
import { logsByHash } from './single-block-logs.ts';
import type { StreamFilter } from './stream-filter.ts';

export type CompletedRange =
  | { readonly kind: 'complete'; readonly logs: readonly BridgeLog[]; readonly holes: readonly Hole[] }
  /** No node returned the logs of a block, or two nodes contradict each other. */
  | { readonly kind: 'unsure'; readonly reason: string };

export type MissingLogsDeps = {
  readonly filter: StreamFilter;
  /** True when the blooms of blocks can be trusted. */
  readonly usesBlooms: boolean;
  readonly slices: TimeSlices;
  readonly spans: NodeSpans;
  readonly known: KnownOfProofs;
};

/** Up to this many doubtful blocks are requested by hash from two nodes. For more, where blooms are nearly full, one answer suffices. */
const askedOfBoth = 32;

/** `others`: further nodes, best first. */
export async function withMissingLogs(
  deps: MissingLogsDeps,
  { headers, logs }: ReadRange,
  node: ChainNode,
  others: readonly ChainNode[],
): Promise<CompletedRange> {
  const { filter, usesBlooms } = deps;
  const first = reporterOf(node, logs);
  const possible = headers.filter(
    ({ number, bloom }) => !usesBlooms || bloom === undefined || first.reported.has(number) || filter.mayHave(bloom),
  );
  const [from, to] = [possible[0], possible.at(-1)];
  if (from === undefined || to === undefined) return { kind: 'complete', logs, holes: [] };
  const asked = headers.slice(headers.indexOf(from), headers.indexOf(to) + 1);
  const answer = await askSecondNode(others, filter, asked, deps.spans);
  const second = answer && reporterOf(answer.node, answer.logs);
  const reporters = second === undefined ? [first] : [first, second];
  const isDoubtful = ({ number, bloom }: BlockHeader) =>
    usesBlooms &&
    bloom !== undefined &&
    filter.mayHaveMore(
      bloom,
      reporters.flatMap(({ reported }) => reported.get(number) ?? []),
    );

  const differing = new Set(
    second === undefined ? [] : possible.filter(({ number }) => !reportsSame(first, second, number)),
  );
  const proofs =
    second === undefined
      ? await proveAlone(deps, first, possible, isDoubtful)
      : await proveDiffering(deps, reporters, possible, differing);
  const [contradictory] = proofs.wrong;
  if (second === undefined && deps.known.areKnown && contradictory !== undefined)
    return { kind: 'unsure', reason: `the receipts of block ${contradictory} are not those of its header` };
  const settled = new Map(proofs.proven);

  const doubtful = possible.filter((header) => differing.has(header) || isDoubtful(header));
  // Where blooms are nearly full, two nodes that agree are enough.
  const isFull = second !== undefined && doubtful.length > askedOfBoth;
  const open = doubtful.filter((each) => !settled.has(each.number) && (!isFull || differing.has(each)));
  const byHash = await askByHash(filter, open, node, second?.node ?? others[0]);
  for (const [at, header] of open.entries()) {
    const { number } = header;
    const reported = byHash.map((each) => each[at]).filter((each) => each !== undefined);
    if (reported.length === 0 && !differing.has(header))
      return { kind: 'unsure', reason: `block ${number} may have logs that no node returns` };
    const all = joinedLogs([...reporters.map((each) => each.reported.get(number) ?? []), ...reported]);
    if (all === undefined) return { kind: 'unsure', reason: `nodes disagree about the logs of block ${number}` };
    settled.set(number, all);
  }
  return {
    kind: 'complete',
    logs: headers.flatMap(({ number }) => settled.get(number) ?? first.reported.get(number) ?? []),
    holes: reporters.map((reporter) => holeOf(reporter, settled)).filter(({ blocks }) => blocks > 0),
  };
}

/** The answers of each node that was asked, in the order of the blocks. */
async function askByHash(
  filter: StreamFilter,
  blocks: readonly BlockHeader[],
  node: ChainNode,
  other: ChainNode | undefined,
): Promise<readonly (readonly (readonly BridgeLog[] | undefined)[])[]> {
  if (blocks.length === 0) return [];
  const second = other === undefined ? [] : [other];
  const asked = blocks.length <= askedOfBoth ? [node, ...second] : [...second, node];
  const answers: (readonly (readonly BridgeLog[] | undefined)[])[] = [];
  for (const each of asked) {
    answers.push(await logsByHash(each, filter, blocks));
    const isAnswered = blocks.every((_, at) => answers.some((answer) => answer[at] !== undefined));
    if (blocks.length > askedOfBoth && isAnswered) break;
  }
  return answers;
}
