/** Delivers events to the endpoints that subscribed to them: every gateway takes part, each delivery is one's, none is given up before it arrived or a day is over, and nobody takes more than a share. */

import type { LeasedItem, OutboxStore } from '../../platform/coordination/outbox-store.ts';
import { laneName, laneOwner } from '../../platform/coordination/owned-lane.ts';
import { pause } from '../../platform/coordination/pause.ts';
import type { Log } from '../../platform/log.ts';
import { Unavailable } from '../../platform/unavailable.ts';
import type { EventStore } from './event-store.ts';
import type { PostWebhook, WebhookOutcome } from './post-webhook.ts';
import type { SubscriptionStore } from './subscription-store.ts';
import { attemptOf, retryPauseMs } from './webhook-retry.ts';

export type DeliverWebhooksParts = {
  /** Of `webhookQueue`, one at a time for each partition. */
  readonly outbox: OutboxStore;
  readonly events: Pick<EventStore, 'webhookBody'>;
  readonly subscriptions: Pick<SubscriptionStore, 'find' | 'disable'>;
  readonly post: PostWebhook;
  /** From 0 to 1. */
  readonly chance: () => number;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  /** Deliveries under way on this node at once; 64 unless told. */
  readonly concurrency?: number;
  /** Of them for each user, however many endpoints; 8 unless told. */
  readonly mostOfUser?: number;
  /** Between two looks that nobody asked for; 1,000 unless told. */
  readonly pollMs?: number;
};

export type WebhookDelivery = {
  readonly start: () => void;
  /** Something was enqueued: look at once. */
  readonly wake: () => void;
  /** Leases nothing more from now on; resolves when what is under way has come to its end, which the time-out of a delivery bounds. */
  readonly close: () => Promise<void>;
};

/** Longer than an attempt's time-out and all that is noted about it: what a killed gateway had leased is delivered by another after this time. */
const leaseMs = 20_000;
/** After a look that found nothing, so that many commits in a row do not each cost one. */
const restMs = 100;
const longestBackOffMs = 30_000;
/** A delivery that arrived and cannot be noted would be made again: noting it is tried this often within the lease. */
const noteTries = 3;

export function createWebhookDelivery(parts: DeliverWebhooksParts): WebhookDelivery {
  const { outbox, log, concurrency = 64, mostOfUser = 8, pollMs = 1_000 } = parts;
  const closing = new AbortController();
  const underWay = new Set<Promise<void>>();
  /** How many of them are whose. */
  const inFlight = new Map<string, number>();
  let looking: Promise<void> | undefined;
  let closed: Promise<void> | undefined;
  let woken = new AbortController();
  let awayFor = 0;

  const wake = () => woken.abort();

  function count(owner: string, change: 1 | -1): void {
    const after = (inFlight.get(owner) ?? 0) + change;
    if (after === 0) inFlight.delete(owner);
    else inFlight.set(owner, after);
  }

  function begin(item: LeasedItem): void {
    const owner = laneOwner(item.partitionKey ?? '');
    count(owner, 1);
    const delivery = deliver(parts, item, closing.signal)
      .catch((error: unknown) => report(error))
      .finally(() => {
        underWay.delete(delivery);
        count(owner, -1);
        // Its partition may go on, and there is room for one more.
        wake();
      });
    underWay.add(delivery);
  }

  function report(error: unknown): void {
    if (error instanceof Unavailable) log.warn('webhook.unnoted', { reason: error.message });
    else log.error('webhook.failed', { error: error instanceof Error ? (error.stack ?? error.message) : 'unknown' });
  }

  /** Milliseconds until the next look, unless something wakes it before. */
  async function leaseNext(): Promise<number> {
    const room = concurrency - underWay.size;
    if (room === 0) return pollMs;
    try {
      const items = await outbox.leaseBatch(room, leaseMs, { most: mostOfUser, inFlight });
      for (const item of items) begin(item);
      if (awayFor > 0) log.info('webhook.recovered');
      awayFor = 0;
      if (items.length === 0) await pause(restMs, closing.signal);
      return pollMs;
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      if (awayFor === 0) log.warn('webhook.store-away', { reason: error.message });
      awayFor += 1;
      await pause(Math.min(longestBackOffMs, pollMs * 2 ** (awayFor - 1)), closing.signal);
      return 0;
    }
  }

  async function look(): Promise<void> {
    while (!closing.signal.aborted) {
      woken = new AbortController();
      const waitMs = await leaseNext().catch((error: unknown) => {
        report(error);
        return longestBackOffMs;
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
        await Promise.all(underWay);
      });
      return closed;
    },
  };
}

/** One attempt, and what follows from it. A storage that is away leaves the item to its lease: it is tried again when that has ended. */
async function deliver(parts: DeliverWebhooksParts, item: LeasedItem, closing: AbortSignal): Promise<void> {
  const { outbox, events, subscriptions, post, chance, log } = parts;
  const subscriptionId = laneName(item.partitionKey ?? '');
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
    // Left to its lease it would be the oldest of its partition again and again, and nothing else would ever go there.
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
  // First the subscription: who dies in between finds it disabled, and drops the item then.
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
      await pause(1_000 * 2 ** (tries - 1), closing);
    }
  }
}
