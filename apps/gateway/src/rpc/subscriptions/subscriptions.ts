/** Subscriptions over WebSocket: the interface between a connection and the feeds. */

import type { JsonText, NodeCaller } from '../../upstream/port/node-port.ts';
import type { RpcTarget } from '../target.ts';

export const subscriptionKinds = ['newHeads', 'logs', 'newPendingTransactions', 'syncing'] as const;
export type SubscriptionKind = (typeof subscriptionKinds)[number];

export type Subscriber = {
  /** `result` of one notification: valid JSON that does not change afterwards. Many subscribers may share it. */
  readonly notify: (result: Uint8Array) => void;
  /**
   * Called at most once: when the next report would leave a gap, or when the caller may no longer subscribe here. The
   * connection is closed with 1012, so that the client subscribes again.
   */
  readonly lost: () => void;
  /**
   * Whether the caller may still subscribe at this target (policies, access to a registered node, maintenance). Called
   * every half second while the subscription runs; false ends the subscription by `lost`. Synchronous when the answer
   * is in memory. Absent: always permitted.
   */
  readonly isPermitted?: () => boolean | Promise<boolean>;
};

export type Subscription = {
  readonly ok: true;
  /** Unguessable, and unique among all connections. */
  readonly id: string;
  /** Called once, after the id was sent. No notification is sent before, and no event after the answer is missed. */
  readonly begin: () => void;
  /** Ends the subscription; no notification is sent afterwards. Idempotent. */
  readonly cancel: () => void;
};

/** A JSON-RPC error. `message` quotes nothing that the caller sent. */
export type RefusedSubscription = { readonly ok: false; readonly code: number; readonly message: string };

export type Subscriptions = {
  /**
   * `params`: the parameters of `eth_subscribe`, of any length that a message allows. Method policy and firewall have
   * already permitted the call; the connection bounds the number of subscriptions. `caller.request.signal` is the
   * connection's signal. A registered node is called on behalf of the caller. Never rejects.
   */
  readonly subscribe: (
    target: RpcTarget,
    params: JsonText | undefined,
    caller: NodeCaller,
    subscriber: Subscriber,
  ) => Promise<Subscription | RefusedSubscription>;
  /** The number of running subscriptions by kind. */
  readonly counts: () => Readonly<Record<SubscriptionKind, number>>;
  /** Ends all subscriptions without a notification, and closes their feeds. */
  readonly close: () => void;
};
