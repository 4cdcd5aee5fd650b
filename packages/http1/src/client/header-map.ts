/** The fields of one HTTP/1.1 response by name, for callers that want more than status and body. */

import { trimBlanks } from '@flowgate/base/text';
import { parseHead, type ResponseHead } from './http1-head.ts';

export class HeaderMap {
  values = new Map<string, string>();

  /** Like `parseHead`, but stores every field. Fields of an earlier, interim response are discarded. */
  parse(bytes: Uint8Array, from: number, end: number): ResponseHead | string {
    const values = new Map<string, string>();
    this.values = values;
    return parseHead(bytes, from, end, true, (nameStart, valueStart, valueEnd) => {
      const name = latin1(bytes, nameStart, valueStart - 1).toLowerCase();
      const value = trimBlanks(latin1(bytes, valueStart, valueEnd));
      const before = values.get(name);
      values.set(name, before === undefined ? value : `${before}, ${value}`);
    });
  }
}

/** Field values are bytes; values beyond ASCII have no agreed meaning (RFC 9110 5.5). */
function latin1(bytes: Uint8Array, from: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, end - from).toString('latin1');
}
