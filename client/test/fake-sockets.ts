/** A server in the gateway's place that accepts WebSockets, answers as a test says, and records each connection and its messages. */

import type { ServerWebSocket } from 'bun';

export type SaidMessage = { readonly id: number; readonly method: string; readonly params: readonly unknown[] };

export type SeenSocket = {
  readonly path: string;
  readonly apiKey: string | null;
  readonly said: SaidMessage[];
  /** As a notification of `eth_subscribe`. */
  readonly notify: (subscription: string, result: unknown) => void;
  readonly isOpen: () => boolean;
  readonly close: (code: number) => void;
  /** Without a close frame. */
  readonly cut: () => void;
};

export type SocketAnswer = (said: SaidMessage, socket: SeenSocket) => unknown;

export type FakeSockets = {
  readonly url: string;
  readonly seen: SeenSocket[];
  /** Requests without an upgrade. */
  readonly posts: unknown[];
  readonly stop: () => Promise<void>;
};

/** `undefined` means no answer; an answer with a member `error` is an error; `refuse` answers upgrades and POSTs while it returns a response. */
export function startFakeSockets(
  answer: SocketAnswer,
  refuse: () => Response | undefined = () => undefined,
): FakeSockets {
  const seen: SeenSocket[] = [];
  const posts: unknown[] = [];
  type Data = { path: string; apiKey: string | null; seen?: SeenSocket };
  const server = Bun.serve<Data>({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request, own) {
      const refusal = refuse();
      if (refusal !== undefined) return refusal;
      const data = { path: new URL(request.url).pathname, apiKey: request.headers.get('x-api-key') };
      if (own.upgrade(request, { data })) return undefined;
      const said = (await request.json()) as SaidMessage;
      posts.push(said);
      return Response.json({ jsonrpc: '2.0', id: said.id, result: '0x7a69' });
    },
    websocket: {
      open: (socket) => {
        socket.data.seen = seenSocket(socket);
        seen.push(socket.data.seen);
      },
      message: (socket, text) => {
        const said = JSON.parse(String(text)) as SaidMessage;
        const own = socket.data.seen;
        if (own === undefined) return;
        own.said.push(said);
        const reported = answer(said, own);
        if (reported === undefined) return;
        const body =
          typeof reported === 'object' && reported !== null && 'error' in reported ? reported : { result: reported };
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: said.id, ...body }));
      },
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, seen, posts, stop: () => server.stop(true) };
}

function seenSocket(socket: ServerWebSocket<{ path: string; apiKey: string | null }>): SeenSocket {
  const { path, apiKey } = socket.data;
  return {
    path,
    apiKey,
    said: [],
    notify: (subscription, result) =>
      socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params: { subscription, result } })),
    isOpen: () => socket.readyState === WebSocket.OPEN,
    close: (code) => socket.close(code),
    cut: () => socket.terminate(),
  };
}
