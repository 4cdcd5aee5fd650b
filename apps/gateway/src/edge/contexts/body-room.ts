/** One body's part of the byte budget, from its first bytes until its request was answered. */

import { type Refused, refused } from '@flowgate/base/result';
import type { ByteBudget } from '@flowgate/bytes/byte-budget';
import type { RefusalReason } from '../../api/refusal.ts';

export type BodyRefusal = Extract<
  RefusalReason,
  'unsupported-media-type' | 'too-large' | 'request-timeout' | 'bad-request' | 'unavailable'
>;

export const unreadable: Refused<BodyRefusal> = refused('bad-request', 'The request body could not be read.');
const crowdedBy = {
  'owner-full': refused('unavailable', 'Your request bodies in flight leave no room for another one.'),
  'all-full': refused('unavailable', 'Too many request bodies are in flight.'),
} as const;

/** One body's part of the byte budget, until its request was answered or its reading failed. */
export class BodyRoom {
  /** Why reading ended. */
  refusal: Refused<BodyRefusal> = unreadable;
  #bytes = 0;
  #isClosed = false;

  constructor(
    private readonly carrier: { freeBody: (() => void) | undefined },
    private readonly budget: ByteBudget,
    private readonly owner: string,
  ) {}

  take(bytes: number): boolean {
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

  /** Returns a part to the budget, unless all was returned. */
  give(bytes: number): void {
    if (this.#isClosed) return;
    this.budget.giveBack(this.owner, bytes);
    this.#bytes -= bytes;
  }

  /** Returns everything to the budget. Repeating is harmless. */
  close(): void {
    this.#isClosed = true;
    this.budget.giveBack(this.owner, this.#bytes);
    this.#bytes = 0;
  }
}
