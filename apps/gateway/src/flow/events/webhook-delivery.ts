/**
 * Delivers events to the endpoints of subscriptions. All gateways share the deliveries: each is made by one of them and retried for about a day. No user gets more than a share
 * of the capacity.
 */

import { backOffMs } from '@flowgate/async/back-off';
import { pause } from '@flowgate/async/bounded-waits';
import { Tally } from '@flowgate/base/tally';
import { Unavailable } from '@flowgate/base/unavailable';
import type { LeasedItem, OutboxStore } from '@flowgate/sql/coordination/outbox-store';
import type { Log } from '@flowgate/telemetry/log';
import type { EventStore } from './event-store.ts';
import type { PostWebhook, WebhookOutcome } from './post-webhook.ts';
import type { SubscriptionStore } from './subscription-store.ts';
import { attemptOf, retryPauseMs } from './webhook-retry.ts';

export type WebhookDeliveryDeps = {
  /** The queue `webhookQueue`, which leases one item at a time for each partition. */
  readonly outbox: OutboxStore;
  readonly events: Pick<EventStore, 'webhookBody'>;
  readonly subscriptions: Pick<SubscriptionStore, 'find' | 'disable'>;
  readonly post: PostWebhook;
  /** A random number from 0 to 1. */
  readonly chance: () => number;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  /** Maximum number of concurrent deliveries on this node; 64 by default. */
  readonly concurrency?: number;
  /** Maximum number of concurrent deliveries for one user, over all endpoints; 8 by default. */
  readonly maxOfUser?: number;
  /** Milliseconds between two polls without a wake-up; 1,000 by default. */
  readonly pollMs?: number;
};

export type WebhookDelivery = {
  readonly start: () => void;
  /** Polls now, because a delivery was enqueued. */
  readonly wake: () => void;
  /** Starts no further deliveries. Resolves when those in progress have ended, which their time-out limits. */
  readonly close: () => Promise<void>;
};

/** Longer than an attempt and storing its result. After this time another gateway makes the deliveries that a crashed one had leased. */
const leaseMs = 20_000;
/** The pause after a poll that found nothing, so that many consecutive commits do not each cause a poll. */
const restMs = 100;
const maxBackOffMs = 30_000;
/** A delivery whose result is not stored is repeated, so the gateway tries to store the result this often within the lease. */
const noteTries = 3;

export function createWebhookDelivery(deps: WebhookDeliveryDeps): WebhookDelivery {
  const { outbox, log, concurrency = 64, maxOfUser = 8, pollMs = 1_000 } = deps;
  const closing = new AbortController();
  const pending = new Set<Promise<void>>();
  /** The number of deliveries in progress, by user. */
  const inFlight = new Tally();
  let looking: Promise<void> | undefined;
  let closed: Promise<void> | undefined;
  let woken = new AbortController();
  let failures = 0;

  // Most commits find the signal aborted already, and every call of `abort` creates an error.
  const wake = () => {
    if (!woken.signal.aborted) woken.abort();
  };

  function begin(item: LeasedItem): void {
    const owner = item.owner ?? '';
    inFlight.add(owner);
    const delivery = deliver(deps, item, closing.signal)
      .catch((error: unknown) => report(error))
      .finally(() => {
        pending.delete(delivery);
        inFlight.remove(owner);
        // The next item of this partition can be leased now, and there is capacity for a further delivery.
        wake();
      });
    pending.add(delivery);
  }

  function report(error: unknown): void {
    if (error instanceof Unavailable) log.warn('webhook.unnoted', { reason: error.message });
    else log.error('webhook.failed', { error: error instanceof Error ? (error.stack ?? error.message) : 'unknown' });
  }

  /** Releases the items of a poll that was in progress when `close` was called, so that another gateway need not wait until their leases expire. */
  async function giveBack(items: readonly LeasedItem[]): Promise<void> {
    await Promise.all(items.map((item) => outbox.fail(item, 0)));
  }

  /** Returns the milliseconds until the next poll, unless something wakes it before. */
  async function leaseNext(): Promise<number> {
    const room = concurrency - pending.size;
    if (room === 0) return pollMs;
    try {
      const items = await outbox.leaseBatch(room, leaseMs, { max: maxOfUser, inFlight: inFlight.counts });
      if (closing.signal.aborted) await giveBack(items);
      else for (const item of items) begin(item);
      if (failures > 0) log.info('webhook.recovered');
      failures = 0;
      if (items.length === 0) await pause(restMs, closing.signal);
      return pollMs;
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      if (failures === 0) log.warn('webhook.store-unavailable', { reason: error.message });
      failures += 1;
      await pause(backOffMs({ firstMs: pollMs, maxMs: maxBackOffMs }, failures), closing.signal);
      return 0;
    }
  }

  async function look(): Promise<void> {
    while (!closing.signal.aborted) {
      woken = new AbortController();
      const waitMs = await leaseNext().catch((error: unknown) => {
        report(error);
        return maxBackOffMs;
      });
      if (waitMs > 0) await pause(waitMs, woken.signal);
    }
  }

  return {
    start() {
      looking ??= look();
    },
    wake,
    close() {
      closing.abort();
      wake();
      closed ??= Promise.resolve(looking).then(async () => {
        await Promise.all(pending);
      });
      return closed;
    },
  };
}

/** Makes one attempt and stores its result. If the storage is unavailable, the item is tried again after its lease has expired. */
async function deliver(deps: WebhookDeliveryDeps, item: LeasedItem, closing: AbortSignal): Promise<void> {
  const { outbox, events, subscriptions, post, chance, log } = deps;
  const subscriptionId = subscriptionIdOf(item);
  const subscription = await subscriptions.find(subscriptionId);
  if (subscription === undefined || subscription.status === 'disabled') {
    await outbox.complete(item);
    return;
  }
  const body = await events.webhookBody(item.payload);
  if (body === undefined) {
    await outbox.complete(item);
    return;
  }
  const outcome = await post(subscription, { eventId: item.payload, body }).catch((error: unknown) => {
    // Released at once: until its lease expired, it would block the other items of its partition.
    log.error('webhook.failed', { subscriptionId, error: error instanceof Error ? (error.stack ?? '') : 'unknown' });
    return { kind: 'failed', reason: 'the gateway could not send it', askedMs: 0 } as const;
  });
  const note = (write: () => Promise<unknown>) => persist(write, closing);
  if (outcome.kind === 'delivered') return note(() => outbox.complete(item));
  const attempt = attemptOf(item.leaseCount, item.ageMs);
  const pauseMs = outcome.kind === 'gone' ? undefined : retryPauseMs(attempt, chance(), outcome.askedMs);
  const facts = { subscriptionId, attempt, reason: reasonOf(outcome) };
  if (pauseMs !== undefined) {
    log.info('webhook.retry', { ...facts, inMs: pauseMs });
    return note(() => outbox.fail(item, pauseMs));
  }
  log.warn('webhook.disabled', facts);
  const why =
    outcome.kind === 'gone'
      ? 'The endpoint answered 410 Gone.'
      : `A delivery failed ${attempt} times over about a day; at last: ${outcome.reason}.`;
  // The subscription is disabled first: if the gateway crashes in between, the next attempt finds it disabled and drops the item.
  await note(() => subscriptions.disable(subscription, why));
  return note(() => outbox.complete(item));
}

function reasonOf(outcome: Exclude<WebhookOutcome, { readonly kind: 'delivered' }>): string {
  return outcome.kind === 'gone' ? 'status 410' : outcome.reason;
}

async function persist(write: () => Promise<unknown>, closing: AbortSignal): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await write();
      return;
    } catch (error) {
      if (!(error instanceof Unavailable) || tries === noteTries || closing.aborted) throw error;
      await pause(backOffMs({ firstMs: 1_000, maxMs: maxBackOffMs }, tries), closing);
    }
  }
}

/** The last part of the partition key (`webhookQueue`). */
function subscriptionIdOf({ partitionKey = '' }: LeasedItem): string {
  return partitionKey.slice(partitionKey.lastIndexOf(' ') + 1);
}
