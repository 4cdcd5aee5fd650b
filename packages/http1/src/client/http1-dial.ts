/** Opens a socket to a client's destination, and verifies the server's certificate before it reports the socket as open. */
import type { Socket } from 'bun';
import { errorCode } from './http1-call.ts';
import type { Destination } from './http1-origin.ts';

/** The callbacks of a socket. */
export type SocketEvents = {
  /** The TCP connection exists; TLS may still have to be verified. */
  readonly connected: (socket: Socket<undefined>) => void;
  /** The socket can be written to. */
  readonly opened: () => void;
  readonly failed: (detail: string) => void;
  readonly received: (piece: Uint8Array) => void;
  /** The socket accepts bytes again. */
  readonly drained: () => void;
  /** The server has sent everything. */
  readonly ended: () => void;
  readonly lost: (detail: string) => void;
};

/** The details of a failure contain neither host nor address. */
export function dial({ hostname, port, tls }: Destination, on: SocketEvents): void {
  const socket = {
    binaryType: 'uint8array' as const,
    open: (opened: Socket<undefined>) => {
      on.connected(opened);
      if (tls === undefined) on.opened();
    },
    handshake: (opened: Socket<undefined>, success: boolean, error: Error | null) => {
      if (tls === undefined) return;
      const verified = success && opened.authorized && error === null;
      if (verified || (!tls.rejectUnauthorized && opened.readyState === 1)) on.opened();
      else on.failed(errorCode(error));
    },
    data: (_socket: Socket<undefined>, piece: Uint8Array) => on.received(piece),
    drain: () => on.drained(),
    end: () => on.ended(),
    close: (_socket: Socket<undefined>, error?: Error) => on.lost(errorCode(error)),
    error: (_socket: Socket<undefined>, error: Error) => on.lost(errorCode(error)),
    connectError: (_socket: Socket<undefined>, error: Error) => on.failed(errorCode(error)),
  };
  const options = { hostname, port, socket };
  try {
    Bun.connect(tls === undefined ? options : { ...options, tls }).catch((error: unknown) => {
      on.failed(errorCode(error));
    });
  } catch (error) {
    on.failed(errorCode(error));
  }
}
