/** Content that is written where it is sent from, so that it is copied once. */

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
 * The content in a block of its own, behind `head`, which is ASCII.
 *
 * @throws when the content has another length than it says, which is a bug: the block is not cleared before.
 */
export function bytesOf(content: ByteContent, head = ''): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(head.length + content.length);
  writer.ascii(head);
  content.writeTo(writer);
  if (writer.at !== writer.bytes.length) throw new Error('content of another length than it says');
  return writer.bytes;
}
