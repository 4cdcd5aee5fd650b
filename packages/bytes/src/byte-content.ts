/** Content that is written directly into the block from which it is sent, so that it is copied once. */

import { ByteWriter } from './byte-writer.ts';

export type ByteContent = {
  /** In bytes. */
  readonly length: number;
  /** Writes exactly `length` bytes; may be called again. */
  readonly writeTo: (writer: ByteWriter) => void;
};

/** A text in UTF-8. */
export class TextContent implements ByteContent {
  readonly #bytes: Uint8Array;

  constructor(text: string) {
    this.#bytes = Buffer.from(text);
  }

  get length(): number {
    return this.#bytes.length;
  }

  writeTo(writer: ByteWriter): void {
    writer.put(this.#bytes);
  }
}

/**
 * Writes `head`, which is ASCII, and the content into a new block.
 *
 * @throws when the content writes another number of bytes than `length`, which is a bug: the block is not cleared
 * before.
 */
export function bytesOf(content: ByteContent, head = ''): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(head.length + content.length);
  writer.ascii(head);
  content.writeTo(writer);
  if (writer.at !== writer.bytes.length) throw new Error('content of another length than it announces');
  return writer.bytes;
}
