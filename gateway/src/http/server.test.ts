/** The server between listening and serving, and what a request that is part of another has of that one's connection. */

import { afterEach, expect, test } from 'bun:test';
import { contextParts } from '../../test/fixtures/context-parts.ts';
import { quietLog } from '../../test/fixtures/quiet-log.ts';
import { openRaw, rawRequest } from '../../test/fixtures/raw-http.ts';
import { systemClock } from '../platform/clock.ts';
import type { Connections } from './connections.ts';
import { RequestContext } from './request-context.ts';
import { type GatewayServer, openServer } from './server.ts';

const servers: GatewayServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

function listen(port = 0): GatewayServer {
  const server = openServer({
    hostname: '127.0.0.1',
    port,
    requestLogging: 'none',
    bodyTimeoutSeconds: 30,
    clock: systemClock,
    log: quietLog(),
    newRequestId: () => 'r1',
  });
  servers.push(server);
  return server;
}

function serveAddresses(server: GatewayServer): void {
  const contexts = contextParts({ connections: server });
  server.serve({
    open: (request, id) => new RequestContext(request, '/', id, contexts),
    answer: (context) => context.reply(200, context.peer(), 'text/plain'),
  });
}

test('a request that comes before anything is served waits, and is then answered as any other', async () => {
  const server = listen();
  const early = await openRaw(server.port);
  early.send(rawRequest('GET / HTTP/1.1', ['Host: gateway']));
  const answer = early.next();
  // The loop that reads the request turns meanwhile.
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

test('a server that is closed before it serves answers nobody, and its port is free again', async () => {
  const server = listen();
  const early = await openRaw(server.port);
  early.send(rawRequest('GET / HTTP/1.1', ['Host: gateway']));
  await server.close();
  expect(await early.next()).toBeUndefined();
  const next = listen(server.port);
  serveAddresses(next);
  expect(await (await fetch(`http://127.0.0.1:${next.port}/`)).text()).toBe('127.0.0.1');
});

test('a request that is part of another comes from where that one came, and asks nothing of its connection', () => {
  const asked: string[] = [];
  const connections: Connections = {
    peerOf: (request) => request.headers.get('x-test-peer') ?? 'nobody',
    keepOpen: () => asked.push('keepOpen'),
    letGo: () => asked.push('letGo'),
    rest: () => asked.push('rest'),
  };
  const contexts = contextParts({ connections });
  const arrived = new Request('http://gateway/mcp', { headers: { 'X-Test-Peer': '192.0.2.7' } });
  const outer = new RequestContext(arrived, '/mcp', 'r1', contexts);
  const inner = new RequestContext(new Request('http://gateway.invalid/rpc'), '/rpc', 'r1', contexts, outer);
  const innermost = new RequestContext(new Request('http://gateway.invalid/rpc'), '/rpc', 'r1', contexts, inner);
  expect([outer, inner, innermost].map((context) => context.peer())).toEqual(['192.0.2.7', '192.0.2.7', '192.0.2.7']);
  expect([outer, inner, innermost].map(({ isSubrequest }) => isSubrequest)).toEqual([false, true, true]);
  for (const context of [inner, innermost]) {
    context.keepOpen();
    context.letGo();
    context.rest();
  }
  expect(asked).toEqual([]);
  outer.keepOpen();
  outer.letGo();
  outer.rest();
  expect(asked).toEqual(['keepOpen', 'letGo', 'rest']);
});
