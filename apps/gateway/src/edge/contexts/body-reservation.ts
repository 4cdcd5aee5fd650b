/** Reserves bytes of the byte budget for one body, from its first bytes until its request is answered. */

import { type Refused, refused } from '@flowgate/base/result';
import type { ByteBudget } from '@flowgate/bytes/byte-budget';
import type { RefusalReason } from '../../api/refusal.ts';

export type BodyRefusal = Extract<
  RefusalReason,
  'unsupported-media-type' | 'too-large' | 'request-timeout' | 'bad-request' | 'unavailable'
>;

export const unreadable: Refused<BodyRefusal> = refused('bad-request', 'The request body could not be read.');
const crowdedBy = {
  'owner-full': refused(
    'unavailable',
    'Your request bodies in flight use all memory reserved for you: retry when some are answered.',
  ),
  'all-full': refused('unavailable', 'Too many request bodies are in flight at this gateway: retry later.'),
} as const;

export class BodyReservation {
  /** The refusal with which reading ended. */
  refusal: Refused<BodyRefusal> = unreadable;
  #bytes = 0;
  #isClosed = false;

  constructor(
    private readonly carrier: { freeBody: (() => void) | undefined },
    private readonly budget: ByteBudget,
    private readonly owner: string,
  ) {}

  reserve(bytes: number): boolean {
    if (this.#isClosed) return false;
    const grant = this.budget.take(this.owner, bytes);
    if (grant === 'granted') {
      this.#bytes += bytes;
      this.carrier.freeBody ??= () => this.close();
      return true;
    }
    this.refusal = crowdedBy[grant];
    return false;
  }

  /** Returns some bytes to the budget; does nothing after `close`. */
  release(bytes: number): void {
    if (this.#isClosed) return;
    this.budget.giveBack(this.owner, bytes);
    this.#bytes -= bytes;
  }

  /** Returns all bytes to the budget. May be called repeatedly. */
  close(): void {
    this.#isClosed = true;
    this.budget.giveBack(this.owner, this.#bytes);
    this.#bytes = 0;
  }
}
