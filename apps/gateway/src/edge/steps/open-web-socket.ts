/** The steps of a request for a WebSocket: handshake, slot, and the connection itself (contract/websocket#connecting). */

import type { OutgoingReply } from '@flowgate/http1/server/incoming-request';
import type { ConnectionSocket } from '@flowgate/http1/server/taken-connection';
import type { Authenticator } from '../../api/authenticator.ts';
import type { AccessControl } from '../contexts/access-control.ts';
import type { Refusal } from '../contexts/request-context.ts';
import { type UpgradeContext, version } from '../contexts/upgrade-context.ts';
import { createMessageOrigin, type OriginServices } from '../websocket/message-origin.ts';
import { type MessageServices, SocketMessages } from '../websocket/socket-messages.ts';
import type { WebSockets } from '../websocket/web-sockets.ts';

const badKey: Refusal = {
  reason: 'bad-request',
  detail: 'Sec-WebSocket-Key is missing, or is not 16 bytes in base64.',
};
const otherVersion: Refusal = { reason: 'upgrade-required', headers: { 'Sec-WebSocket-Version': version } };
const leaving: Refusal = {
  reason: 'unavailable',
  detail: 'The gateway is shutting down.',
  headers: { Connection: 'close' },
};

export function checkHandshake(_services: unknown, context: UpgradeContext): Refusal | undefined {
  if (!context.hasVersion) return otherVersion;
  return context.webSocketKey === undefined ? badKey : undefined;
}

/** A fixed delay, because the time at which a connection closes is unknown. */
const tryAgainMs = 1_000;

type Sockets = { readonly webSockets: WebSockets };

/** The slot is released when the request is refused later, or else when the connection closes. */
export function reserveSlot(
  { webSockets, limiter }: Sockets & Pick<AccessControl, 'limiter'>,
  context: UpgradeContext,
): Refusal | undefined {
  if (webSockets.isDraining()) return leaving;
  const { userId } = context.caller;
  const slot = webSockets.reserveSlot(userId);
  if (slot === undefined) {
    // The refusal is not counted (contract/limits#what-counts).
    context.admission = { ...limiter.peek(userId, 1), admitted: false, retryAfterMs: tryAgainMs };
    const detail = `${webSockets.maxPerUser} of your WebSocket connections are open on this gateway, which is the maximum: close one.`;
    return { reason: 'rate-limited', detail };
  }
  context.slot = slot;
  context.freeBody = slot.release;
  return undefined;
}

type OpeningServices = Sockets &
  OriginServices & {
    readonly authenticator: Authenticator;
    readonly messages: MessageServices;
  };

export function openWebSocket(services: OpeningServices, context: UpgradeContext): OutgoingReply {
  const { credential, caller, slot, keyChanges } = context;
  if (credential.kind === 'missing' || credential.kind === 'malformed' || slot === undefined)
    throw new Error(`a WebSocket without credential or slot: ${context.requestId}`);
  // From here on the connection owns the slot.
  context.freeBody = undefined;
  const owner = { caller, credential, expiresAtMs: context.credentialEndsAtMs };
  const begin = (socket: ConnectionSocket, nowMs: () => number) => {
    const connection = services.webSockets.open(socket, nowMs, owner, slot, (opened) => {
      const { origin, subscriptions, abort } = createMessageOrigin(services, context, owner, opened);
      return new SocketMessages(services.messages, origin, subscriptions, abort);
    });
    // A key that was revoked after its verification: this connection was not open yet when the revocation was published.
    if (services.authenticator.keyChanges() !== keyChanges) services.webSockets.keyChanged(caller.keyId);
    return connection;
  };
  return context.switchTo({ begin, abandon: slot.release });
}

export function replySwitching(_services: unknown, _context: UpgradeContext, reply: OutgoingReply): OutgoingReply {
  return reply;
}
