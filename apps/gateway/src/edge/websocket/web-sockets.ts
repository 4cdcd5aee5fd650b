/**
 * All WebSocket connections of this process: the maximum for each user, their closing by the gateway (an invalid credential, a drain), and the sending of
 * notifications to many of them in time slices.
 */

import type { TimeSlices } from '@flowgate/async/time-slices';
import type { TimerWheel } from '@flowgate/async/timer-wheel';
import type { TurnBudget } from '@flowgate/async/turn-budget';
import type { Clock } from '@flowgate/base/clock';
import { Tally } from '@flowgate/base/tally';
import type { ByteBudget } from '@flowgate/bytes/byte-budget';
import type { ConnectionSocket } from '@flowgate/http1/server/taken-connection';
import { closeCodes, credentialEndedText } from '@flowgate/websocket/server/close-codes';
import type { MessageServer } from '@flowgate/websocket/server/message-server';
import { WebSocket, type WebSocketDeps } from '@flowgate/websocket/server/web-socket';
import type { WebSocketLimits } from '@flowgate/websocket/server/web-socket-limits';
import type { Authentication, Authenticator, CredentialSource } from '../../api/authenticator.ts';
import type { Caller } from '../../api/caller.ts';
import type { Credential } from '../../api/credential.ts';

export type WebSocketOwner = {
  readonly caller: Caller;
  readonly credential: Credential;
  /** When the credential expires, in milliseconds since the Unix epoch. */
  readonly expiresAtMs: number | undefined;
};

export type WebSockets = {
  /** Reserves a slot among the user's connections, until `release` is called. Undefined when all are in use. */
  readonly reserveSlot: (userId: string) => { readonly release: () => void } | undefined;
  readonly maxPerUser: number;
  /** Whether new connections are refused, so that they go to another gateway. */
  readonly isDraining: () => boolean;
  /** Opens a connection in a reserved slot; the slot is released when the connection closes. */
  readonly open: (
    socket: ConnectionSocket,
    nowMs: () => number,
    owner: WebSocketOwner,
    slot: { readonly release: () => void },
    serverOf: (socket: WebSocket) => MessageServer,
  ) => WebSocket;
  readonly count: () => number;
  /** Verifies the connections of a key that may have become invalid; undefined: of all keys. */
  readonly keyChanged: (keyId: string | undefined) => void;
  /** Closes all connections, spread over up to `overMs`. Resolves when all are closed, or after `overMs`. */
  readonly drain: (overMs: number) => Promise<void>;
};

export type WebSocketsOptions = {
  readonly limits: WebSocketLimits;
  readonly perUser: number;
  readonly bodies: ByteBudget;
  readonly backlog: ByteBudget;
  readonly chargedPieces: WebSocketDeps['chargedPieces'];
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
  readonly clock: Clock;
  readonly slices: TimeSlices;
  /** The time budget of a turn, in which frames and messages are read. */
  readonly turns: TurnBudget;
  readonly timerWheel: Pick<TimerWheel, 'arm'>;
};

/** Failed verifications of connections' credentials are not attributed to a client address. */
const ownAddress: CredentialSource = { clientAddress: () => 'open WebSockets' };
/** Milliseconds until a credential that could not be verified is verified again. */
const verifyAgainMs = 1_000;
/** The number of credentials verified concurrently after any of them may have changed. */
const verifiedAtOnce = 8;
/** A drain closes at most one connection in this time while time is left, because each client reconnects to another gateway. */
const closeEveryMs = 10;
const drainStepMs = 20;
/** The part of the time in which connections are closed; the rest is for connections with calls in flight. */
const closingShare = 0.8;

const goingAway = 'The gateway restarts: connect again.';

type Open = { readonly socket: WebSocket; readonly owner: WebSocketOwner };

export function createWebSockets(options: WebSocketsOptions): WebSockets {
  const { authenticator, clock, slices, timerWheel, perUser } = options;
  const open = new Map<WebSocket, Open>();
  const ofKey = new Map<string, Set<Open>>();
  const ofUser = new Tally();
  const toFlush = new Set<WebSocket>();
  let isFlushing = false;
  let isDraining = false;
  let whenGone: () => void = () => {};

  function flushSoon(socket: WebSocket): void {
    toFlush.add(socket);
    if (isFlushing) return;
    isFlushing = true;
    void slices.run(flushNext);
  }

  function flushNext(): boolean {
    for (const socket of toFlush) {
      toFlush.delete(socket);
      socket.flush();
      break;
    }
    isFlushing = toFlush.size > 0;
    return !isFlushing;
  }

  function enter(entry: Open): void {
    open.set(entry.socket, entry);
    const { keyId } = entry.owner.caller;
    if (keyId === undefined) return;
    const same = ofKey.get(keyId);
    if (same === undefined) ofKey.set(keyId, new Set([entry]));
    else same.add(entry);
  }

  function leave(socket: WebSocket): void {
    const entry = open.get(socket);
    open.delete(socket);
    toFlush.delete(socket);
    const keyId = entry?.owner.caller.keyId;
    const same = keyId === undefined ? undefined : ofKey.get(keyId);
    if (entry !== undefined && keyId !== undefined && same?.delete(entry) === true && same.size === 0)
      ofKey.delete(keyId);
    if (open.size === 0) whenGone();
  }

  async function verify(keyId: string): Promise<void> {
    const entries = ofKey.get(keyId);
    const [first] = entries ?? [];
    if (entries === undefined || first === undefined) return;
    const found = await authenticator.authenticate(first.owner.credential, ownAddress);
    if (isUncertain(found)) {
      timerWheel.arm(verifyAgainMs, () => void verify(keyId));
      return;
    }
    for (const { socket, owner } of [...entries])
      if (found.kind !== 'caller' || found.caller.userId !== owner.caller.userId) endCredential(socket);
  }

  async function verifyAll(): Promise<void> {
    const keyIds = [...ofKey.keys()];
    const next = async () => {
      for (let keyId = keyIds.pop(); keyId !== undefined; keyId = keyIds.pop()) {
        await verify(keyId);
        // Without this, a store that answers synchronously would block the event loop.
        await new Promise(setImmediate);
      }
    };
    await Promise.all(Array.from({ length: verifiedAtOnce }, next));
  }

  return {
    maxPerUser: perUser,
    isDraining: () => isDraining,
    reserveSlot(userId) {
      if (ofUser.of(userId) >= perUser) return undefined;
      ofUser.add(userId);
      let isTaken = true;
      return {
        release() {
          if (isTaken) ofUser.remove(userId);
          isTaken = false;
        },
      };
    },
    open(socket, nowMs, owner, slot, serverOf) {
      const { userId } = owner.caller;
      const { limits, bodies, backlog, chargedPieces, turns } = options;
      const connection = new WebSocket(socket, nowMs, {
        ...{ limits, bodies, backlog, chargedPieces, turns, userId, flushSoon },
        now: clock.now,
        expiresAtMs: owner.expiresAtMs,
        left(gone) {
          leave(gone);
          slot.release();
        },
      });
      enter({ socket: connection, owner });
      connection.begin(serverOf(connection));
      if (isDraining) connection.leave(closeCodes.restart, goingAway);
      return connection;
    },
    count: () => open.size,
    keyChanged(keyId) {
      void (keyId === undefined ? verifyAll() : verify(keyId));
    },
    async drain(overMs) {
      isDraining = true;
      if (open.size === 0) return;
      const gone = Promise.withResolvers<void>();
      whenGone = gone.resolve;
      const beganMs = clock.monotonic();
      const sockets = [...open.keys()];
      const spreadMs = Math.min(overMs * closingShare, sockets.length * closeEveryMs);
      let closed = 0;
      const timer = setInterval(() => {
        const elapsedMs = clock.monotonic() - beganMs;
        const due = elapsedMs >= spreadMs ? sockets.length : Math.ceil((sockets.length * elapsedMs) / spreadMs);
        for (; closed < due; closed++) sockets[closed]?.leave(closeCodes.restart, goingAway);
        if (elapsedMs >= overMs) gone.resolve();
      }, drainStepMs);
      await gone.promise;
      clearInterval(timer);
    },
  };
}

export function endCredential(socket: WebSocket): void {
  socket.close(closeCodes.credentialEnded, credentialEndedText);
}

/** Whether the verification failed, so that the credential is neither valid nor invalid. */
function isUncertain(found: Authentication): boolean {
  return found.kind === 'refused' && found.reason === 'credential-unverifiable';
}
