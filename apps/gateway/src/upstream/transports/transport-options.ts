/** The options of all transports to a node; `node-opener` has a transport for each scheme. */

import type { TimeSlices } from '@flowgate/async/time-slices';
import type { TimerWheel } from '@flowgate/async/timer-wheel';
import type { TurnBudget } from '@flowgate/async/turn-budget';
import type { Clock } from '@flowgate/base/clock';
import type { RandomBytes } from '@flowgate/base/random';
import type { ByteBudget } from '@flowgate/bytes/byte-budget';
import type { Chain } from '../port/chain-proof.ts';
import type { TakeIds } from '../port/node-request.ts';
import type { NodeTransport } from '../port/node-transport.ts';

export type TransportOptions = {
  readonly nodeId: string;
  /** Path and query may contain a provider's key. */
  readonly url: string;
  /** The IP address to connect to, instead of resolving the URL's host. Used for a user's URL whose address was vetted. */
  readonly address?: string | undefined;
  /** Headers that the node requires besides those for JSON, for example a bearer token. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The chain that the node must prove. */
  readonly chain: Chain;
  /** Milliseconds for a whole call; the default for calls without their own. */
  readonly timeoutMs: number;
  readonly maxResponseBytes?: number;
  readonly maxConnections?: number;
  readonly takeIds: TakeIds;
  /** Present if several calls may be in flight on one connection. Receives whether the node supports that. */
  readonly pipelining?: PipeliningReports | undefined;
  /** Large answers are charged to it if their call has a user. */
  readonly answerBudget?: ByteBudget;
  /** The time slices in which large answers are parsed. */
  readonly slices: TimeSlices;
  readonly clock: Clock;
  readonly timerWheel: TimerWheel;
  /** The time budget of a turn for receiving answers. */
  readonly turns: TurnBudget;
};

/** Random keys that mask the frames of a WebSocket. */
export type SocketOptions = TransportOptions & { readonly randomBytes: RandomBytes };

export type PipeliningReports = {
  /** The trial has passed, for the first time or again. */
  readonly turnedOn: () => void;
  /** For `ms` milliseconds each connection carries one call at a time. `reason` contains nothing of an answer. */
  readonly turnedOff: (reason: string, ms: number) => void;
};

/** A transport with its lifetime: its opener closes it, pools only use `NodeTransport`. */
export type OpenTransport = NodeTransport & { readonly close: () => void };
