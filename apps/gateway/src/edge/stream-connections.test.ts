import { expect, test } from 'bun:test';
import { systemClock } from '@flowgate/base/clock';
import { contextDeps } from '../../test/fixtures/context-deps.ts';
import { edgeOf, openTestServer } from '../../test/fixtures/test-server.ts';
import { createOpenStreams } from './contexts/open-streams.ts';

/** A gateway whose every answer is a stream that continues as long as its reader reads it. */
function startStreaming() {
  let writtenBytes = 0;
  const streams = createOpenStreams({
    clock: systemClock,
    authenticator: {
      keyChanges: () => 0,
      authenticate: () => ({ kind: 'caller', caller: { userId: 'alice', via: 'token', roles: [] } }),
    },
  });
  const server = openTestServer();
  const contexts = contextDeps();
  server.serve(
    edgeOf(contexts, (context) => {
      const letGo = () => context.letGo();
      const owner = { userId: 'alice', credential: { kind: 'token', raw: 'x' } as const, letGo };
      const body = streams.open(owner, ({ write }) => {
        const fill = () => {
          do writtenBytes += 8_192;
          while (write('x'.repeat(8_192)));
        };
        queueMicrotask(fill);
        return { onRoom: fill, onEnd: () => {} };
      });
      if ('reason' in body) return context.refuse(body.reason);
      return context.reply(200, body, 'text/plain', { Connection: 'close' });
    }),
  );
  return { server, streams, writtenBytes: () => writtenBytes };
}

test('a reader that reads nothing does not delay a drain: its connection is released when the stream ends', async () => {
  const { server, streams, writtenBytes } = startStreaming();
  const closed = Promise.withResolvers<void>();
  await Bun.connect({
    hostname: '127.0.0.1',
    port: server.port,
    socket: {
      open: (socket) => {
        socket.write('GET / HTTP/1.1\r\nHost: gateway\r\n\r\n');
      },
      data: (socket) => {
        socket.pause();
      },
      close: () => closed.resolve(),
    },
  });
  // Until the buffers at both ends are full and no more bytes are sent.
  for (let before = -1; before < writtenBytes() || before === 0; ) {
    before = writtenBytes();
    // Real time: no event signals that no bytes are sent.
    await Bun.sleep(250);
  }
  streams.close();
  // Without this, the drain would use all of its time and cut off the connection.
  expect(await server.drain(60_000)).toBe(0);
});
