/** The steps of a request that asks for a WebSocket: its handshake, its place, and the connection itself (contract/websocket#connecting). */

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

/** No one knows when a connection closes. */
const tryAgainMs = 1_000;

type Sockets = { readonly webSockets: WebSockets };

/** The place is free again when the request is refused after all, and otherwise when the connection is over. */
export function takePlace(
  { webSockets, limiter }: Sockets & Pick<AccessControl, 'limiter'>,
  context: UpgradeContext,
): Refusal | undefined {
  if (webSockets.isDraining()) return leaving;
  const { userId } = context.caller;
  const place = webSockets.takePlace(userId);
  if (place === undefined) {
    // No 429 is counted (contract/limits#what-counts).
    context.admission = { ...limiter.peek(userId, 1), admitted: false, retryAfterMs: tryAgainMs };
    const detail = `${webSockets.maxPerUser} WebSocket connections of yours are open here already: close one.`;
    return { reason: 'rate-limited', detail };
  }
  context.place = place;
  context.freeBody = place.free;
  return undefined;
}

type OpeningServices = Sockets &
  OriginServices & {
    readonly authenticator: Authenticator;
    readonly messages: MessageServices;
  };

export function openWebSocket(services: OpeningServices, context: UpgradeContext): OutgoingReply {
  const { credential, caller, place, keyChanges } = context;
  if (credential.kind === 'missing' || credential.kind === 'malformed' || place === undefined)
    throw new Error(`a WebSocket for nobody: ${context.requestId}`);
  // From here on the connection has the place.
  context.freeBody = undefined;
  const owner = { caller, credential, expiresAtMs: context.credentialEndsAtMs };
  const begin = (socket: ConnectionSocket, nowMs: () => number) => {
    const connection = services.webSockets.open(socket, nowMs, owner, place, (opened) => {
      const { origin, subscriptions, abort } = createMessageOrigin(services, context, owner, opened);
      return new SocketMessages(services.messages, origin, subscriptions, abort);
    });
    // Revoked since it was verified: no one was told of this connection then.
    if (services.authenticator.keyChanges() !== keyChanges) services.webSockets.keyChanged(caller.keyId);
    return connection;
  };
  return context.switchTo({ begin, abandon: place.free });
}

export function replySwitching(_services: unknown, _context: UpgradeContext, reply: OutgoingReply): OutgoingReply {
  return reply;
}
