/** An answer whose header lines are written already: on the way of JSON-RPC a record of them would be made only to be taken apart again. */

import type { OutgoingReply, ReplyBody } from './incoming-request.ts';

export class WrittenReply implements OutgoingReply {
  constructor(
    readonly status: number,
    /** Each header with its line end, but for `Connection`. */
    readonly lines: string,
    readonly body: ReplyBody,
    /** The connection closes after it. */
    readonly closes: boolean,
  ) {}

  /** For the tools of agents, which take headers one by one. */
  get headers(): Readonly<Record<string, string>> {
    const headers: Record<string, string> = {};
    for (const line of this.lines.split('\r\n')) {
      const colon = line.indexOf(': ');
      if (colon > 0) headers[line.slice(0, colon)] = line.slice(colon + 2);
    }
    if (this.closes) headers['Connection'] = 'close';
    return headers;
  }
}

const fieldValue = /^[\t\x20-\x7e]*$/;

/** Throws on a header that would not be one: nothing that a caller sent may end a line. `Connection` is left out. */
export function headerLines(headers: Readonly<Record<string, string>>): string {
  let lines = '';
  for (const name in headers) {
    const value = headers[name] ?? '';
    if (!fieldValue.test(value)) throw new Error(`the header ${name} of an answer is not valid`);
    if (name !== 'Connection') lines += `${name}: ${value}\r\n`;
  }
  return lines;
}
