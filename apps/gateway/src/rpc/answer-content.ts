/** Builds the JSON-RPC content of answers to callers. Raw parts are inserted unchanged. */

import { type ByteContent, bytesOf, TextContent } from '@flowgate/bytes/byte-content';
import type { ByteWriter } from '@flowgate/bytes/byte-writer';
import type { JsonText } from '../upstream/port/node-port.ts';

const head = Buffer.from('{"jsonrpc":"2.0","id":');
const resultName = Buffer.from(',"result":');
const closeBrace = 0x7d;

/** A result with the caller's id. */
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

/** The form of an answer: the JSON-RPC version of the message that it answers. */
export type AnswerForm = {
  readonly result: (id: JsonText, result: JsonText) => ByteContent;
  /** `rawError` is a JSON text. */
  readonly error: (id: JsonText, rawError: string) => ByteContent;
  /** The text before and after a result. */
  readonly resultHead: (id: JsonText) => string;
  readonly resultEnd: (id: JsonText) => string;
  /** A refusal in this form. `content` is the complete refusal in version 2, with `id`. */
  readonly refusal: (content: ByteContent, id: JsonText) => ByteContent;
};

/** JSON-RPC 2.0, section 5. */
export const version2: AnswerForm = {
  result: (id, result) => new ResultContent(id, result),
  error: (id, rawError) => new TextContent(errorHead(id.text()) + rawError + end),
  resultHead: (id) => `{"jsonrpc":"2.0","id":${id.text()},"result":`,
  resultEnd: () => end,
  refusal: (content) => content,
};

/** JSON-RPC 1.0 as in Bitcoin Core's answers: without a version, and with both members, of which one is null. */
export const version1: AnswerForm = {
  result: (id, result) => new TextContent(resultStart + result.text() + resultEnd1(id)),
  error: (id, rawError) => new TextContent(error1(id.text(), rawError)),
  resultHead: () => resultStart,
  resultEnd: resultEnd1,
  refusal(content, id) {
    const text = Buffer.from(bytesOf(content)).toString();
    return new TextContent(error1(id.text(), text.slice(errorHead(id.text()).length, -end.length)));
  },
};

const end = '}';
const resultStart = '{"result":';

function errorHead(id: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":`;
}

function resultEnd1(id: JsonText): string {
  return `,"error":null,"id":${id.text()}}`;
}

function error1(id: string, rawError: string): string {
  return `{"result":null,"error":${rawError},"id":${id}}`;
}

const openBracket = 0x5b;
const comma = 0x2c;
const closeBracket = 0x5d;

/** The array of the answers to a batch. */
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
