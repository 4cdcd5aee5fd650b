/** Chooses the blocks whose logs are compared with their receipts, whose root is in the header (docs/decisions/0104). */

import type { TimeSlices } from '@flowgate/async/time-slices';
import type { BlockHeader } from '@flowgate/chain/blocks/block-header';
import type { BridgeLog } from '@flowgate/chain/blocks/bridge-log';
import { areSameLogs, type Reporter } from './reporter.ts';
import { provenLogs } from './single-block-logs.ts';
import type { StreamFilter } from './stream-filter.ts';

/** Carried from one range to the next. */
export type KnownOfProofs = {
  /** True once receipts of this chain were proven: from then on, receipts that contradict the returned logs are a fault. */
  areKnown: boolean;
  /** The number of attempts to prove receipts. */
  tries: number;
  /** Consecutive blocks whose bloom indicated a log that the receipts did not have. */
  falseAlarms: number;
};

export type ProofDeps = {
  readonly filter: StreamFilter;
  readonly slices: TimeSlices;
  readonly known: KnownOfProofs;
};

/** By block number. */
export type Proofs = {
  readonly proven: ReadonlyMap<number, readonly BridgeLog[]>;
  /** Blocks whose receipts are incomplete, or contradict the logs of the same node, and prove nothing. */
  readonly wrong: readonly number[];
};

/** Blocks of a range whose receipts are requested, and how many at once: those of a full block have some hundred kilobytes. */
const maxProven = 16;
const provenAtOnce = 4;
/** After this many in a row, blooms count as nearly full, and blocks without a returned log are requested by hash only. Other events of the same contracts cause some false alarms on every chain. */
const maxFalseAlarms = 256;
const maxTries = 8;

/** Without another node: proves each block that has logs, or may have some, if there are few such blocks. That is so at the head, and where blocks have few logs. */
export async function proveAlone(
  deps: ProofDeps,
  only: Reporter,
  possible: readonly BlockHeader[],
  isDoubtful: (header: BlockHeader) => boolean,
): Promise<Proofs> {
  const { known } = deps;
  const trustsBlooms = known.falseAlarms < maxFalseAlarms;
  const toProve = possible.filter((header) => only.reported.has(header.number) || (trustsBlooms && isDoubtful(header)));
  if (toProve.length > maxProven) return { proven: new Map(), wrong: [] };
  const proofs = await prove(deps, [only], toProve);
  for (const [number, logs] of proofs.proven)
    if (!only.reported.has(number)) known.falseAlarms = logs.length > 0 ? 0 : known.falseAlarms + 1;
  return proofs;
}

/** With another node: proves blocks for which the two return different logs. Until it is known whether receipts prove anything on this chain, it tries one block with logs. */
export async function proveDiffering(
  deps: ProofDeps,
  reporters: readonly Reporter[],
  possible: readonly BlockHeader[],
  differing: ReadonlySet<BlockHeader>,
): Promise<Proofs> {
  const { known } = deps;
  const isReported = ({ number }: BlockHeader) => reporters.some(({ reported }) => reported.has(number));
  const tried = known.areKnown || known.tries >= maxTries || differing.size > 0 ? undefined : possible.find(isReported);
  if (tried !== undefined) known.tries += 1;
  return prove(deps, reporters, tried === undefined ? [...differing].slice(0, maxProven) : [tried]);
}

/** Uses the receipts of any of the nodes. Stops after a group of blocks of which none is proven: some chains have roots that cannot be computed, and some nodes return no receipts. */
async function prove(
  { filter, slices, known }: ProofDeps,
  reporters: readonly Reporter[],
  headers: readonly BlockHeader[],
): Promise<Proofs> {
  const proven = new Map<number, readonly BridgeLog[]>();
  const wrong: number[] = [];
  for (let at = 0; at < headers.length; at += provenAtOnce) {
    const before = proven.size;
    await Promise.all(
      headers.slice(at, at + provenAtOnce).map(async (header) => {
        const { number } = header;
        for (const { node, reported } of reporters) {
          const receipts = await provenLogs(node, filter, header, slices);
          if (receipts === undefined) continue;
          if (receipts === 'wrong' || !receipts.isProven) {
            // The same logs, returned in two ways, contradict nothing.
            if (receipts === 'wrong' || !areSameLogs(receipts.logs, reported.get(number) ?? [])) wrong.push(number);
            continue;
          }
          proven.set(number, receipts.logs);
          // Blocks without transactions prove nothing.
          if (receipts.logs.length > 0) known.areKnown = true;
          break;
        }
      }),
    );
    if (proven.size === before) break;
  }
  return { proven, wrong: wrong.filter((number) => !proven.has(number)) };
}
