/** The WebSocket transport to a node: few connections with many calls in flight, each of which proves its chain before it carries a call. */

import { webSocketOrigin } from '@flowgate/websocket/client/websocket-origin';
import type { BatchAnswer, NodeAnswer } from '../port/node-port.ts';
import type { TryReply } from '../port/node-transport.ts';
import { BatchTry, SingleTry, type TriedNode } from './http-try.ts';
import type { SocketPlace } from './proven-socket.ts';
import { AskedCall } from './socket-call.ts';
import { SocketPool } from './socket-pool.ts';
import { probeSocket } from './socket-probe.ts';
import type { OpenTransport, SocketOptions } from './transport-options.ts';

export type WsNode = OpenTransport & { readonly stats: () => { open: number; waiting: number } };

/** Same as for HTTP. */
const connectTimeoutMs = 3_000;
const proofTimeoutMs = 3_000;
const probeTimeoutMs = 5_000;
/** Below the 60 s of common load balancers. */
const idleTimeoutMs = 55_000;
const defaultMaxResponseBytes = 64 * 1024 * 1024;
const defaultMaxConnections = 256;
/** Maximum connections of each kind. */
const maxSockets = 4;
/** Multiple of the longest allowed answer. A longer answer is skipped; a message longer than this multiple ends the connection. */
const passedOver = 4;

/** The options of a socket to a node: its address, and the proof of its chain. @throws TypeError for a URL or headers that cannot be sent. The message contains neither. */
export function socketPlace(options: SocketOptions): SocketPlace {
  const { chain, timeoutMs, clock, maxResponseBytes = defaultMaxResponseBytes } = options;
  const { url, address, headers, timerWheel, turns, randomBytes } = options;
  return {
    origin: webSocketOrigin({
      ...{ url, address, headers, timerWheel, turns, randomBytes },
      connectTimeoutMs: Math.min(connectTimeoutMs, timeoutMs),
      maxMessageBytes: passedOver * maxResponseBytes,
    }),
    ...{ chain, clock },
    proofTimeoutMs: Math.min(proofTimeoutMs, timeoutMs),
  };
}

/** @throws TypeError for a URL or headers that cannot be sent. The message contains neither. */
export function openWsNode(options: SocketOptions): WsNode {
  const { nodeId, chain, takeIds, slices, clock, timeoutMs, timerWheel, answerBudget } = options;
  const { maxResponseBytes = defaultMaxResponseBytes, maxConnections = defaultMaxConnections } = options;
  const place = socketPlace(options);
  const terms = { maxBytes: maxResponseBytes, budget: answerBudget, unknownOwner: `node ${nodeId}`, idleTimeoutMs };
  const max = Math.max(1, Math.min(maxSockets, Math.floor(maxConnections / 2)));
  // Some nodes answer the calls of a connection in order, and a large answer blocks it. So quick reads have separate connections.
  const quick = new SocketPool(place, terms, max);
  const other = maxConnections > 1 ? new SocketPool(place, terms, max) : quick;
  const release = (drop: boolean): void => {
    quick.release(drop);
    if (other !== quick) other.release(drop);
  };
  const { quickReads } = chain.family;
  const tried: TriedNode = { nodeId, quickReads, timeoutMs, slices, clock, distrust: () => release(true) };
  return {
    nodeId,
    send(call) {
      const one = new SingleTry(tried, call, takeIds(1));
      const pool = one.mayPipeline ? quick : other;
      return new Promise<TryReply<NodeAnswer>>((resolve) => pool.carry(new AskedCall(one, timerWheel, resolve)));
    },
    sendBatch(batch) {
      const one = new BatchTry(tried, batch, takeIds(batch.questions.length));
      return new Promise<TryReply<BatchAnswer>>((resolve) => other.carry(new AskedCall(one, timerWheel, resolve)));
    },
    probe: () => probeSocket(place, Math.min(probeTimeoutMs, timeoutMs)),
    release,
    close() {
      quick.close();
      other.close();
    },
    stats() {
      const [one, two] = [quick.stats(), other === quick ? { open: 0, waiting: 0 } : other.stats()];
      return { open: one.open + two.open, waiting: one.waiting + two.waiting };
    },
  };
}
