/** The context of a request that asks for a WebSocket (RFC 6455, 4.2): a GET of a JSON-RPC path. */

import type { IncomingRequest, OutgoingReply } from '@flowgate/http1/server/incoming-request';
import type { TakeOver } from '@flowgate/http1/server/taken-connection';
import { limitHeaders } from '@flowgate/http1/server/written-reply';
import { acceptOf } from '@flowgate/websocket/client/websocket-handshake';
import { RpcContext } from './rpc-context.ts';

/** 16 bytes in base64. */
const keyForm = /^[A-Za-z0-9+/]{21}[AQgw]==$/;
export const version = '13';

export class UpgradeContext extends RpcContext {
  /** The slot among the user's connections. */
  slot: { readonly release: () => void } | undefined;

  /** Undefined when the handshake's key is missing or malformed. */
  get webSocketKey(): string | undefined {
    const key = this.header('sec-websocket-key');
    return key !== null && keyForm.test(key) ? key : undefined;
  }

  get hasVersion(): boolean {
    return this.header('sec-websocket-version') === version;
  }

  /** The answer after which `takeOver` owns the connection. Neither extensions nor subprotocols are negotiated. */
  switchTo(takeOver: TakeOver): OutgoingReply {
    return {
      status: 101,
      headers: {
        Upgrade: 'websocket',
        'Sec-WebSocket-Accept': acceptOf(this.webSocketKey ?? ''),
        'X-Request-Id': this.requestId,
        ...limitHeaders(this.admission),
      },
      body: null,
      takeOver,
    };
  }
}

/** Whether the request asks for WebSocket, and may (RFC 9110, 7.8). */
export function asksForWebSocket({ method, upgrade }: Pick<IncomingRequest, 'method' | 'upgrade'>): boolean {
  if (method !== 'GET' || upgrade === undefined) return false;
  return upgrade.split(',').some((protocol) => protocol.trim().toLowerCase() === 'websocket');
}
