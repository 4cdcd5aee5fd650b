/** Builds the JSON-RPC content of answers to callers; raw parts are inserted unchanged. */

import type { JsonText } from '../ledgers/node-port.ts';
import { type ByteContent, TextContent } from '../platform/bytes/byte-content.ts';
import type { ByteWriter } from '../platform/bytes/byte-writer.ts';

const head = Buffer.from('{"jsonrpc":"2.0","id":');
const resultName = Buffer.from(',"result":');
const closeBrace = 0x7d;

/** A result under the caller's id. */
export class ResultContent implements ByteContent {
  constructor(
    private readonly id: JsonText,
    private readonly result: JsonText,
  ) {}

  get length(): number {
    return head.length + this.id.length + resultName.length + this.result.length + 1;
  }

  writeTo(writer: ByteWriter): void {
    const { id, result } = this;
    writer.put(head);
    writer.range(id.bytes, id.start, id.end);
    writer.put(resultName);
    writer.range(result.bytes, result.start, result.end);
    writer.byte(closeBrace);
  }
}

/** `rawError` is a JSON text. */
export function errorContent(id: JsonText, rawError: string): ByteContent {
  return new TextContent(`{"jsonrpc":"2.0","id":${id.text()},"error":${rawError}}`);
}

/** The text before a result. */
export function resultHead(id: JsonText): string {
  return `{"jsonrpc":"2.0","id":${id.text()},"result":`;
}

/** The text after a result. */
export const resultEnd = '}';

const openBracket = 0x5b;
const comma = 0x2c;
const closeBracket = 0x5d;

/** The array of a batch's answers. */
export class BatchContent implements ByteContent {
  readonly length: number;

  constructor(private readonly elements: readonly ByteContent[]) {
    let length = 2 + Math.max(0, elements.length - 1);
    for (const element of elements) length += element.length;
    this.length = length;
  }

  writeTo(writer: ByteWriter): void {
    let before = openBracket;
    for (const element of this.elements) {
      writer.byte(before);
      element.writeTo(writer);
      before = comma;
    }
    writer.byte(closeBracket);
  }
}
