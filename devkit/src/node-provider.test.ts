import { afterAll, expect, test } from 'bun:test';
import { startNodeProvider } from './node-provider.ts';

const chain = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async (request) => new Response(await request.text(), { status: 200 }),
});
const provider = startNodeProvider({ rpcUrl: chain.url.href });
afterAll(() => Promise.all([provider.stop(), chain.stop(true)]));

const key = 'local-provider-key-1';
const post = (path: string) => fetch(provider.url + path, { method: 'POST', body: '{"id":1}' });

test('only calls with a well-formed key reach the chain', async () => {
  const answer = await post(`/${key}`);
  expect([answer.status, await answer.text()]).toEqual([200, '{"id":1}']);
  for (const path of ['', '/', '/short', `/${key}/more`, `/${'k'.repeat(129)}`])
    expect([path, (await post(path)).status]).toEqual([path, 404]);
  expect((await fetch(`${provider.url}/${key}`)).status).toBe(405);
});

test('a stopped chain is a 502', async () => {
  const orphan = startNodeProvider({ rpcUrl: 'http://127.0.0.1:9' });
  const answer = await fetch(`${orphan.url}/${key}`, { method: 'POST', body: '{}' });
  await orphan.stop();
  expect(answer.status).toBe(502);
});
