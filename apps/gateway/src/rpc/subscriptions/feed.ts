/** The source of reports for the subscriptions of one target, and its dependencies. */

import type { TimeSlices } from '@flowgate/async/time-slices';
import type { TimerWheel } from '@flowgate/async/timer-wheel';
import type { Clock } from '@flowgate/base/clock';
import type { ByteBudget } from '@flowgate/bytes/byte-budget';
import type { BloomBits } from '@flowgate/chain/logs-bloom';
import type { NetworkHeads } from '../../upstream/heads/network-heads.ts';
import type { NodeFeed } from '../../upstream/port/node-feed.ts';
import type { NodeCaller, NodePort } from '../../upstream/port/node-port.ts';
import type { LedgerPlace } from '../target.ts';
import type { RunningSubscription } from './running-subscription.ts';

/** The view of one network, or of one node. */
export type ChainView = {
  /** The name of the network or node in policies, also used for budgets. */
  readonly name: string;
  readonly heads: NetworkHeads;
  /** Calls the nodes without the layers that serve callers: one call serves all subscribers together. */
  readonly nodes: NodePort;
  /** Nodes that push pending transactions. */
  readonly feeds: () => readonly NodeFeed[];
  readonly settings: SubscriptionSettings;
  /** Ends all polling and following of nodes. */
  readonly close: () => void;
};

export type SubscriptionSettings = {
  /** Whether the operator enables reports of pending transactions. */
  readonly pending: boolean;
  /** Whether a block's `logsBloom` is trusted, both when it shows no logs and when it shows some. */
  readonly logsBloom: boolean;
};

/**
 * `inNameOf`: returns a subscriber on whose behalf a registered node is called. The result is undefined when this kind
 * of ledger has no subscriptions.
 */
export type ViewOf = (place: LedgerPlace, inNameOf: () => NodeCaller | undefined) => ChainView | undefined;

export type FeedDeps = {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly timerWheel: TimerWheel;
  readonly slices: TimeSlices;
  readonly bits: BloomBits;
  /** The budget for the logs of blocks that are not final. */
  readonly budget: ByteBudget;
};

/** Reports to subscribers of one kind, or of two related kinds. */
export type Feed = {
  /** Begins to follow; concurrent callers share one start. False: no node reports the events. Never rejects. */
  readonly start: () => Promise<boolean>;
  readonly add: (one: RunningSubscription) => void;
  readonly remove: (one: RunningSubscription) => void;
  readonly close: () => void;
  /** Also true after the feed was lost because the next report would leave a gap. */
  readonly isClosed: boolean;
};
