/** Subscriptions over WebSocket: the interface between a connection and the feeds. */

import type { JsonText, NodeCaller } from '../../upstream/port/node-port.ts';
import type { RpcTarget } from '../target.ts';

export const subscriptionKinds = ['newHeads', 'logs', 'newPendingTransactions', 'syncing'] as const;
export type SubscriptionKind = (typeof subscriptionKinds)[number];

export type Subscriber = {
  /** The `result` of one notification; valid JSON that is not modified afterwards and may be shared by many subscribers. */
  readonly notify: (result: Uint8Array) => void;
  /** The next report would leave a gap, or the caller may no longer subscribe here: the connection is closed with 1012, so that its client begins again. Called at most once. */
  readonly lost: () => void;
  /**
   * Whether the caller still may subscribe at this target: policies, access to a registered node, maintenance. Asked every half second for as long as the subscription runs; false ends it by
   * `lost`. Synchronous when that is in memory. Absent: always.
   */
  readonly isPermitted?: () => boolean | Promise<boolean>;
};

export type Subscription = {
  readonly ok: true;
  /** Unguessable, and unique among all connections. */
  readonly id: string;
  /** To be called once, after the id was sent: nothing is notified before, and no event since the answer is missed. */
  readonly begin: () => void;
  /** Ends it; nothing is notified afterwards. May be called again. */
  readonly cancel: () => void;
};

/** A JSON-RPC error. `message` quotes nothing that the caller sent. */
export type RefusedSubscription = { readonly ok: false; readonly code: number; readonly message: string };

export type Subscriptions = {
  /**
   * `params`: those of `eth_subscribe`, as long as a message may be. Method policy and firewall have let the call pass; the connection bounds how many it has. `caller.request.signal` is that of the
   * connection: what has to be asked of a registered node for the subscription is asked in its name. Never rejects.
   */
  readonly subscribe: (
    target: RpcTarget,
    params: JsonText | undefined,
    caller: NodeCaller,
    subscriber: Subscriber,
  ) => Promise<Subscription | RefusedSubscription>;
  /** The subscriptions that run, by kind. */
  readonly counts: () => Readonly<Record<SubscriptionKind, number>>;
  /** Ends all of them without a word, with what they follow. */
  readonly close: () => void;
};
