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

/** The content in a block of its own. */
export function bytesOf(content: ByteContent): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(content.length);
  content.writeTo(writer);
  return writer.bytes;
}
