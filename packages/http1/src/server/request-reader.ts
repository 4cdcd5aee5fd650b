/**
 * The received bytes of a connection that no request has consumed: finds the next head in them, and passes content to
 * its request.
 */

import { findHeadEnd } from '../client/http1-head.ts';
import type { HeadFault } from './head-fault.ts';
import type { IncomingBody } from './incoming-body.ts';
import { incompleteHeadFault, maxHeadBytes, oversizeFault } from './incomplete-head.ts';
import { RequestHead } from './request-head.ts';

const cr = 13;
const lf = 10;

export class RequestReader {
  /** The head of the latest request. */
  readonly head = new RequestHead();
  /** The fault of the head that `read` refused. */
  fault: HeadFault | undefined;
  /** Unused from `#at` on; no head ends before `#searched`. */
  #bytes: Buffer | undefined;
  #at = 0;
  #searched = 0;

  get isEmpty(): boolean {
    return this.#bytes === undefined;
  }

  /** The number of waiting bytes. */
  get length(): number {
    return this.#bytes === undefined ? 0 : this.#bytes.length - this.#at;
  }

  /** Stores a view of the piece. */
  keep(piece: Buffer): void {
    const earlier = this.#bytes;
    if (earlier === undefined) {
      this.#bytes = piece;
      this.#at = 0;
      this.#searched = 0;
      return;
    }
    this.#bytes = Buffer.concat([earlier.subarray(this.#at), piece]);
    this.#searched = Math.max(0, this.#searched - this.#at);
    this.#at = 0;
  }

  drop(): void {
    this.#bytes = undefined;
  }

  /** Transfers the unused bytes to the connection's next protocol. */
  takeRest(): Buffer | undefined {
    const rest = this.#bytes?.subarray(this.#at);
    this.#bytes = undefined;
    return rest;
  }

  /** Reads the next head into `head`, or sets `fault`. */
  read(): 'read' | 'refused' | 'incomplete' {
    const bytes = this.#bytes;
    if (bytes === undefined) return 'incomplete';
    // One empty line before a request is tolerated (RFC 9112 2.2).
    const from = bytes[this.#at] === cr && bytes[this.#at + 1] === lf ? this.#at + 2 : this.#at;
    const end = findHeadEnd(bytes, Math.max(from, this.#searched));
    if (end === -1) this.fault = this.#checkBeginning(bytes, from);
    else this.fault = end - from > maxHeadBytes ? oversizeFault(bytes, from) : this.head.parse(bytes, from, end);
    if (this.fault !== undefined) {
      this.#at = from;
      return 'refused';
    }
    if (end === -1) return 'incomplete';
    this.#useUpTo(bytes, end);
    return 'read';
  }

  /** The target of a refused or incomplete head, as far as it was read. */
  get brokenTarget(): string {
    return this.#bytes === undefined ? '' : this.head.targetOf(this.#bytes, this.#at);
  }

  /** Passes its part of the bytes to `body`. False when the content is malformed. */
  fill(body: IncomingBody): boolean {
    const bytes = this.#bytes;
    if (bytes === undefined || body.isComplete) return true;
    const rest = body.push(bytes, this.#at);
    if (rest < 0) this.drop();
    else this.#useUpTo(bytes, rest);
    return rest >= 0;
  }

  #useUpTo(bytes: Buffer, end: number): void {
    this.#bytes = end < bytes.length ? bytes : undefined;
    this.#at = end;
    this.#searched = end;
  }

  #checkBeginning(bytes: Buffer, from: number): HeadFault | undefined {
    const isBlankSoFar = bytes.length - this.#at < 2 && bytes[this.#at] === cr;
    const fault = isBlankSoFar ? undefined : incompleteHeadFault(bytes, from, Math.max(from, this.#searched));
    this.#searched = Math.max(from, bytes.length - 3);
    return fault;
  }
}
