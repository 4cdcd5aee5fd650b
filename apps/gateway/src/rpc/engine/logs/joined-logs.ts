/** Joins the answers to the pieces of one question for logs into one array, byte for byte, and counts the logs as they arrive. */

import type { TimeSlices } from '@flowgate/async/time-slices';
import { BudgetedBuffer } from '@flowgate/bytes/budgeted-buffer';
import type { BufferedPart, BufferedRange } from '@flowgate/bytes/buffered-body';
import type { ByteBudget, ByteGrant } from '@flowgate/bytes/byte-budget';
import { ByteRange } from '@flowgate/bytes/byte-range';
import { closeBracket, openBracket } from '@flowgate/json/json-scan';
import type { BufferedResult, JsonText, NodeResult } from '../../../upstream/port/node-port.ts';
import { LogCounter } from './log-counter.ts';

/** An answer up to this length is one text. A longer one stays in bytes that are charged to the caller. */
const maxTextLength = 65_536;

export type PieceOfLogs = { readonly ranges: readonly BufferedRange[]; readonly count: number };

/** Owns the bytes of all pieces until `answer` returns them. */
export class JoinedLogs {
  readonly #buffers: BudgetedBuffer[] = [];
  readonly #releases: (() => void)[] = [];
  #texts: BudgetedBuffer | undefined;

  constructor(
    private readonly budget: ByteBudget,
    private readonly userId: string,
    private readonly slices: TimeSlices,
  ) {}

  /** Adds an array. Returns the failure when there is no memory for it; undefined when the answer is not an array. */
  async take(answer: NodeResult | BufferedResult): Promise<PieceOfLogs | Exclude<ByteGrant, 'granted'> | undefined> {
    const ranges = answer.kind === 'buffered' ? this.#rangesOf(answer) : this.#copied(answer.raw);
    if (typeof ranges === 'string' || ranges === undefined) return ranges;
    const counter = new LogCounter();
    await eachBlock(ranges, this.slices, (bytes) => counter.push(bytes));
    if (!isArray(ranges)) return undefined;
    return { ranges, count: counter.count };
  }

  /** The height of the block of the nth log; n counts from 1. */
  async blockOf({ ranges }: PieceOfLogs, nth: number): Promise<number | undefined> {
    const counter = new LogCounter(nth);
    await eachBlock(ranges, this.slices, (bytes) => counter.push(bytes));
    return counter.block();
  }

  /** One array of the logs of all pieces, in this order. The receiver must release it when it is `buffered`. This object must not be used afterwards. */
  answer(pieces: readonly PieceOfLogs[]): NodeResult | BufferedResult {
    const parts: BufferedPart[] = [];
    let length = 2;
    for (const { ranges, count } of pieces) {
      if (count === 0) continue;
      parts.push(parts.length === 0 ? '[' : ',');
      for (const range of withoutBrackets(ranges)) {
        parts.push(range);
        length += range.end - range.start;
      }
    }
    if (parts.length === 0) parts.push('[');
    parts.push(']');
    if (length + pieces.length > maxTextLength)
      return { kind: 'buffered', buffers: this.#buffers, parts, release: () => this.release() };
    const raw = textOf(parts);
    this.release();
    return { kind: 'result', raw };
  }

  release(): void {
    for (const release of this.#releases.splice(0)) release();
  }

  #rangesOf(answer: BufferedResult): readonly BufferedRange[] {
    this.#buffers.push(...answer.buffers);
    this.#releases.push(answer.release);
    return rangesIn(answer);
  }

  #copied({ bytes, start, end }: JsonText): readonly BufferedRange[] | Exclude<ByteGrant, 'granted'> {
    if (this.#texts === undefined) {
      const texts = new BudgetedBuffer(this.budget, this.userId);
      this.#texts = texts;
      this.#buffers.push(texts);
      this.#releases.push(() => texts.release());
    }
    const at = this.#texts.length;
    const grant = this.#texts.append(bytes, start, end);
    return grant === 'granted' ? [{ source: this.#texts, start: at, end: this.#texts.length }] : grant;
  }
}

/** The number of logs in an answer, and the height of the block of the nth log, from 1. */
export async function countLogs(
  answer: NodeResult | BufferedResult,
  slices: TimeSlices,
  nth: number,
): Promise<{ readonly count: number; readonly block: number | undefined }> {
  const counter = new LogCounter(nth);
  if (answer.kind === 'result') counter.push(answer.raw.bytes.subarray(answer.raw.start, answer.raw.end));
  else await eachBlock(rangesIn(answer), slices, (bytes) => counter.push(bytes));
  return { count: counter.count, block: counter.block() };
}

/** A large answer of a transport consists of ranges only. */
function rangesIn({ parts }: BufferedResult): readonly BufferedRange[] {
  return parts.flatMap((part) => (typeof part === 'string' || part instanceof Uint8Array ? [] : [part]));
}

async function eachBlock(
  ranges: readonly BufferedRange[],
  slices: TimeSlices,
  read: (bytes: Uint8Array) => void,
): Promise<void> {
  let nth = 0;
  let at = ranges[0]?.start ?? 0;
  await slices.run(() => {
    const range = ranges[nth];
    if (range === undefined) return true;
    const bytes = range.source.view(at, range.end);
    if (bytes.length > 0) read(bytes);
    at += bytes.length;
    if (at >= range.end || bytes.length === 0) {
      nth++;
      at = ranges[nth]?.start ?? 0;
    }
    return nth >= ranges.length;
  });
}

/** Valid JSON that begins with a bracket also ends with one. */
function isArray(ranges: readonly BufferedRange[]): boolean {
  const [first] = ranges;
  return first !== undefined && first.source.view(first.start, first.start + 1)[0] === openBracket;
}

function withoutBrackets(ranges: readonly BufferedRange[]): readonly BufferedRange[] {
  const last = ranges.length - 1;
  return ranges.map(({ source, start, end }, at) => ({
    source,
    start: at === 0 ? start + 1 : start,
    end: at === last ? lastByte(source, end) : end,
  }));
}

/** The index of the closing bracket. */
function lastByte(buffer: BudgetedBuffer, end: number): number {
  let at = end - 1;
  while (at > 0 && buffer.view(at, at + 1)[0] !== closeBracket) at--;
  return at;
}

function textOf(parts: readonly BufferedPart[]): JsonText {
  const all: Uint8Array[] = [];
  for (const part of parts) {
    if (typeof part === 'string') all.push(Buffer.from(part));
    else if (part instanceof Uint8Array) all.push(part);
    else
      for (let at = part.start; at < part.end; ) {
        const view = part.source.view(at, part.end);
        all.push(view);
        at += view.length;
      }
  }
  const whole = Buffer.concat(all);
  return new ByteRange(whole, 0, whole.length);
}
