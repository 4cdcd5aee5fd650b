/** Writes the head of an answer: status line, date, the answer's own headers, how its content ends, and what becomes of the connection. */

import type { OutgoingReply } from '../incoming-request.ts';
import { statusLine } from './status-line.ts';

export type ReplyFraming = {
  /** Bytes of content; `chunked`, or `until-close` for who knows no chunks; `none` where an answer has no content at all. */
  readonly content: number | 'chunked' | 'until-close' | 'none';
  readonly closes: boolean;
  /** The caller speaks HTTP/1.0 and has to be told that the connection stays. */
  readonly saysKeepAlive: boolean;
};

const fieldValue = /^[\t\x20-\x7e]*$/;

/** Throws on a header that would not be one: nothing that a caller sent may end a line. */
export function replyHead({ status, headers }: OutgoingReply, dateLine: string, framing: ReplyFraming): string {
  let head = statusLine(status) + dateLine;
  for (const name in headers) {
    const value = headers[name] ?? '';
    if (!fieldValue.test(value)) throw new Error(`the header ${name} of an answer is not valid`);
    if (name !== 'Connection') head += `${name}: ${value}\r\n`;
  }
  const { content } = framing;
  if (typeof content === 'number') head += `Content-Length: ${content}\r\n`;
  else if (content === 'chunked') head += 'Transfer-Encoding: chunked\r\n';
  if (framing.closes) head += 'Connection: close\r\n';
  else if (framing.saysKeepAlive) head += 'Connection: keep-alive\r\n';
  return `${head}\r\n`;
}
