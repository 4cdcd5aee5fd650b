/** Subscriptions of callers that keep a connection open: what a connection asks, and what it is told. */

import type { JsonText, NodeCaller } from '../../ledgers/node-port.ts';
import type { RpcTarget } from '../target.ts';

export type Subscriber = {
  /** The `result` of one notification; valid JSON that is not modified afterwards and may be shared by many subscribers. */
  readonly notify: (result: Uint8Array) => void;
  /** What follows would not connect to what was told: the connection is closed with 1012, so that its client begins anew. */
  readonly lost: () => void;
};

export type Subscription = {
  readonly ok: true;
  /** Unguessable, and unique among all connections. */
  readonly id: string;
  /** To be called once, after the caller was told the id: nothing is notified before, and nothing that happened meanwhile is missing. */
  readonly begin: () => void;
  /** Ends it; nothing is notified afterwards. May be called again. */
  readonly cancel: () => void;
};

/** A JSON-RPC error. `message` quotes nothing that the caller sent. */
export type RefusedSubscription = { readonly ok: false; readonly code: number; readonly message: string };

export type Subscriptions = {
  /** `params`: those of `eth_subscribe`. Method policy and firewall have let the call pass; the connection bounds how many it has. Never rejects. */
  readonly subscribe: (
    target: RpcTarget,
    params: JsonText | undefined,
    caller: NodeCaller,
    subscriber: Subscriber,
  ) => Promise<Subscription | RefusedSubscription>;
};
