/** The number of calls that messages of a connection count as while they are answered. */

import { expect, test } from 'bun:test';
import { maxCallsInFlight } from '@flowgate/websocket/server/message-server';
import { contextDeps } from '../../../test/fixtures/context-deps.ts';
import { rpcRoutes } from '../../rpc/rpc-routes.ts';
import { type MessageContext, type MessageOrigin, SocketReply } from '../contexts/message-context.ts';
import { SocketMessages } from './socket-messages.ts';

function connection() {
  const [route] = rpcRoutes;
  if (route === undefined) throw new Error('no route');
  const contexts: MessageContext[] = [];
  const answering: (() => void)[] = [];
  const origin: MessageOrigin = {
    ...{ route, params: {}, path: '/rpc', maskedPath: '/rpc', peer: '192.0.2.1', clientAddress: '192.0.2.1' },
    credential: { kind: 'api-key', raw: 'a key' },
    signal: new AbortController().signal,
    inFlight: { calls: 0 },
    subscribing: (target) => target,
    credentialEnded: () => {},
  };
  const messages = new SocketMessages(
    {
      answer(context) {
        contexts.push(context);
        return new Promise((resolve) => answering.push(() => resolve(new SocketReply(200, null))));
      },
      failed: () => new SocketReply(500, null),
      note: () => {},
      newRequestId: () => 'id',
      contexts: contextDeps(),
    },
    origin,
    { reported: () => {}, close: () => {} },
    () => {},
  );
  return { messages, contexts, answering };
}

const call = '{"jsonrpc":"2.0","id":1,"method":"m"}';

test.each([
  ['a call', call, 1],
  ['no bytes', '', 1],
  ['a batch of three', `[${call},${call},${call}]`, 3],
  ['a batch of a thousand', `[${Array(1_000).fill(call).join()}]`, maxCallsInFlight],
])(
  '%s counts as the maximum of its calls before it is decoded, and as none once it is answered',
  async (_name, text, min) => {
    const { messages, answering } = connection();
    const reported = Promise.withResolvers<unknown>();
    messages.serve({ bytes: Buffer.from(text), isBinary: false }, reported.resolve);
    expect(messages.callsInFlight()).toBeGreaterThanOrEqual(min);
    expect(messages.callsInFlight()).toBeLessThanOrEqual(Math.min(maxCallsInFlight, min + 1));
    answering[0]?.();
    await reported.promise;
    expect(messages.callsInFlight()).toBe(0);
  },
);
