import { expect, test } from 'bun:test';
import { systemClock } from '../platform/clock.ts';
import { createDeadlines } from '../platform/deadlines.ts';
import { openHttpNode } from './http-node.ts';
import type { NodeTransport } from './node-transport.ts';

test('a node gets the message as JSON with the operator’s headers, and its status and text come back as they are', async () => {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) =>
      Response.json(
        { type: request.headers.get('content-type'), key: request.headers.get('x-key'), body: await request.text() },
        { status: 429 },
      ),
  });
  const node = openHttpNode({
    nodeId: 'dev-1',
    url: server.url.href,
    headers: { 'X-Key': 'k' },
    timeoutMs: 5_000,
    deadlines: createDeadlines(systemClock),
  });
  const target: NodeTransport = node;
  expect(target.nodeId).toBe('dev-1');
  expect(await target.send('{"id":1.0}')).toEqual({
    ok: true,
    status: 429,
    body: '{"type":"application/json","key":"k","body":"{\\"id\\":1.0}"}',
  });
  expect(node.stats()).toEqual({ open: 1, idle: 1, waiting: 0 });
  node.close();
  expect(await target.send('{}')).toMatchObject({ ok: false, failure: 'broken', sent: false });
  await server.stop(true);
});
