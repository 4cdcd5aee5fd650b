/** A raw TCP or TLS server that a test scripts byte by byte, for the tests of the HTTP/1.1 client. */

import { createTimerWheel } from '@flowgate/async/timer-wheel';
import { TurnBudget } from '@flowgate/async/turn-budget';
import { systemClock } from '@flowgate/base/clock';
import { createHttp1Client, type Http1Client, type Http1ClientOptions } from '@flowgate/http1/client/http1-client';
import type { Socket } from 'bun';
import { freePort } from './free-port.ts';

/** The received bytes of an incomplete request, and the length of the whole request. */
type Inbox = { pieces: Buffer[]; bytes: number; wantedBytes: number };
export type Peer = Socket<Inbox>;
export type Request = { head: string; body: string };

const timerWheel = createTimerWheel(systemClock, 5);
const turns = new TurnBudget(systemClock);

/** Ends the servers and clients that the tests of one file started; `afterEach(endAll)` calls them. */
const endings: (() => void)[] = [];

export function endsWith(end: () => void): void {
  endings.push(end);
}

export function endAll(): void {
  for (const end of endings.splice(0)) end();
}

/** A TCP server that passes each whole request, and each new connection, to the test. */
export function serve(
  onRequest: (peer: Peer, request: Request, count: number) => void,
  options: {
    onOpen?: (peer: Peer) => void;
    tls?: { cert: string; key: string };
    hostname?: string;
    port?: number;
  } = {},
) {
  const all: Buffer[] = [];
  const seen = {
    requests: 0,
    connections: 0,
    peers: [] as Peer[],
    get received() {
      return Buffer.concat(all).toString('latin1');
    },
  };
  const listener = Bun.listen<Inbox>({
    hostname: options.hostname ?? '127.0.0.1',
    port: options.port ?? freePort(),
    ...(options.tls === undefined ? {} : { tls: options.tls }),
    socket: {
      open(peer) {
        peer.data = { pieces: [], bytes: 0, wantedBytes: 0 };
        seen.connections++;
        seen.peers.push(peer);
        options.onOpen?.(peer);
      },
      data(peer, piece) {
        all.push(Buffer.from(piece));
        peer.data.pieces.push(Buffer.from(piece));
        peer.data.bytes += piece.length;
        for (let request = takeRequest(peer.data); request !== undefined; request = takeRequest(peer.data)) {
          seen.requests++;
          onRequest(peer, request, seen.requests);
        }
      },
      error() {},
    },
  });
  endsWith(() => listener.stop(true));
  const scheme = options.tls === undefined ? 'http' : 'https';
  /** Accepts no new connections from now on; existing ones stay. */
  const refuse = () => listener.stop(false);
  return { seen, port: listener.port, url: `${scheme}://127.0.0.1:${listener.port}/`, refuse };
}

function takeRequest(inbox: Inbox): Request | undefined {
  if (inbox.bytes === 0 || inbox.bytes < inbox.wantedBytes) return undefined;
  const bytes = Buffer.concat(inbox.pieces);
  inbox.pieces = [bytes];
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const head = bytes.toString('latin1', 0, headEnd);
  const end = headEnd + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
  inbox.wantedBytes = end;
  if (bytes.length < end) return undefined;
  Object.assign(inbox, { pieces: [bytes.subarray(end)], bytes: bytes.length - end, wantedBytes: 0 });
  return { head, body: bytes.toString('utf8', headEnd + 4, end) };
}

export function open(url: string, options: Partial<Http1ClientOptions> = {}): Http1Client {
  const client = createHttp1Client({ url, timeoutMs: 10_000, timerWheel, turns, ...options });
  endsWith(() => client.close());
  return client;
}

export const reply = (body: string, fields = '') =>
  `HTTP/1.1 200 OK\r\n${fields}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

export function writeAll(peer: Peer, bytes: Uint8Array): void {
  const written = Math.max(0, peer.write(bytes));
  // Real time: the socket drains.
  if (written < bytes.length) setTimeout(() => writeAll(peer, bytes.subarray(written)), 1);
}
