/** Parses a node's large answer from its bytes, strictly, in time slices. Results stay the bytes that arrived. */

import type { TimeSlices } from '@flowgate/async/time-slices';
import type { BudgetedBuffer } from '@flowgate/bytes/budgeted-buffer';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { clearMembers, createMembers, maxMembers, noteMember } from '@flowgate/json/json-members';
import { type ObjectListener, PushScanner } from '@flowgate/json/push-scanner';
import type { BufferedBatch, BufferedElement, BufferedResult, NodeError } from '../port/node-port.ts';
import { answerMembers, isErrorObject, placeOf, refusesBatch } from './node-answer.ts';

/** `inStep`: false if an envelope answered no call of this batch, or answered a call twice. */
type LargeBatch = BufferedBatch & { readonly inStep: boolean };

/** Maximum bytes of all errors of one answer, because they are parsed and searched as text. A revert's data has some kilobytes. */
const maxErrorBytes = 1_048_576;
/** Upper bound of ids, versions and `null`. */
const maxShortBytes = 16;

type Envelope = { readonly id: string | undefined; readonly answer: BufferedElement | NodeError | undefined };

/** Like `readSingleAnswer`. Releases the bytes unless it returns them. */
export async function readLargeSingle(
  buffer: BudgetedBuffer,
  expectedId: number,
  slices: TimeSlices,
): Promise<BufferedResult | NodeError | undefined> {
  let found: Envelope | undefined;
  let result: BufferedResult | undefined;
  try {
    const scanner = await scan(buffer, slices, (envelope) => {
      found = envelope;
    });
    if (scanner === undefined || scanner.isArray || found?.id !== String(expectedId)) return undefined;
    const { answer } = found;
    if (answer?.kind !== 'buffered') return answer;
    result = { kind: 'buffered', buffers: [buffer], parts: answer.parts, release: () => buffer.release() };
    return result;
  } finally {
    if (result === undefined) buffer.release();
  }
}

/** Like `readBatchAnswer`. Releases the bytes unless it returns them. */
export async function readLargeBatch(
  buffer: BudgetedBuffer,
  firstId: number,
  count: number,
  slices: TimeSlices,
): Promise<LargeBatch | NodeError | undefined> {
  const answers = new Array<Envelope['answer']>(count).fill(undefined);
  const taken = new Uint8Array(count);
  let last: Envelope | undefined;
  let batch: LargeBatch | undefined;
  let inStep = true;
  try {
    const scanner = await scan(buffer, slices, (envelope) => {
      last = envelope;
      const place = placeOf(envelope.id, firstId, count);
      if (place < 0 || taken[place] === 1) inStep = false;
      if (place < 0) return;
      answers[place] = taken[place] === 1 ? undefined : envelope.answer;
      taken[place] = 1;
    });
    if (scanner === undefined) return undefined;
    if (!scanner.isArray) return refusesBatch(last?.id) ? errorOnly(last?.answer) : undefined;
    if (answers.every((answer) => answer === undefined)) return undefined;
    batch = { kind: 'buffered', buffers: [buffer], answers, inStep, release: () => buffer.release() };
    return batch;
  } finally {
    if (batch === undefined) buffer.release();
  }
}

function errorOnly(answer: Envelope['answer']): NodeError | undefined {
  return answer?.kind === 'error' ? answer : undefined;
}

/** Undefined if the bytes are not one complete JSON text. */
async function scan(
  buffer: BudgetedBuffer,
  slices: TimeSlices,
  onEnvelope: (envelope: Envelope) => void,
): Promise<PushScanner | undefined> {
  const scanner = new PushScanner(new EnvelopeReader(buffer, onEnvelope));
  let nth = 0;
  let isJson = true;
  await slices.run(() => {
    if (nth < buffer.blockCount) isJson = scanner.push(buffer.block(nth));
    nth++;
    return !isJson || nth >= buffer.blockCount;
  });
  return isJson && scanner.isWhole() ? scanner : undefined;
}

class EnvelopeReader implements ObjectListener {
  readonly #members = createMembers(answerMembers);
  #count = 0;
  #others: Set<string> | undefined;
  #errorBytesLeft = maxErrorBytes;

  constructor(
    private readonly buffer: BudgetedBuffer,
    private readonly onEnvelope: (envelope: Envelope) => void,
  ) {}

  begin(): void {
    clearMembers(this.#members);
    this.#count = 0;
    this.#others = undefined;
  }

  member(name: string | undefined, valueStart: number, valueEnd: number): void {
    this.#count++;
    if (this.#count > maxMembers || name === undefined) {
      this.#members.problem = 'too many members, or too long a name';
      return;
    }
    this.#others = noteMember(name, valueStart, valueEnd, this.#members, this.#others);
  }

  end(): void {
    this.onEnvelope({ id: this.#short(1), answer: this.#answer() });
  }

  #answer(): Envelope['answer'] {
    if (this.#members.problem !== undefined) return undefined;
    const version = this.#short(0);
    if (version !== undefined && version !== '"2.0"') return undefined;
    const result = this.#short(2);
    const error = this.#short(3);
    if (error === undefined || error === 'null') return result === undefined ? undefined : this.#large(2);
    if (result !== undefined && result !== 'null') return undefined;
    const { start, end } = this.#range(3);
    this.#errorBytesLeft -= end - start;
    if (this.#errorBytesLeft < 0) return undefined;
    const raw = rangeOf(this.buffer.text(start, end));
    return isErrorObject(raw) ? { kind: 'error', raw } : undefined;
  }

  #large(k: number): BufferedElement {
    return { kind: 'buffered', parts: [{ source: this.buffer, ...this.#range(k) }] };
  }

  #range(k: number): { readonly start: number; readonly end: number } {
    const [start = -1, end = -1] = this.#members.spans.subarray(2 * k, 2 * k + 2);
    return { start, end };
  }

  /** The JSON text of a member's value; an empty text if the value is longer than `maxShortBytes`. */
  #short(k: number): string | undefined {
    const { start, end } = this.#range(k);
    if (start < 0) return undefined;
    return end - start > maxShortBytes ? '' : this.buffer.text(start, end);
  }
}
