/** Opens the registry of WebSocket connections, which is notified of keys that end and of the drain. */

import { ByteBudget } from '@flowgate/bytes/byte-budget';
import type { Config } from '../config/config.ts';
import type { LargeAnswers } from '../edge/contexts/large-answers.ts';
import { createWebSockets, type WebSockets } from '../edge/websocket/web-sockets.ts';
import { subscriptionKinds } from '../rpc/subscriptions/subscriptions.ts';
import { writeLimits } from './listener.ts';
import type { Access } from './open-access.ts';
import type { Rpc } from './open-rpc.ts';
import type { Runtime } from './runtime.ts';

/** Bytes that may wait for slow readers, beyond the first 64 KiB of each connection (docs/decisions/0097). */
const backlogSizes = { totalBytes: 268_435_456, ownerBytes: 33_554_432 };

type Modules = {
  readonly access: Access;
  readonly rpc: Rpc;
  /** For messages in flight and being answered. */
  readonly bodyBudget: ByteBudget;
  readonly largeAnswers: LargeAnswers;
};

export type OpenWebSockets = {
  readonly open: WebSockets;
  readonly drain: () => Promise<void>;
  readonly close: () => void;
};

export function openWebSockets(
  { limits, server }: Config,
  { clock, timeSlices, turns, timerWheel, instruments }: Runtime,
  { access, rpc, bodyBudget, largeAnswers }: Modules,
): OpenWebSockets {
  const webSockets = createWebSockets({
    limits: {
      maxMessageBytes: limits.maxBodyBytes,
      messageMs: server.bodyTimeoutSeconds * 1000,
      ...writeLimits(server),
    },
    perUser: limits.webSocketsPerUser,
    bodies: bodyBudget,
    backlog: new ByteBudget(backlogSizes),
    chargedPieces: largeAnswers.charged,
    authenticator: access.authenticator,
    clock,
    slices: timeSlices,
    turns,
    timerWheel,
  });
  const stop = access.onKeyChange(webSockets.keyChanged);
  instruments?.webSocketConnections.add([], webSockets.count);
  const { subscriptions } = rpc;
  for (const kind of subscriptionKinds)
    instruments?.webSocketSubscriptions.add([kind], () => subscriptions.counts()[kind]);
  return { open: webSockets, drain: () => webSockets.drain(server.drainSeconds * 1000), close: stop };
}
