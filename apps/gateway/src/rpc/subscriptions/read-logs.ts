/** Reads the logs of one block from any node that has them. The block's bloom shows when a node omits some. */

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
  /** Resolves after this many milliseconds, or earlier when the feed closes. */
  readonly pause: (ms: number) => Promise<void>;
};

export type CheckedLogs = BlockLogs & {
  /** Whether the block has logs that its bloom omits. */
  readonly isBeyondBloom: boolean;
};

export type ReadBlock = { readonly number: number; readonly hash: string; readonly bloom: LogsBloom | undefined };

/** The maximum size of one block's logs. Any block of 36 million gas has less. */
export const maxLogBytes = 33_554_432;
/** The timeout of one call. */
const tryMs = 5_000;
/** The pause after a round in which every node was called. */
const pauseMs = 250;
/**
 * The number of addresses and topics that are compared with the bloom before the event loop gets a turn. Each may cost
 * a hash.
 */
const comparedAtOnce = 64;
/** Beyond this number nothing is compared: a long answer is not empty by mistake. */
const maxCompared = 20_000;

/** Undefined after `withinMs`, or once `isWanted` returns false. */
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
    // Every node was called, or no node can be called. A node may have the logs in the next round.
    leftOut = new Set();
    await deps.pause(pauseMs);
  }
}

function resultOf(answer: NodeAnswer): JsonText | undefined {
  if (answer.kind === 'buffered') answer.release();
  return answer.kind === 'result' && answer.raw.length <= maxLogBytes ? ownBytes(answer.raw) : undefined;
}

/** A copy, because the answer is a slice of a larger buffer, which it would retain. */
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

/**
 * Undefined when the bloom shows logs that are missing in `found`. Logs that are missing in the bloom are allowed,
 * because on some chains the bloom omits system logs.
 */
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
