/** A WebSocket server on loopback that a test scripts message by message, and breaks byte by byte. */

import { createHash } from 'node:crypto';
import type { Socket } from 'bun';
import { frame } from './frames.ts';
import { endsWith } from './raw-http1-server.ts';
import { createLibraryReceiver, type LibraryReceiver } from './ws-library.ts';

type Inbox = { head: string; receiver: LibraryReceiver | undefined; peer: SocketPeer };

export type SocketPeer = {
  /** From 1, in the order of the connections. */
  readonly nth: number;
  readonly write: (bytes: Uint8Array) => void;
  readonly say: (text: string) => void;
  readonly end: () => void;
  /** The number of the client's writes that contained messages. */
  pieces: number;
};

export type Asked = { readonly id: number; readonly method: string; readonly params: unknown };

export type RawSocketServerOptions = {
  /** The answer to a handshake, instead of the valid one; `accept`: the valid one. */
  readonly handshake?: (request: string, accept: string) => string;
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Replies that the server sends by itself, by the text of the message. */
  readonly replies?: Readonly<Record<string, string>>;
  /** Pings and closes. */
  readonly onControl?: (kind: 'ping' | 'pong' | 'conclude', peer: SocketPeer) => void;
};

/** `answer`: the result of a call; a batch arrives as text. Ended by `endAll`. */
export function startRawSocketServer(
  answer: (asked: Asked, peer: SocketPeer, text: string) => void,
  options: RawSocketServerOptions = {},
) {
  const { handshake = (_request: string, accept: string) => accept, replies = {}, onControl = () => {} } = options;
  const seen = { connections: 0, requests: [] as string[], asked: [] as string[], open: 0 };

  function heard(text: string, peer: SocketPeer): void {
    const reply = replies[text];
    if (reply !== undefined) peer.say(reply);
    else {
      const asked: Asked = JSON.parse(text);
      seen.asked.push(Array.isArray(asked) ? 'batch' : `${asked.method} ${JSON.stringify(asked.params)}`);
      answer(asked, peer, text);
    }
  }

  function shake(socket: Socket<Inbox>, piece: Buffer): Buffer | undefined {
    const { data } = socket;
    data.head += piece.toString('latin1');
    const end = data.head.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    seen.requests.push(data.head.slice(0, end));
    const key = /sec-websocket-key: (.*)\r?\n?/i.exec(data.head)?.[1]?.trim() ?? '';
    const accepted = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
    const head = `HTTP/1.1 101 Switching Protocols\r\nupgrade: WebSocket\r\nconnection: keep-alive, Upgrade\r\n`;
    socket.write(handshake(data.head, `${head}Sec-WebSocket-Accept: ${accepted}\r\n\r\n`));
    const receiver = createLibraryReceiver(true, 100_000_000);
    receiver.on('message', (message) => heard(Buffer.from(message).toString(), data.peer));
    for (const kind of ['ping', 'pong'] as const) receiver.on(kind, () => onControl(kind, data.peer));
    receiver.on('conclude', () => onControl('conclude', data.peer));
    receiver.on('error', () => socket.terminate());
    data.receiver = receiver;
    return Buffer.from(data.head.slice(end + 4), 'latin1');
  }

  const listener = Bun.listen<Inbox>({
    hostname: '127.0.0.1',
    port: 0,
    ...(options.tls === undefined ? {} : { tls: options.tls }),
    socket: {
      open(socket) {
        seen.connections++;
        seen.open++;
        const unsent: Buffer[] = [];
        const flush = () => {
          for (let next = unsent[0]; next !== undefined; next = unsent[0]) {
            const written = Math.max(0, socket.write(next));
            if (written < next.length) {
              unsent[0] = next.subarray(written);
              return;
            }
            unsent.shift();
          }
        };
        flushes.set(socket, flush);
        const peer: SocketPeer = {
          nth: seen.connections,
          pieces: 0,
          write(bytes) {
            unsent.push(Buffer.from(bytes));
            if (unsent.length === 1) flush();
          },
          say: (text) => peer.write(frame(text)),
          end: () => socket.terminate(),
        };
        socket.data = { head: '', receiver: undefined, peer };
      },
      data(socket, piece) {
        const { data } = socket;
        if (data.receiver !== undefined) data.peer.pieces++;
        const bytes = data.receiver === undefined ? shake(socket, piece) : Buffer.from(piece);
        if (bytes !== undefined && bytes.length > 0) data.receiver?.write(bytes);
      },
      drain: (socket) => flushes.get(socket)?.(),
      close() {
        seen.open--;
      },
      error() {},
    },
  });
  endsWith(() => listener.stop(true));
  const scheme = options.tls === undefined ? 'ws' : 'wss';
  return { url: `${scheme}://127.0.0.1:${listener.port}`, port: listener.port, seen };
}

const flushes = new WeakMap<Socket<Inbox>, () => void>();

export const resultOf = (id: number, result: unknown): string =>
  `{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result)}}`;
