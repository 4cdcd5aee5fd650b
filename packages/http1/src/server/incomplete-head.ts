/**
 * Checks an incomplete head: bytes that can no longer become a valid request are refused before more of them arrive.
 */

import { isTokenByte } from '../client/http1-head.ts';
import { type HeadFault, wrongHead } from './head-fault.ts';
import { longTarget, maxLineBytes } from './request-line.ts';

/** The most bytes of a head: request line, fields and the empty line. */
export const maxHeadBytes = 65_536;

const largeHead: HeadFault = { status: 431, detail: `A request head has at most ${maxHeadBytes} bytes.` };

const cr = 13;
const lf = 10;

/**
 * `bytes[from…]` has arrived. It was checked up to `searched` before, so that one-byte pieces cost no more than one
 * large piece.
 */
export function incompleteHeadFault(bytes: Buffer, from: number, searched: number): HeadFault | undefined {
  if (bytes.length > from && !isTokenByte(bytes[from])) return wrongHead('The request line must begin with a method.');
  for (let at = bytes.indexOf(lf, searched); at !== -1; at = bytes.indexOf(lf, at + 1))
    if (bytes[at - 1] !== cr) return wrongHead('A line ends with a bare line feed.');
  return bytes.length - from > maxHeadBytes ? oversizeFault(bytes, from) : undefined;
}

/** The fault of a head that is too large: of its target, or of its fields. */
export function oversizeFault(bytes: Buffer, from: number): HeadFault {
  const lineEnd = bytes.indexOf(cr, from);
  return lineEnd === -1 || lineEnd - from > maxLineBytes ? longTarget : largeHead;
}
