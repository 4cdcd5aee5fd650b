/** One keep-alive connection that carries one request at a time. */
import { type HttpMessage, HttpReader } from './http-reader.ts';
import { SocketWriter } from './socket-writer.ts';

export type LoadConnection = {
  /** Call only after the previous answer has arrived. */
  readonly send: (bytes: Uint8Array) => void;
  readonly close: () => void;
};

export type LoadConnectionEvents = {
  readonly answered: (connection: LoadConnection, answer: HttpMessage) => void;
  /** Called when the connection ends, breaks or receives bytes that are not an answer. */
  readonly failed: (problem: string) => void;
};

export async function openLoadConnection(port: number, events: LoadConnectionEvents): Promise<LoadConnection> {
  const reader = new HttpReader();
  let closed = false;
  const fail = (problem: string): void => {
    if (!closed) events.failed(problem);
    closed = true;
  };
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      data: (_, chunk) => {
        let answer: HttpMessage | undefined;
        try {
          answer = reader.next(chunk);
        } catch (error) {
          return fail(String(error));
        }
        if (answer === undefined) return;
        if (reader.leftoverBytes > 0) return fail('bytes after the answer');
        events.answered(connection, answer);
      },
      drain: () => writer.drained(),
      close: () => fail('the server closed a connection'),
      error: (_, error) => fail(String(error)),
    },
  });
  const writer: SocketWriter = new SocketWriter(socket);
  const connection: LoadConnection = {
    send: (bytes) => writer.write(bytes),
    close: () => {
      closed = true;
      socket.terminate();
    },
  };
  return connection;
}
