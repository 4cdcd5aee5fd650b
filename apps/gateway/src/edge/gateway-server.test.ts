/** The server before it serves requests, and what a subrequest can read of the outer request's connection. */

import { afterEach, expect, test } from 'bun:test';
import { systemClock } from '@flowgate/base/clock';
import type { OutgoingReply } from '@flowgate/http1/server/incoming-request';
import type { RequestHandler } from '@flowgate/http1/server/request-handler';
import { quietLog } from '@flowgate/testing/quiet-log';
import { rawRequest } from '@flowgate/testing/raw-http';
import { openRaw } from '../../test/fixtures/checked-raw-http.ts';
import { anyRequest, contextDeps } from '../../test/fixtures/context-deps.ts';
import { edgeOf, openTestServer } from '../../test/fixtures/test-server.ts';
import { FetchRequest } from './contexts/fetch-request.ts';
import { RequestContext } from './contexts/request-context.ts';
import { type GatewayServer, openServer } from './gateway-server.ts';

const servers: GatewayServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

function listen(port = 0): GatewayServer {
  const server = openTestServer({ port });
  servers.push(server);
  return server;
}

function serveAddresses(server: GatewayServer): void {
  server.serve(edgeOf(contextDeps(), (context) => context.reply(200, context.peer(), 'text/plain')));
}

test('a request that arrives before the server serves waits, and is then answered', async () => {
  const server = listen();
  const early = await openRaw(server.port);
  early.send(rawRequest('GET / HTTP/1.1', ['Host: gateway']));
  const answer = early.next();
  // The event loop reads the request during this wait.
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  expect(await Promise.race([answer, 'no answer yet'])).toBe('no answer yet');
  serveAddresses(server);
  expect((await answer)?.status).toBe(200);
  const later = await openRaw(server.port);
  later.send(rawRequest('GET / HTTP/1.1', ['Host: gateway']));
  expect((await later.next())?.status).toBe(200);
  early.close();
  later.close();
});

test('a server that is closed before it serves answers no request, and releases its port', async () => {
  const server = listen();
  const early = await openRaw(server.port);
  early.send(rawRequest('GET / HTTP/1.1', ['Host: gateway']));
  await server.close();
  expect(await early.next()).toBeUndefined();
  const next = listen(server.port);
  serveAddresses(next);
  expect(await (await fetch(`http://127.0.0.1:${next.port}/`)).text()).toBe('127.0.0.1');
});

test('a subrequest has the peer of its outer request and does not use its connection', () => {
  let lettings = 0;
  const letGo = () => {
    lettings += 1;
  };
  const contexts = contextDeps();
  const arrived = new FetchRequest(new Request('http://gateway/mcp'), '192.0.2.7', letGo);
  const outer = new RequestContext(arrived, '/mcp', 'r1', contexts);
  const inner = new RequestContext(anyRequest(), '/rpc', 'r1', contexts, outer);
  const innermost = new RequestContext(anyRequest(), '/rpc', 'r1', contexts, inner);
  expect([outer, inner, innermost].map((context) => context.peer())).toEqual(['192.0.2.7', '192.0.2.7', '192.0.2.7']);
  expect([outer, inner, innermost].map(({ isSubrequest }) => isSubrequest)).toEqual([false, true, true]);
  for (const context of [inner, innermost]) context.letGo();
  expect(lettings).toBe(0);
  outer.letGo();
  expect(lettings).toBe(1);
});

test.each([
  ['at once', (reply: OutgoingReply) => reply],
  ['later', async (reply: OutgoingReply) => reply],
])('an exception while a request that was answered %s is concluded gives a 500', async (_when, answered) => {
  let handler: RequestHandler | undefined;
  const server = openServer({
    listen(given) {
      handler = given;
      return { port: 1, connections: () => 0, handOver: async () => {}, stop: async () => 0 };
    },
    ...{ requestLogging: 'none', clock: systemClock, log: quietLog(), newRequestId: () => 'r1' },
  });
  const edge = edgeOf(contextDeps(), (context) => {
    context.freeBody = () => {
      context.freeBody = undefined;
      throw new Error('a bug');
    };
    return answered(context.reply(200, 'fine', 'text/plain'));
  });
  server.serve(edge);
  const { promise, resolve } = Promise.withResolvers<OutgoingReply>();
  const now = handler?.handle(anyRequest(), resolve);
  if (now !== undefined) resolve(await now);
  expect((await promise).status).toBe(500);
  await server.close();
});
