/** Reads the logs of one block from any node that has them, and trusts no node that omits some. */

import { runInSlices, type TimeSlices } from '@flowgate/async/time-slices';
import type { Clock } from '@flowgate/base/clock';
import { ByteRange, rangeOf } from '@flowgate/bytes/byte-range';
import { type BloomBits, coversBloom, emptyBloom, type LogsBloom } from '@flowgate/chain/logs-bloom';
import type { JsonText, NodeAnswer, NodePort } from '../../upstream/port/node-port.ts';
import { type BlockLogs, readBlockLogs } from './block-logs.ts';

export type LogReaderDeps = {
  readonly nodes: NodePort;
  readonly slices: TimeSlices;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly bits: BloomBits;
  /** Resolves after so many milliseconds, or when nothing is followed any more. */
  readonly pause: (ms: number) => Promise<void>;
};

export type CheckedLogs = BlockLogs & {
  /** There are logs that the block's bloom leaves out. */
  readonly isBeyondBloom: boolean;
};

export type ReadBlock = { readonly number: number; readonly hash: string; readonly bloom: LogsBloom | undefined };

/** The most bytes of one block's logs. Any block of 36 million gas has less. */
export const maxLogBytes = 33_554_432;
/** Of one question. */
const tryMs = 5_000;
/** Between two rounds in which every node was asked. */
const pauseMs = 250;
/** Addresses and topics that are compared with the block's bloom before others have their turn: each may cost a hash. */
const comparedAtOnce = 64;
/** More of them are not compared: an answer of so many logs is no empty one by mistake. */
const maxCompared = 20_000;

/** Undefined after `withinMs`, or once `isWanted` is false. */
export async function readLogs(
  deps: LogReaderDeps,
  block: ReadBlock,
  withinMs: number,
  isWanted: () => boolean,
): Promise<CheckedLogs | undefined> {
  const { clock, nodes } = deps;
  const endMs = clock.monotonic() + withinMs;
  const params = rangeOf(`[{"blockHash":"${block.hash}"}]`);
  let leftOut = new Set<string>();
  for (;;) {
    const leftMs = endMs - clock.monotonic();
    if (leftMs <= 0 || !isWanted()) return undefined;
    const reply = await nodes.send({
      method: 'eth_getLogs',
      params,
      repeatable: true,
      timeoutMs: Math.min(tryMs, leftMs),
      fromHeight: block.number,
      leftOut,
    });
    const text = reply.ok ? resultOf(reply.answer) : undefined;
    const logs = text === undefined ? undefined : await checkedLogs(deps, text, block);
    if (logs !== undefined) return logs;
    const isRoundOver = !reply.ok || leftOut.has(reply.nodeId);
    if (reply.ok) leftOut.add(reply.nodeId);
    if (!isRoundOver) continue;
    // Every node was asked, or none can be: what one has not now, it may have soon.
    leftOut = new Set();
    await deps.pause(pauseMs);
  }
}

function resultOf(answer: NodeAnswer): JsonText | undefined {
  if (answer.kind === 'buffered') answer.release();
  return answer.kind === 'result' && answer.raw.length <= maxLogBytes ? ownBytes(answer.raw) : undefined;
}

/** A copy: the answer is a part of what arrived with it, and would keep all of that. */
function ownBytes(raw: JsonText): JsonText {
  const copy = Buffer.allocUnsafeSlow(raw.length);
  copy.set(raw.bytes.subarray(raw.start, raw.end));
  return new ByteRange(copy, 0, copy.length);
}

async function checkedLogs(
  { slices, bits }: LogReaderDeps,
  text: JsonText,
  block: ReadBlock,
): Promise<CheckedLogs | undefined> {
  const found = await runInSlices(slices, readBlockLogs(text, block));
  if (found === undefined || block.bloom === undefined) return found && { ...found, isBeyondBloom: false };
  return runInSlices(slices, checkedBy(found, block.bloom, bits));
}

/** Undefined when the bloom announces more logs than these. There may be more logs than it announces: on some chains the bloom omits system logs. */
function* checkedBy(
  found: BlockLogs,
  wanted: LogsBloom,
  bits: BloomBits,
): Generator<undefined, CheckedLogs | undefined> {
  const bloom = emptyBloom();
  let compared = 0;
  for (const { address, topics } of found.logs)
    for (const value of [address, ...topics]) {
      bits.add(bloom, value);
      compared++;
      if (compared > maxCompared) return { ...found, isBeyondBloom: false };
      if (compared % comparedAtOnce === 0) yield undefined;
    }
  return coversBloom(bloom, wanted) ? { ...found, isBeyondBloom: !coversBloom(wanted, bloom) } : undefined;
}
