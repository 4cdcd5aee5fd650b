/** Which blocks' logs are held against their receipts, whose root is in the header (docs/decisions/0104). */

import type { TimeSlices } from '@flowgate/async/time-slices';
import type { BlockHeader } from '@flowgate/chain/blocks/block-header';
import type { BridgeLog } from '@flowgate/chain/blocks/bridge-log';
import { areSameLogs, type Reporter } from './reporter.ts';
import { provenLogs } from './single-block-logs.ts';
import type { StreamFilter } from './stream-filter.ts';

/** From one range to the next. */
export type KnownOfProofs = {
  /** Whether receipts of this chain were ever proven: from then on, those that contradict what was told are not passed over. */
  areKnown: boolean;
  /** Tries to find that out. */
  tries: number;
  /** Blocks in a row of which a bloom told, and whose receipts then had no wanted log. */
  falseAlarms: number;
};

export type ProofDeps = {
  readonly filter: StreamFilter;
  readonly slices: TimeSlices;
  readonly known: KnownOfProofs;
};

/** By the numbers of blocks. */
export type Proofs = {
  readonly proven: ReadonlyMap<number, readonly BridgeLog[]>;
  /** A node told receipts that are not whole, or other logs in them than it had told before, and they prove nothing. */
  readonly wrong: readonly number[];
};

/** Blocks of a range whose receipts are asked for, and how many at the same time: those of a full block have some hundred kilobytes. */
const maxProven = 16;
const provenAtOnce = 4;
/** After so many in a row, blooms are taken to be nearly full, and blocks without a told log are asked for by hash only: other events of the same contracts cause some on every chain. */
const maxFalseAlarms = 256;
const maxTries = 8;

/** With no other node, each block is proven that has logs or may have some, where they are few: at the head, and where little happens. */
export async function proveAlone(
  deps: ProofDeps,
  only: Reporter,
  possible: readonly BlockHeader[],
  isDoubtful: (header: BlockHeader) => boolean,
): Promise<Proofs> {
  const { known } = deps;
  const believesBlooms = known.falseAlarms < maxFalseAlarms;
  const unheld = possible.filter(
    (header) => only.reported.has(header.number) || (believesBlooms && isDoubtful(header)),
  );
  if (unheld.length > maxProven) return { proven: new Map(), wrong: [] };
  const proofs = await prove(deps, [only], unheld);
  for (const [number, logs] of proofs.proven)
    if (!only.reported.has(number)) known.falseAlarms = logs.length > 0 ? 0 : known.falseAlarms + 1;
  return proofs;
}

/** With another node, blocks of which the two tell different logs; and until it is known whether receipts prove anything on this chain, one block with logs. */
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

/** By any of the nodes. Where none of some blocks is proven, no more are asked for: not every chain has roots that can be computed, and not every node tells receipts. */
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
            // What is told twice in the same way contradicts nothing.
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
