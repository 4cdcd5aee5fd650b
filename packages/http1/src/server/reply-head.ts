/** Writes the head of an answer: status line, date, the answer's own headers, the framing of its content, and whether the connection stays open. */

import { headerLines } from './header-lines.ts';
import type { OutgoingReply } from './incoming-request.ts';
import { statusLine } from './status-line.ts';

export type ReplyFraming = {
  /**
   * The number of content bytes; `chunked`, or `until-close` for callers that do not understand chunks; `none` where an
   * answer has no content.
   */
  readonly content: number | 'chunked' | 'until-close' | 'none';
  readonly closes: boolean;
  /** The caller speaks HTTP/1.0 and needs `Connection: keep-alive` to leave the connection open. */
  readonly saysKeepAlive: boolean;
};

/** The head after which the connection is no longer HTTP (RFC 9110 15.2.2). @throws on an invalid header. */
export function switchingHead(reply: OutgoingReply, dateLine: string): string {
  return `${statusLine(reply.status)}${dateLine}Connection: Upgrade\r\n${headerLines(reply.headers)}\r\n`;
}

/** @throws on an invalid header. */
export function replyHead(reply: OutgoingReply, dateLine: string, framing: ReplyFraming): string {
  const lines = headerLines(reply.headers);
  const { content } = framing;
  const length =
    typeof content === 'number'
      ? `Content-Length: ${content}\r\n`
      : content === 'chunked'
        ? 'Transfer-Encoding: chunked\r\n'
        : '';
  const connection = framing.closes
    ? 'Connection: close\r\n'
    : framing.saysKeepAlive
      ? 'Connection: keep-alive\r\n'
      : '';
  return `${statusLine(reply.status)}${dateLine}${lines}${length}${connection}\r\n`;
}
