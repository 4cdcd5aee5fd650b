import { expect, test } from 'bun:test';
import { systemClock } from '../platform/clock.ts';
import { createTimerWheel } from '../platform/timer-wheel.ts';
import { chainQuestion } from './chain-proof.ts';
import { openHttpNode } from './http-node.ts';
import type { NodeTransport } from './node-transport.ts';

const call = { timeoutMs: 5_000 };
const proof = '{"jsonrpc":"2.0","id":0,"result":"0x1"}';

test('a node gets the message as JSON with the operator’s headers, and its status and text come back as they are', async () => {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const body = await request.text();
      if (body === chainQuestion) return new Response(proof);
      const { headers } = request;
      return Response.json(
        { type: headers.get('content-type'), key: headers.get('x-key'), body },
        { status: 429, headers: { 'Retry-After': '7' } },
      );
    },
  });
  const node = openHttpNode({
    nodeId: 'dev-1',
    chainId: 1,
    url: server.url.href,
    headers: { 'X-Key': 'k' },
    timeoutMs: 5_000,
    timerWheel: createTimerWheel(systemClock),
  });
  const target: NodeTransport = node;
  expect(target.nodeId).toBe('dev-1');
  expect(await target.send('{"id":1.0}', call)).toEqual({
    ok: true,
    status: 429,
    body: '{"type":"application/json","key":"k","body":"{\\"id\\":1.0}"}',
    retryAfter: '7',
  });
  expect(node.stats()).toEqual({ open: 1, idle: 1, waiting: 0 });
  node.close();
  expect(await target.send('{}', call)).toMatchObject({ ok: false, failure: 'broken', sent: false });
  await server.stop(true);
});
