/** A blockchain node with immediate, constant results and the callers' ids. It runs in its own process, so that its CPU time is measured separately. */
import type { Socket } from 'bun';
import { HttpReader } from './http-reader.ts';
import { largeResult } from './large-results.ts';
import { SocketWriter } from './socket-writer.ts';

/** The result of `eth_blockNumber` and of each method not named here. */
export const fixedResult = '0x10d4f1e';

/** With `params: [kind, mebibytes]` this method returns a large result. */
export const largeMethod = 'eth_getLogs';

/** Answered 5 ms later than other methods, so that equal calls overlap. */
export const slowMethod = 'eth_estimateGas';
const slowMs = 5;

const results: ReadonlyMap<unknown, string> = new Map([
  ['eth_chainId', '"0x7a69"'],
  ['net_version', '"31337"'],
  ['eth_syncing', 'false'],
]);

const head = Number.parseInt(fixedResult, 16);
const finality = 64;

/** A block without transactions, at the height in the first parameter. */
function blockAt(params: unknown): string {
  const named: unknown = Array.isArray(params) ? params[0] : undefined;
  const isFinal = named === 'safe' || named === 'finalized';
  const height = typeof named === 'string' && named.startsWith('0x') ? Number(named) : isFinal ? head - finality : head;
  if (height > head) return 'null';
  const hashOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}`;
  return JSON.stringify({
    number: `0x${height.toString(16)}`,
    hash: hashOf(height),
    parentHash: hashOf(Math.max(0, height - 1)),
    timestamp: `0x${(1_700_000_000 + height).toString(16)}`,
    logsBloom: `0x${'0'.repeat(512)}`,
    transactions: [],
  });
}

type Peer = { readonly reader: HttpReader; writer: SocketWriter | undefined };

/** The answer to a JSON-RPC body, single or batch; throws on any other body, which no benchmark sends. */
export function fixedAnswer(body: string): string {
  const message: unknown = JSON.parse(body);
  return Array.isArray(message) ? `[${message.map(answerOne).join(',')}]` : answerOne(message);
}

function answerOne(call: unknown): string {
  if (typeof call !== 'object' || call === null || !('id' in call) || !('method' in call)) throw new Error('no call');
  const params = 'params' in call ? call.params : undefined;
  const own =
    call.method === largeMethod && params !== undefined
      ? largeResult(params)
      : call.method === 'eth_getBlockByNumber' || call.method === 'eth_getBlockByHash'
        ? blockAt(params)
        : undefined;
  return `{"jsonrpc":"2.0","id":${JSON.stringify(call.id)},"result":${own ?? results.get(call.method) ?? `"${fixedResult}"`}}`;
}

function receive(socket: Socket<Peer>, chunk: Buffer): void {
  const { reader, writer } = socket.data;
  for (let message = reader.next(chunk); message !== undefined; message = reader.next()) {
    const asked = message.body.toString();
    const body = fixedAnswer(asked);
    const answer = Buffer.from(
      `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    if (asked.includes(slowMethod)) setTimeout(() => writer?.write(answer), slowMs);
    else writer?.write(answer);
  }
}

/** Each message of a WebSocket is handled like an HTTP body. */
function startSocketUpstream() {
  return Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request, server) => (server.upgrade(request) ? undefined : new Response(null, { status: 426 })),
    websocket: {
      // The same limit as for a body.
      maxPayloadLength: 268_435_456,
      // The clients here read fast enough that large answers need no backpressure limit.
      backpressureLimit: 1_073_741_824,
      message(socket, message) {
        const asked = String(message);
        const answer = fixedAnswer(asked);
        if (asked.includes(slowMethod)) setTimeout(() => socket.send(answer), slowMs);
        else socket.send(answer);
      },
    },
  });
}

/** Listens on random loopback ports, or on the given port for HTTP. Returns `port` for HTTP and `socketPort` for WebSocket. */
export function startFixedUpstream(wanted = 0) {
  const listener = Bun.listen<Peer>({
    hostname: '127.0.0.1',
    port: wanted,
    socket: {
      open: (socket) => {
        socket.data = { reader: new HttpReader(), writer: new SocketWriter(socket) };
      },
      data: receive,
      drain: (socket) => socket.data.writer?.drained(),
      error: (socket) => socket.terminate(),
    },
  });
  const sockets = startSocketUpstream();
  return {
    port: listener.port,
    socketPort: sockets.port ?? 0,
    stop() {
      listener.stop(true);
      void sockets.stop(true);
    },
  };
}

if (import.meta.main) {
  const upstream = startFixedUpstream(Number(process.argv[2] ?? 0));
  process.on('disconnect', () => process.exit(0));
  process.send?.({ kind: 'listening', port: upstream.port, socketPort: upstream.socketPort });
}
