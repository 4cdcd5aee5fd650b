/** The subscriptions of all connections: one view of each network or node serves all who subscribed there, and nothing is followed when nobody has. */

import type { TimeSlices } from '@flowgate/async/time-slices';
import type { TimerWheel } from '@flowgate/async/timer-wheel';
import type { Clock } from '@flowgate/base/clock';
import type { RandomBytes } from '@flowgate/base/random';
import { Tally } from '@flowgate/base/tally';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { BloomBits } from '@flowgate/chain/logs-bloom';
import type { NodeCaller } from '../../upstream/port/node-port.ts';
import type { LedgerPlace } from '../target.ts';
import { askPermissions } from './ask-permissions.ts';
import { ChainFeed } from './chain-feed.ts';
import type { ChainView, Feed, FeedParts, ViewOf } from './chain-view.ts';
import { PendingFeed } from './pending-feed.ts';
import { RunningSubscription } from './running-subscription.ts';
import { readSubscriptionParams, type Wanted } from './subscription-params.ts';
import type { RefusedSubscription, Subscriber, Subscriptions } from './subscriptions.ts';
import { SyncingFeed } from './syncing-feed.ts';

export type SubscriptionParts = {
  readonly viewOf: ViewOf;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly timerWheel: TimerWheel;
  readonly slices: TimeSlices;
  readonly randomBytes: RandomBytes;
};

/** Logs that are remembered until their blocks are final: of one network, and of all. */
const rememberedBytes = { ownerBytes: 33_554_432, totalBytes: 134_217_728 };
/** Addresses and topics in the filters of one user: some megabytes. */
const mostWeight = 20_000;

const notHere: RefusedSubscription = { ok: false, code: -32601, message: 'This network has no subscriptions.' };
const pendingIsOff: RefusedSubscription = {
  ok: false,
  code: -32601,
  message: 'Pending transactions are not told on this network.',
};
const tooHeavy: RefusedSubscription = {
  ok: false,
  code: -32005,
  message: 'Too many addresses and topics in the filters of one user.',
};
const nobodyTells: RefusedSubscription = { ok: false, code: -32603, message: 'No node tells the newest block now.' };

type FeedName = 'chain' | 'syncing' | 'pending';
const feedOf = { newHeads: 'chain', logs: 'chain', syncing: 'syncing', newPendingTransactions: 'pending' } as const;
const kindsOfFeeds = { chain: ChainFeed, syncing: SyncingFeed, pending: PendingFeed } as const;

/** One target while somebody subscribes there. */
type Hub = {
  readonly view: ChainView;
  readonly feeds: Map<FeedName, { readonly feed: Feed; users: number }>;
  readonly all: Set<RunningSubscription>;
};

export function createSubscriptions(parts: SubscriptionParts): Subscriptions {
  const feedParts: FeedParts = { ...parts, bits: new BloomBits(), budget: new ByteBudget(rememberedBytes) };
  const hubs = new Map<LedgerPlace, Hub>();
  const weights = new Tally();
  const counts = { newHeads: 0, logs: 0, newPendingTransactions: 0, syncing: 0 };
  const permissions = askPermissions(parts, () => [...hubs.values()].flatMap(({ all }) => [...all]));

  function hubOf(place: LedgerPlace): Hub | undefined {
    const known = hubs.get(place);
    if (known !== undefined) return known;
    const all = new Set<RunningSubscription>();
    const inNameOf = () => {
      for (const { caller } of all) if (!caller.request.signal.aborted) return caller;
      return undefined;
    };
    const view = parts.viewOf(place, inNameOf);
    if (view === undefined) return undefined;
    const hub = { view, feeds: new Map(), all };
    hubs.set(place, hub);
    return hub;
  }

  /** To be left once. */
  function enter(hub: Hub, name: FeedName): Feed {
    const known = hub.feeds.get(name);
    if (known !== undefined && !known.feed.isClosed) {
      known.users++;
      return known.feed;
    }
    const feed = new kindsOfFeeds[name](hub.view, feedParts);
    hub.feeds.set(name, { feed, users: 1 });
    return feed;
  }

  function leave(place: LedgerPlace, hub: Hub, name: FeedName, feed: Feed): void {
    const known = hub.feeds.get(name);
    // One that was lost, and has been replaced since.
    if (known?.feed !== feed) return;
    known.users--;
    if (known.users > 0) return;
    hub.feeds.delete(name);
    feed.close();
    closeEmpty(place, hub);
    if (hubs.size === 0) permissions.stop();
  }

  function closeEmpty(place: LedgerPlace, hub: Hub): void {
    if (hub.feeds.size > 0 || hubs.get(place) !== hub) return;
    hubs.delete(place);
    hub.view.close();
  }

  function refusalOf(hub: Hub, wanted: Wanted, userId: string): RefusedSubscription | undefined {
    if (wanted.kind === 'newPendingTransactions' && !hub.view.settings.pending) return pendingIsOff;
    const weight = wanted.kind === 'logs' ? wanted.filter.weight : 0;
    return weights.of(userId) + weight > mostWeight ? tooHeavy : undefined;
  }

  async function open(place: LedgerPlace, hub: Hub, wanted: Wanted, caller: NodeCaller, subscriber: Subscriber) {
    const { kind } = wanted;
    const filter = wanted.kind === 'logs' ? wanted.filter : undefined;
    const weight = filter?.weight ?? 0;
    const name = feedOf[kind];
    const feed = enter(hub, name);
    weights.add(caller.userId, weight);
    const running = new RunningSubscription(kind, filter, caller, subscriber, (one) => {
      feed.remove(one);
      if (hub.all.delete(one)) counts[kind]--;
      weights.remove(caller.userId, weight);
      leave(place, hub, name, feed);
    });
    // From now on, since a registered node is asked in its name.
    hub.all.add(running);
    counts[kind]++;
    const isFollowed = await feed.start();
    if (!isFollowed || feed.isClosed || running.hasEnded) {
      running.cancel();
      return nobodyTells;
    }
    feed.add(running);
    permissions.start();
    return running;
  }

  return {
    async subscribe(target, params, caller, subscriber) {
      const wanted = readSubscriptionParams(params);
      if ('ok' in wanted) return wanted;
      const place = target.ledger;
      const hub = place && hubOf(place);
      if (place === undefined || hub === undefined) return notHere;
      const refusal = refusalOf(hub, wanted, caller.userId);
      if (refusal !== undefined) {
        closeEmpty(place, hub);
        return refusal;
      }
      const running = await open(place, hub, wanted, caller, subscriber);
      if ('ok' in running) return running;
      const id = `0x${parts.randomBytes(16).toString('hex')}`;
      return { ok: true, id, begin: () => running.begin(), cancel: () => running.cancel() };
    },
    counts: () => counts,
    close() {
      permissions.stop();
      for (const { all } of [...hubs.values()]) for (const one of [...all]) one.cancel();
    },
  };
}
