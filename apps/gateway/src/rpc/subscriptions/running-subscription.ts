/** One subscription of one connection, from its request to its end. */

import type { NodeCaller } from '../../upstream/port/node-port.ts';
import type { LogFilter } from './log-filter.ts';
import type { Subscriber, SubscriptionKind } from './subscriptions.ts';

/** The maximum size of the reports that wait until the id is sent. A connection may have as many bytes pending. */
const maxPendingBytes = 1_048_576;

export class RunningSubscription {
  #state: 'requested' | 'begun' | 'ended' = 'requested';
  #pending: Uint8Array[] = [];
  #reservedBytes = 0;
  /** The number of the last chain change before the answer. Only later blocks are reported to this subscription. */
  since = Number.POSITIVE_INFINITY;

  constructor(
    readonly kind: SubscriptionKind,
    /** Only for a subscription to logs. */
    readonly filter: LogFilter | undefined,
    readonly caller: NodeCaller,
    readonly subscriber: Subscriber,
    private readonly ended: (one: RunningSubscription) => void,
  ) {}

  get hasEnded(): boolean {
    return this.#state === 'ended';
  }

  report(result: Uint8Array): void {
    if (this.#state === 'begun') this.subscriber.notify(result);
    else if (this.#state === 'requested') {
      this.#pending.push(result);
      this.#reservedBytes += result.length;
      if (this.#reservedBytes > maxPendingBytes) this.lose();
    }
  }

  begin(): void {
    if (this.#state !== 'requested') return;
    this.#state = 'begun';
    for (const result of this.#pending.splice(0)) this.report(result);
  }

  cancel(): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#pending = [];
    this.ended(this);
  }

  lose(): void {
    if (this.#state === 'ended') return;
    this.cancel();
    this.subscriber.lost();
  }
}
