/** The source of the reports to subscriptions of one target, and its dependencies. */

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

/** One network, or one node of it. */
export type ChainView = {
  /** As policies name it; for budgets. */
  readonly name: string;
  readonly heads: NetworkHeads;
  /** The nodes, without what callers' calls pass in flight to them: what is asked here is asked for all subscribers together. */
  readonly nodes: NodePort;
  /** Nodes that push pending transactions. */
  readonly feeds: () => readonly NodeFeed[];
  readonly settings: SubscriptionSettings;
  /** Nothing is asked any more. */
  readonly close: () => void;
};

export type SubscriptionSettings = {
  /** Whether pending transactions are reported. */
  readonly pending: boolean;
  /** Whether a block's `logsBloom` is trusted: that there are no logs, and that there are some. */
  readonly logsBloom: boolean;
};

/** `inNameOf`: a subscriber, for questions to a registered node. Undefined: there are no subscriptions on this kind of ledger. */
export type ViewOf = (place: LedgerPlace, inNameOf: () => NodeCaller | undefined) => ChainView | undefined;

export type FeedDeps = {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly timerWheel: TimerWheel;
  readonly slices: TimeSlices;
  readonly bits: BloomBits;
  /** For logs that are remembered. */
  readonly budget: ByteBudget;
};

/** Reports to subscribers of one kind, or of two related kinds. */
export type Feed = {
  /** Begins to follow; concurrent callers share it. False: no node reports the events. Never rejects. */
  readonly start: () => Promise<boolean>;
  readonly add: (one: RunningSubscription) => void;
  readonly remove: (one: RunningSubscription) => void;
  readonly close: () => void;
  /** Also when the next report would leave a gap. */
  readonly isClosed: boolean;
};
