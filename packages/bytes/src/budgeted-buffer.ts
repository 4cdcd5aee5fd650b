/** Bytes of one answer, stored once, in blocks, and charged to a budget from their arrival until they are freed. */
import type { ByteBudget, ByteGrant } from './byte-budget.ts';

/** About the size of one write to a socket; larger blocks would waste more at the end of an answer. */
const blockBytes = 65_536;

export type NoRoom = Exclude<ByteGrant, 'granted'>;

/** The owner of the buffer must `release` it in every outcome. */
export class BudgetedBuffer {
  readonly #blocks: (Uint8Array | undefined)[] = [];
  #length = 0;
  /** Bytes charged to the budget and not returned yet. */
  #counted = 0;
  #released = false;

  constructor(
    private readonly budget: Pick<ByteBudget, 'take' | 'giveBack'>,
    private owner: string,
  ) {}

  get length(): number {
    return this.#length;
  }

  get blockCount(): number {
    return this.#blocks.length;
  }

  /**
   * Copies `bytes[from, to)`, all or nothing; the caller may reuse its array at once. Returns the exceeded bound when
   * there is no room.
   */
  append(bytes: Uint8Array, from: number, to: number): ByteGrant {
    const grant = this.budget.take(this.owner, to - from);
    if (grant !== 'granted') return grant;
    this.#counted += to - from;
    for (let at = from; at < to; ) {
      const used = this.#length % blockBytes;
      const block = used === 0 ? Buffer.allocUnsafeSlow(blockBytes) : this.#blocks.at(-1);
      if (block === undefined) throw new Error('bytes were appended to a freed block');
      if (used === 0) this.#blocks.push(block);
      const end = Math.min(to, at + blockBytes - used);
      block.set(bytes.subarray(at, end), used);
      this.#length += end - at;
      at = end;
    }
    return 'granted';
  }

  /**
   * Charges all bytes to another owner. Returns the exceeded bound when that owner has no room; the charge then stays
   * with the previous owner.
   */
  moveTo(owner: string): ByteGrant {
    if (owner === this.owner || this.#released) return 'granted';
    this.budget.giveBack(this.owner, this.#counted);
    const grant = this.budget.take(owner, this.#counted);
    if (grant === 'granted') this.owner = owner;
    else if (this.budget.take(this.owner, this.#counted) !== 'granted')
      throw new Error('the bytes returned to the budget could not be charged again');
    return grant;
  }

  /** The bytes of block `nth`; empty when it was freed. */
  block(nth: number): Uint8Array {
    const block = this.#blocks[nth];
    if (block === undefined) return new Uint8Array(0);
    return block.subarray(0, Math.min(blockBytes, this.#length - nth * blockBytes));
  }

  /** The number of the block with byte `at`. */
  blockOf(at: number): number {
    return Math.floor(at / blockBytes);
  }

  /** The bytes from `at` to the end of its block, at most to `end`: a view, valid until that block is freed. */
  view(at: number, end: number): Uint8Array {
    const nth = this.blockOf(at);
    const start = nth * blockBytes;
    return this.block(nth).subarray(at - start, end - start);
  }

  /** A copy of `[from, to)` as text; for short ranges of UTF-8. */
  text(from: number, to: number): string {
    const copy = Buffer.allocUnsafe(to - from);
    for (let at = from; at < to; ) {
      const part = this.view(at, to);
      if (part.length === 0) throw new Error('a freed block was read');
      copy.set(part, at - from);
      at += part.length;
    }
    return copy.toString('utf8');
  }

  /** Frees block `nth` and returns its bytes to the budget; nothing more can be appended. Idempotent. */
  freeBlock(nth: number): void {
    const { length } = this.block(nth);
    if (length === 0) return;
    this.#blocks[nth] = undefined;
    this.#giveBack(length);
  }

  /** Frees all remaining blocks. Idempotent. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#blocks.length = 0;
    this.#giveBack(this.#counted);
  }

  #giveBack(bytes: number): void {
    this.#counted -= bytes;
    if (bytes > 0) this.budget.giveBack(this.owner, bytes);
  }
}
