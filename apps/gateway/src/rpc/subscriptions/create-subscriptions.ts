/**
 * The subscriptions of all connections. One view of each network or node serves all of its subscribers, and without
 * subscribers nothing is polled or followed.
 */

import type { TimeSlices } from '@flowgate/async/time-slices';
import type { Deadline, TimerWheel } from '@flowgate/async/timer-wheel';
import type { Clock } from '@flowgate/base/clock';
import type { RandomBytes } from '@flowgate/base/random';
import { Tally } from '@flowgate/base/tally';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { BloomBits } from '@flowgate/chain/logs-bloom';
import { parseJsonBytes } from '@flowgate/json/json-text';
import type { JsonText, NodeCaller } from '../../upstream/port/node-port.ts';
import type { LedgerPlace } from '../target.ts';
import { ChainFeed } from './chain-feed.ts';
import type { ChainView, Feed, FeedDeps, ViewOf } from './feed.ts';
import { type LogFilter, readLogFilter } from './log-filter.ts';
import { PendingFeed } from './pending-feed.ts';
import { RunningSubscription } from './running-subscription.ts';
import {
  type RefusedSubscription,
  type Subscriber,
  type SubscriptionKind,
  type Subscriptions,
  subscriptionKinds,
} from './subscriptions.ts';
import { SyncingFeed } from './syncing-feed.ts';

export type SubscriptionDeps = {
  readonly viewOf: ViewOf;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly timerWheel: TimerWheel;
  readonly slices: TimeSlices;
  readonly randomBytes: RandomBytes;
};

/** Budget for the logs of blocks that are not final: per network, and in total. */
const rememberedBytes = { ownerBytes: 33_554_432, totalBytes: 134_217_728 };
/** The maximum number of addresses and topics in the filters of one user. They take a few megabytes. */
const maxWeight = 20_000;

const notHere: RefusedSubscription = { ok: false, code: -32601, message: 'This network has no subscriptions.' };
const pendingIsOff: RefusedSubscription = {
  ok: false,
  code: -32601,
  message: 'Subscriptions to pending transactions are not enabled on this network.',
};
const tooHeavy: RefusedSubscription = {
  ok: false,
  code: -32005,
  message: 'Too many addresses and topics in the filters of one user.',
};
const noNodeReports: RefusedSubscription = {
  ok: false,
  code: -32603,
  message: 'No node reports the newest block at present.',
};

type FeedName = 'chain' | 'syncing' | 'pending';
const feedOf = { newHeads: 'chain', logs: 'chain', syncing: 'syncing', newPendingTransactions: 'pending' } as const;
const kindsOfFeeds = { chain: ChainFeed, syncing: SyncingFeed, pending: PendingFeed } as const;

/** A target and its feeds, while it has subscribers. */
type Hub = {
  readonly view: ChainView;
  readonly feeds: Map<FeedName, { readonly feed: Feed; users: number }>;
  readonly all: Set<RunningSubscription>;
};

type Wanted =
  | { readonly kind: Exclude<SubscriptionKind, 'logs'> }
  | { readonly kind: 'logs'; readonly filter: LogFilter };

/** In bytes. The largest filter that is accepted, with some thousand addresses and topics, is shorter. */
const maxBytes = 393_216;
const maxValues = 8_192;

/** The JSON-RPC error for invalid parameters. `problem` quotes nothing that the caller sent. */
function badParameters(problem: string): RefusedSubscription {
  return { ok: false, code: -32602, message: `Invalid params: ${problem}.` };
}

/**
 * Reads the parameters of `eth_subscribe`: the kind, and the filter for logs (contract/subscriptions). Takes time
 * linear in their length, which is bounded.
 */
export function readSubscriptionParams(params: JsonText | undefined): Wanted | RefusedSubscription {
  if (params === undefined) return badParameters('eth_subscribe wants an array that begins with what to subscribe to');
  if (params.length > maxBytes) return badParameters(`more than ${maxBytes} bytes`);
  const parsed = parseJsonBytes(params.bytes.subarray(params.start, params.end), { maxValues });
  const value = typeof parsed === 'string' ? undefined : parsed.value;
  if (!Array.isArray(value)) return badParameters('eth_subscribe wants an array that begins with what to subscribe to');
  const [name, more, ...others]: readonly unknown[] = value;
  const kind = subscriptionKinds.find((each) => each === name);
  if (kind === undefined) return badParameters(`there are subscriptions to ${subscriptionKinds.join(', ')}`);
  if (others.length > 0) return badParameters('too many parameters');
  if (kind === 'logs') {
    const filter = readLogFilter(more);
    return typeof filter === 'string' ? badParameters(filter) : { kind, filter };
  }
  if (kind === 'newPendingTransactions' && more === true)
    return badParameters('pending transactions are reported by their hashes only');
  return isNothing(more) || more === false ? { kind } : badParameters(`${kind} takes no parameter`);
}

/** Some clients send an empty object instead of no parameter. */
function isNothing(given: unknown): boolean {
  return given === undefined || given === null || (typeof given === 'object' && Object.keys(given).length === 0);
}

/** A change takes effect within five seconds. Copies of policies and nodes may be behind for most of that time. */
const everyMs = 500;
const askedAtOnce = 16;

type Permissions = { readonly start: () => void; readonly stop: () => void };

type OpenModules = { readonly timerWheel: TimerWheel; readonly slices: TimeSlices };

/**
 * Ends subscriptions whose callers may no longer subscribe: policies, and access to a registered node, can change while
 * a subscription runs (contract/subscriptions#end). `all` returns the running subscriptions.
 */
function askPermissions({ timerWheel, slices }: OpenModules, all: () => readonly RunningSubscription[]): Permissions {
  let next: Deadline | undefined;

  async function askAll(): Promise<void> {
    const own = next;
    const running = all();
    let at = 0;
    await slices.run(() => {
      for (const one of running.slice(at, at + askedAtOnce)) ask(one);
      at += askedAtOnce;
      return at >= running.length;
    });
    // Unchanged, unless the checks were stopped (and perhaps started again) meanwhile.
    if (next === own && own !== undefined) next = timerWheel.arm(everyMs, () => void askAll());
  }

  return {
    start() {
      next ??= timerWheel.arm(everyMs, () => void askAll());
    },
    stop() {
      if (next !== undefined) timerWheel.disarm(next);
      next = undefined;
    },
  };
}

/** A failed check counts as no permission: the client subscribes again and receives the reason. */
function ask(one: RunningSubscription): void {
  const { isPermitted } = one.subscriber;
  if (one.hasEnded || isPermitted === undefined) return;
  const endUnless = (may: boolean) => {
    if (!may) one.lose();
  };
  const answer = isPermitted();
  if (typeof answer === 'boolean') endUnless(answer);
  else answer.then(endUnless, () => one.lose());
}

export function createSubscriptions(deps: SubscriptionDeps): Subscriptions {
  const feedDeps: FeedDeps = { ...deps, bits: new BloomBits(), budget: new ByteBudget(rememberedBytes) };
  const hubs = new Map<LedgerPlace, Hub>();
  const weights = new Tally();
  const counts = { newHeads: 0, logs: 0, newPendingTransactions: 0, syncing: 0 };
  const permissions = askPermissions(deps, () => [...hubs.values()].flatMap(({ all }) => [...all]));

  function hubOf(place: LedgerPlace): Hub | undefined {
    const known = hubs.get(place);
    if (known !== undefined) return known;
    const all = new Set<RunningSubscription>();
    const inNameOf = () => {
      for (const { caller } of all) if (!caller.request.signal.aborted) return caller;
      return undefined;
    };
    const view = deps.viewOf(place, inNameOf);
    if (view === undefined) return undefined;
    const hub = { view, feeds: new Map(), all };
    hubs.set(place, hub);
    return hub;
  }

  /** Each call requires one call of `leave`. */
  function enter(hub: Hub, name: FeedName): Feed {
    const known = hub.feeds.get(name);
    if (known !== undefined && !known.feed.isClosed) {
      known.users++;
      return known.feed;
    }
    const feed = new kindsOfFeeds[name](hub.view, feedDeps);
    hub.feeds.set(name, { feed, users: 1 });
    return feed;
  }

  function leave(place: LedgerPlace, hub: Hub, name: FeedName, feed: Feed): void {
    const known = hub.feeds.get(name);
    // The feed was lost and another feed has replaced it.
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
    return weights.of(userId) + weight > maxWeight ? tooHeavy : undefined;
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
    // Added before the feed starts, because calls to a registered node are made on behalf of a subscriber.
    hub.all.add(running);
    counts[kind]++;
    const isFollowed = await feed.start();
    if (!isFollowed || feed.isClosed || running.hasEnded) {
      running.cancel();
      return noNodeReports;
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
      const id = `0x${deps.randomBytes(16).toString('hex')}`;
      return { ok: true, id, begin: () => running.begin(), cancel: () => running.cancel() };
    },
    counts: () => counts,
    close() {
      permissions.stop();
      for (const { all } of [...hubs.values()]) for (const one of [...all]) one.cancel();
    },
  };
}
