/** Follows one stream: reads new blocks, and reverts those that the chain has lost (docs/decisions/0104). */

import type { TimeSlices } from '@flowgate/async/time-slices';
import type { Clock } from '@flowgate/base/clock';
import type { BlockHeader } from '@flowgate/chain/blocks/block-header';
import { readHeader } from '@flowgate/chain/blocks/block-header';
import type { Lease } from '@flowgate/sql/coordination/lease-store';
import type { Network } from '../../upstream/networks/network.ts';
import { type ChainNode, chainNodeOf } from '../chain/chain-node.ts';
import { evaluateBlock, findAncestor } from './find-ancestor.ts';
import type { JobStream } from './index-job.ts';
import type { IndexStore, ReadBlock, StreamState } from './index-store.ts';
import type { IndexFault, IndexWatch } from './index-watch.ts';
import { createRangeReader, type Piece } from './range-reader.ts';
import { createRangeSize } from './range-size.ts';
import { readAhead } from './read-ahead.ts';
import type { ReadGate } from './read-gate.ts';
import { headerQuestion } from './read-range.ts';
import { createStreamFilter } from './stream-filter.ts';

export type FollowDeps = {
  readonly store: IndexStore;
  readonly clock: Clock;
  readonly slices: TimeSlices;
  readonly gate: ReadGate;
  readonly maxBlockRange: number;
  readonly watch: IndexWatch;
  /** Facts were stored or reverted. `isBehind`: more blocks are to be read. */
  readonly onStored: (isBehind: boolean) => void;
};

/** `done`: all blocks that nodes show were read. `again`: the next turn can begin at once. `waiting`: something blocks the stream. */
export type TurnOutcome = 'done' | 'again' | 'waiting';

export type StreamFollower = {
  /** Throws `Unavailable`: repeating is safe. */
  readonly turn: (signal: AbortSignal) => Promise<TurnOutcome>;
};

/** Each of the newest blocks is remembered. Of older blocks, the ends of ranges and one of `rememberedEvery` are; at most `maxRemembered` of them are searched. */
const recentBlocks = 512;
const rememberedEvery = 1_024;
const maxRemembered = 20_000;
/** Ranges of one stream that are read at the same time. */
const rangesAtOnce = 4;
/** The shortest interval between two notes of the head while nothing else is stored. */
const noteEveryMs = 1_000;
/** When as many nodes have one block as another: the time after which the node with the newest head decides. */
const tieMs = 30_000;

type SeenHead = { readonly number: number; readonly hash: string; readonly nodeId: string };
type NotedHead = NonNullable<StreamState['head']>;

type Nodes = ReturnType<Network['ownNodes']>;

const maxNodes = 3;
const ranks = ['healthy', 'pending', 'unhealthy'];

/** The operator's nodes that an indexer uses, best first. The node with the id `preferred` comes first, the one with the id `inconsistent` last. */
function nodesInOrder(
  nodes: Nodes,
  { preferred, inconsistent }: { readonly preferred: string; readonly inconsistent: string | undefined },
): Nodes {
  const rankOf = ({ nodeId, status }: Nodes[number]) => {
    if (nodeId === inconsistent) return ranks.length;
    return nodeId === preferred ? -1 : ranks.indexOf(status().status);
  };
  return nodes.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, maxNodes);
}

export function createStreamFollower(deps: FollowDeps, stream: JobStream, lease: Lease): StreamFollower {
  const { store, clock, watch } = deps;
  const { streamId, bridgeId, side, startBlock } = stream;
  const { network, dlt, networkId } = side;
  const place = { streamId, bridgeId, dlt, networkId };
  const filter = createStreamFilter(stream.readers);
  const size = createRangeSize(deps.maxBlockRange);
  const reader = createRangeReader({
    ...{ readers: stream.readers, filter, chain: stream.chain, size, usesBlooms: stream.usesBlooms },
    slices: deps.slices,
    onHoles: watch.holes,
    onError: watch.error,
  });
  let state: StreamState | undefined;
  /** Newest first. */
  let remembered: readonly ReadBlock[] = [];
  let notedAtMs = Number.NEGATIVE_INFINITY;
  let trouble: string | undefined;
  let tieSinceMs: number | undefined;
  /** The node that last returned blocks which do not follow those that were read, while no node has other blocks: it is used last. */
  let inconsistentNode: string | undefined;

  /** Another process may have moved the stream: `reindex`, or a transaction whose outcome this process does not know. */
  async function currentState(): Promise<StreamState | undefined> {
    const known = (await store.states()).find((each) => each.streamId === streamId);
    const now = known ?? (await store.begin(streamId, startBlock, lease));
    if (now !== undefined && (now.epoch !== state?.epoch || now.nextBlock !== state.nextBlock))
      remembered = await store.blocks(streamId, recentBlocks);
    state = now;
    trouble = now?.trouble;
    return now;
  }

  function nodesNow(preferred: string): readonly ChainNode[] {
    return nodesInOrder(network.ownNodes(), { preferred, inconsistent: inconsistentNode }).map((node) =>
      chainNodeOf(node, deps.slices, network.hideSecrets),
    );
  }

  async function seenHead(): Promise<SeenHead | undefined> {
    const { heads } = network;
    if (heads !== undefined) return heads.isFresh() ? heads.head() : heads.refresh();
    return reportedHead();
  }

  /** The head of the first node that answers. */
  async function reportedHead(): Promise<SeenHead | undefined> {
    for (const node of nodesNow('')) {
      const [said] = await node.ask([{ method: 'eth_getBlockByNumber', params: ['latest', false] }]);
      const header = said?.kind === 'result' ? readHeader(said.value) : undefined;
      if (header !== undefined) return { ...header, nodeId: node.nodeId };
    }
    return undefined;
  }

  /** Nodes may answer, and report a newest block that contradicts the known ones (contract/heads#which-node-is-followed). */
  async function failWithoutHead(): Promise<'waiting'> {
    const reported = await reportedHead();
    if (reported === undefined) return fail('away', 'no node answers');
    const { nodeId, number } = reported;
    return fail('disagreement', `the newest block that node ${nodeId} reports, ${number}, is not confirmed`);
  }

  async function fail(fault: IndexFault, reason: string): Promise<'waiting'> {
    watch.failed(fault, reason);
    if (trouble !== reason) await store.note(streamId, { trouble: reason }, lease);
    trouble = reason;
    return 'waiting';
  }

  /** Everything up to the head is stored. */
  async function noteRead(): Promise<void> {
    const nowMs = clock.monotonic();
    if (trouble === undefined && nowMs - notedAtMs < noteEveryMs) return;
    notedAtMs = nowMs;
    trouble = undefined;
    await store.note(streamId, { readAtMs: clock.now() }, lease);
  }

  /** When many blocks are to be read, the head is noted before it is reached. The chain counts as read only when its blocks are stored. */
  async function noteFarHead(head: SeenHead, nodes: readonly ChainNode[]): Promise<void> {
    const [said] = (await nodes[0]?.ask([headerQuestion(head.number)])) ?? [];
    const header = said?.kind === 'result' ? readHeader(said.value) : undefined;
    if (header === undefined || header.hash === state?.head?.hash) return;
    await store.note(streamId, { head: headOf(header), ...(trouble !== undefined && { trouble }) }, lease);
  }

  async function storePiece(piece: Piece, head: SeenHead): Promise<'stored' | 'unlinked' | 'moved'> {
    const [first] = piece.headers;
    const last = piece.headers.at(-1);
    const [before] = remembered;
    if (state === undefined || first === undefined || last === undefined || first.number !== state.nextBlock)
      return 'moved';
    if (before?.number === first.number - 1 && before.hash !== first.parentHash) return 'unlinked';
    const blocks = piece.headers
      .filter(
        ({ number }) => number > head.number - recentBlocks || number % rememberedEvery === 0 || number === last.number,
      )
      .map(({ number, hash }) => ({ number, hash }));
    const isAtHead = last.number >= head.number;
    const seen = { ...(isAtHead && { head: headOf(last) }), readAtMs: clock.now() };
    const range = { stream: place, state, to: last.number, facts: piece.facts, blocks, seen, nowMs: clock.now() };
    if (!(await store.commit(range, lease))) return 'moved';
    notedAtMs = clock.monotonic();
    trouble = undefined;
    tieSinceMs = undefined;
    const { rereadTo, ...rest } = state;
    const isReread = rereadTo !== undefined && rereadTo > last.number;
    state = { ...rest, nextBlock: last.number + 1, ...(isReread && { rereadTo }), ...seen };
    remembered = [...blocks.toReversed(), ...remembered].slice(0, recentBlocks);
    watch.stored({ blocks: piece.headers.length, to: last.number, logs: piece.logs, head: head.number });
    deps.onStored(!isAtHead);
    return 'stored';
  }

  /** The earlier finding no longer applies, or the chain is shorter now. */
  async function nothingNew(): Promise<TurnOutcome> {
    await noteRead();
    return 'done';
  }

  /** A node does not have `block` in its chain. Reverts what is lost, unless other nodes have it; `unchanged` is called when no node has another block. */
  async function reorganize(
    block: ReadBlock,
    nodes: readonly ChainNode[],
    from: StreamState,
    unchanged = nothingNew,
  ): Promise<TurnOutcome> {
    const verdicts = await Promise.all(nodes.map((node) => evaluateBlock(node, block)));
    const others = nodes.filter((_, at) => verdicts[at] === 'other');
    const same = verdicts.filter((verdict) => verdict === 'same').length;
    const [decider] = others;
    if (decider === undefined) {
      tieSinceMs = undefined;
      if (verdicts.every((verdict) => verdict === 'away'))
        return fail('away', `no node returns its block ${block.number}`);
      return unchanged();
    }
    if (same >= others.length && !isTieOver(same > others.length || decider !== nodes[0]))
      return fail('disagreement', `nodes disagree about block ${block.number}`);
    tieSinceMs = undefined;
    const older = remembered.filter(({ number }) => number <= block.number);
    let ancestor = await findAncestor(decider, older);
    if (ancestor === 'none') ancestor = await findAncestor(decider, await store.blocks(streamId, maxRemembered));
    if (ancestor === undefined) return fail('away', `node ${decider.nodeId} does not return its blocks`);
    const keep = ancestor === 'none' ? Math.min(startBlock, from.nextBlock) - 1 : ancestor.number;
    const depth = from.nextBlock - 1 - keep;
    if (depth <= 0) return 'waiting';
    if (await store.undo(streamId, from, keep, clock.now(), lease)) {
      watch.reorganized({ keep, depth });
      deps.onStored(true);
    }
    return 'again';
  }

  function isTieOver(isLost: boolean): boolean {
    const nowMs = clock.monotonic();
    if (isLost) return false;
    tieSinceMs ??= nowMs;
    return nowMs - tieSinceMs >= tieMs;
  }

  return {
    async turn(signal) {
      const from = await currentState();
      if (from === undefined) return 'waiting';
      const head = await seenHead();
      if (head === undefined) return failWithoutHead();
      const nodes = nodesNow(head.nodeId);
      const newest = remembered[0];
      if (head.number < from.nextBlock) {
        const known = remembered.find(({ number }) => number <= head.number);
        if (known?.number === head.number && known.hash !== head.hash) return reorganize(known, nodes, from);
        await noteRead();
        watch.caughtUp({ nextBlock: from.nextBlock, head: head.number });
        return 'done';
      }
      if (head.number - from.nextBlock >= deps.maxBlockRange) await noteFarHead(head, nodes);
      let end: 'unlinked' | 'moved' | undefined;
      let reporter: string | undefined;
      const outcome = await readAhead({
        ...{ from: from.nextBlock, to: head.number, size: size.now, max: rangesAtOnce },
        read: (first, last) => deps.gate(streamId, () => reader.read(first, last, nodes)),
        async take(piece) {
          if (signal.aborted) return false;
          const stored = await storePiece(piece, head);
          if (stored !== 'stored') [end, reporter] = [stored, piece.nodeId];
          return stored === 'stored';
        },
      });
      if (outcome === 'stopped') {
        const now = state ?? from;
        const [last] = remembered;
        if (end !== 'unlinked' || last === undefined) return 'again';
        return reorganize(last, nodes, now, () => {
          inconsistentNode = reporter;
          return fail('wrong', `node ${reporter}: its blocks do not follow block ${last.number}, which it has`);
        });
      }
      if (outcome === 'done') {
        watch.caughtUp({ nextBlock: head.number + 1, head: head.number });
        return 'done';
      }
      if (outcome.kind === 'failed') return fail(outcome.fault, outcome.reason);
      // No node returns the block, although one reported it or a later one.
      if (newest !== undefined && state?.nextBlock === from.nextBlock)
        return reorganize(newest, nodes, from, async () => 'done');
      return 'done';
    },
  };
}

function headOf({ number, hash, timestampMs }: BlockHeader): NotedHead {
  return { number, hash, timeMs: timestampMs };
}
