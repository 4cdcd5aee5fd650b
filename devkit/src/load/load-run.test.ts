import { afterAll, afterEach, expect, test } from 'bun:test';
import { fixedAnswer, startFixedUpstream } from './fixed-upstream.ts';
import type { LoadJob } from './load-job.ts';
import { LoadRun } from './load-run.ts';

const upstream = startFixedUpstream();
const runs: LoadRun[] = [];
afterEach(() => {
  for (const run of runs.splice(0)) run.close();
});
afterAll(upstream.stop);

function jobFor(port: number, more: Partial<LoadJob> = {}): LoadJob {
  const requests = {
    port,
    path: '/rpc',
    keyHeader: 'X-API-Key',
    keys: ['a', 'b', 'c'],
    method: 'eth_blockNumber',
    params: [],
  };
  return {
    requests: { ...requests, batchSize: 1 },
    expectation: { status: 200, body: 'result' },
    connections: 2,
    warmUpMs: 0,
    ...more,
  };
}

async function prepared(job: LoadJob): Promise<LoadRun> {
  const run = new LoadRun(job, Bun.nanoseconds);
  runs.push(run);
  await run.prepare();
  return run;
}

test('the pace "once" sends each request exactly once', async () => {
  const run = await prepared(jobFor(upstream.port));
  expect((await run.measure({ kind: 'once' })).answers).toBe(3);
});

test("an open loop sends its rate's number of requests, and a run can be measured again", async () => {
  const run = await prepared(jobFor(upstream.port, { warmUpMs: 5 }));
  const first = await run.measure({ kind: 'open', perSecond: 1000, durationMs: 50 });
  expect(first.answers).toBe(50);
  expect(first.p99Us).toBeGreaterThanOrEqual(first.p50Us);
  expect((await run.measure({ kind: 'open', perSecond: 1000, durationMs: 20 })).answers).toBe(20);
});

test('a stall adds to the latency of each request due during it (no coordinated omission)', async () => {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const body = await request.text();
      // Real time: the stall.
      if (body.includes('"id":1000')) await Bun.sleep(100);
      return new Response(fixedAnswer(body));
    },
  });
  const requests = {
    ...jobFor(server.port ?? 0).requests,
    keys: Array.from({ length: 100 }, (_, index) => `k${index}`),
  };
  const run = await prepared(jobFor(server.port ?? 0, { requests, connections: 1 }));
  const result = await run.measure({ kind: 'open', perSecond: 1000, durationMs: 100 });
  await server.stop(true);
  expect(result.answers).toBe(100);
  expect(result.p50Us).toBeGreaterThan(20_000);
});

test('a wrong answer fails the measurement', async () => {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('{"id":1}') });
  const run = await prepared(jobFor(server.port ?? 0));
  await expect(run.measure({ kind: 'once' })).rejects.toThrow('id is not');
  const refused = await prepared(jobFor(server.port ?? 0, { expectation: { status: 403, body: 'any' } }));
  await expect(refused.measure({ kind: 'once' })).rejects.toThrow('status 200 instead of 403');
  await server.stop(true);
});

test('a batch is checked call by call', async () => {
  const job = jobFor(upstream.port);
  const run = await prepared({ ...job, requests: { ...job.requests, batchSize: 100 } });
  expect((await run.measure({ kind: 'once' })).answers).toBe(3);
});

test('the digits of {fresh} differ in each call of each request', async () => {
  const seen: string[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const body = await request.text();
      seen.push(...(body.match(/0x0{24}[0-9a-f]{16}"/g) ?? []));
      return new Response(fixedAnswer(body));
    },
  });
  try {
    const job = jobFor(server.port ?? 0);
    const params = ['0x000000000000000000000000{fresh}', 'latest'];
    const run = await prepared({ ...job, requests: { ...job.requests, params, batchSize: 10 } });
    for (const _ of [1, 2, 3]) await run.measure({ kind: 'once' });
    expect(seen).toHaveLength(90);
    expect(new Set(seen).size).toBe(90);
  } finally {
    await server.stop(true);
  }
});
