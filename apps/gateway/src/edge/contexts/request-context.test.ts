import { expect, test } from 'bun:test';
import { anyRequest, contextDeps } from '../../../test/fixtures/context-deps.ts';
import { AgentContext } from './agent-context.ts';
import { RequestContext } from './request-context.ts';

const asked = () => anyRequest(new Request('http://gateway/', { headers: { 'Accept-Encoding': 'gzip' } }));
const long = 'a'.repeat(2_000);

test('an answer that holds a secret is never compressed, because its size would reveal the secret (contract/conventions#compression)', () => {
  const context = new RequestContext(asked(), '/', 'r1', contextDeps());
  const { headers, body } = context.reply(201, long, 'text/plain', { 'Cache-Control': 'no-store' });
  expect([headers['Content-Encoding'], headers['Vary'], body]).toEqual([undefined, undefined, long]);
  expect(context.reply(200, long, 'text/plain').headers['Content-Encoding']).toBe('gzip');
});

test('an answer to an agent, or inside the gateway, is not compressed', () => {
  const parts = contextDeps();
  const outer = new AgentContext(asked(), '/mcp', 'r1', parts);
  const inner = new RequestContext(asked(), '/', 'r2', parts, outer);
  for (const context of [outer, inner])
    expect(context.reply(200, long, 'text/plain').headers['Content-Encoding']).toBeUndefined();
});

test('the same byte array is compressed once', () => {
  const page = Buffer.from(long);
  const bodies = [0, 1].map(
    () => new RequestContext(asked(), '/', 'r1', contextDeps()).reply(200, page, 'text/html').body,
  );
  expect(bodies[0]).toBe(bodies[1] ?? null);
});
