/** Reads ranges of a stream's blocks from any node that has them, and derives facts from their logs. */

import type { TimeSlices } from '@flowgate/async/time-slices';
import { type BlockHeader, readHeader } from '@flowgate/chain/blocks/block-header';
import type { BridgeLog } from '@flowgate/chain/blocks/bridge-log';
import type { ChainNode } from '../chain/chain-node.ts';
import { ChainAway, type ChainReader } from '../chain/chain-reader.ts';
import type { LogReader } from '../facts/log-stream.ts';
import { noFacts, type RangeFacts } from '../facts/range-facts.ts';
import { withMissingLogs } from './missing-logs.ts';
import type { KnownOfProofs } from './proofs.ts';
import { type RangeSize, wantedLogs } from './range-size.ts';
import { headerQuestion, type RangeAnswer, type ReadRange, readRange } from './read-range.ts';
import type { NodeSpans } from './second-node.ts';
import { logsByHash, logsByReceipts } from './single-block-logs.ts';
import { isOf, type StreamFilter } from './stream-filter.ts';

/** Blocks from `headers[0]` on. Their facts can be stored when the last stored block is the one before them. */
export type Piece = {
  readonly kind: 'piece';
  /** The node that returned the blocks. */
  readonly nodeId: string;
  readonly headers: readonly BlockHeader[];
  readonly facts: RangeFacts;
  readonly logs: number;
};

/** Why a range could not be read, as the metrics count it. */
export type ReadFault = 'away' | 'refused' | 'wrong' | 'holes' | 'reader';

export type FailedPiece = { readonly kind: 'failed'; readonly fault: ReadFault; readonly reason: string };

export type PieceAnswer = Piece | { readonly kind: 'absent' } | FailedPiece;

export type RangeReaderDeps = {
  readonly readers: readonly LogReader[];
  readonly filter: StreamFilter;
  /** For the readers. */
  readonly chain: ChainReader;
  readonly size: RangeSize;
  /** True when the blooms of blocks can be trusted. */
  readonly usesBlooms: boolean;
  readonly slices: TimeSlices;
  /** A node omitted logs. */
  readonly onHoles: (nodeId: string, blocks: number) => void;
  /** A reader has a bug. */
  readonly onError: (error: unknown) => void;
};

export type RangeReader = {
  /** Reads from `from` to `to`, or as far as one node has blocks. `nodes`: the nodes to use, best first. Never rejects. */
  readonly read: (from: number, to: number, nodes: readonly ChainNode[]) => Promise<PieceAnswer>;
};

export function createRangeReader(deps: RangeReaderDeps): RangeReader {
  const { filter, size } = deps;
  const spans: NodeSpans = new Map();
  const known: KnownOfProofs = { areKnown: false, tries: 0, falseAlarms: 0 };

  /** Halves the range until the node accepts it. */
  async function askNode(node: ChainNode, from: number, to: number): Promise<RangeAnswer> {
    let end = Math.min(to, from + size.now() - 1);
    for (;;) {
      const answer = await readRange(node, filter, from, end);
      if (answer.kind !== 'refused') return answer;
      if (end === from) return readAlone(node, from, answer);
      size.refused(end - from + 1);
      end = from + Math.floor((end - from + 1) / 2) - 1;
    }
  }

  /** A block that is refused as a range of one. */
  async function readAlone(node: ChainNode, number: number, refusal: RangeAnswer): Promise<RangeAnswer> {
    const [said] = await node.ask([headerQuestion(number)]);
    const header = said?.kind === 'result' ? readHeader(said.value) : undefined;
    if (header?.number !== number) return refusal;
    const [byHash] = await logsByHash(node, filter, [header]);
    const logs = byHash ?? (await logsByReceipts(node, filter, header));
    return logs === undefined ? refusal : { kind: 'read', headers: [header], logs, bytes: 0 };
  }

  async function completed(range: ReadRange, node: ChainNode, others: readonly ChainNode[]) {
    if (filter.question === undefined) return { kind: 'complete', logs: range.logs } as const;
    const complete = await withMissingLogs({ ...deps, spans, known }, range, node, others);
    if (complete.kind === 'complete') for (const { nodeId, blocks } of complete.holes) deps.onHoles(nodeId, blocks);
    return complete;
  }

  async function pieceOf(
    { nodeId }: ChainNode,
    headers: readonly BlockHeader[],
    logs: readonly BridgeLog[],
  ): Promise<PieceAnswer> {
    const shown = headersWithin(headers, logs);
    const last = shown.at(-1);
    const ofPiece = last === undefined ? [] : logs.filter(({ blockNumber }) => blockNumber <= last.number);
    try {
      const facts = await factsOf(deps, shown, ofPiece);
      return { kind: 'piece', nodeId, headers: shown, facts, logs: ofPiece.length };
    } catch (error) {
      if (error instanceof ChainAway) return failed('away', error.message);
      deps.onError(error);
      return failed('reader', `the logs from block ${headers[0]?.number} on could not be read`);
    }
  }

  return {
    async read(from, to, nodes) {
      let failure: FailedPiece | undefined;
      let isAbsent = false;
      for (const node of nodes) {
        const answer = await askNode(node, from, to);
        if (answer.kind === 'absent') isAbsent = true;
        else if (answer.kind !== 'read')
          failure ??= failed(answer.kind, `node ${node.nodeId}, from block ${from}: ${answer.reason}`);
        else {
          const { headers } = answer;
          const others = nodes.filter((each) => each !== node);
          const whole = await completed(answer, node, others);
          if (whole.kind === 'complete') {
            size.read({ blocks: headers.length, logs: answer.logs.length, bytes: answer.bytes });
            return pieceOf(node, headers, whole.logs);
          }
          failure ??= failed('holes', whole.reason);
        }
      }
      if (failure !== undefined) return failure;
      return isAbsent ? { kind: 'absent' } : failed('away', 'no node of the network can be used');
    },
  };
}

function failed(fault: ReadFault, reason: string): FailedPiece {
  return { kind: 'failed', fault, reason };
}

/** As many of the first blocks as have few enough logs to be stored at once; at least one. */
function headersWithin(headers: readonly BlockHeader[], logs: readonly BridgeLog[]): readonly BlockHeader[] {
  const beyond = logs[wantedLogs];
  const first = headers[0];
  if (beyond === undefined || first === undefined) return headers;
  return headers.slice(0, Math.max(1, beyond.blockNumber - first.number));
}

async function factsOf(
  { readers, chain }: RangeReaderDeps,
  headers: readonly BlockHeader[],
  logs: readonly BridgeLog[],
): Promise<RangeFacts> {
  if (logs.length === 0) return noFacts;
  const withLogs = new Set(logs.map(({ blockNumber }) => blockNumber));
  const blocks = new Map(headers.filter(({ number }) => withLogs.has(number)).map((header) => [header.number, header]));
  const read = await Promise.all(
    readers.map(async ({ wanted, read: readLogs }) => {
      const own = logs.filter((log) => isOf(wanted, log));
      return own.length === 0 ? {} : readLogs({ logs: own, blocks, chain });
    }),
  );
  return read.reduce<RangeFacts>(merged, noFacts);
}

function merged(all: RangeFacts, more: Partial<RangeFacts>): RangeFacts {
  const { deposits = [], relays = [], withdrawals = [], games = [] } = more;
  const { proofs = [], finalizations = [], swaps = [], tokenPairs = [] } = more;
  return {
    deposits: [...all.deposits, ...deposits],
    relays: [...all.relays, ...relays],
    withdrawals: [...all.withdrawals, ...withdrawals],
    games: [...all.games, ...games],
    proofs: [...all.proofs, ...proofs],
    finalizations: [...all.finalizations, ...finalizations],
    swaps: [...all.swaps, ...swaps],
    tokenPairs: [...all.tokenPairs, ...tokenPairs],
  };
}
