/**
 * Measures the cost of counting: a gateway with `server.metrics` and one without, in turn, CPU time of the gateway for
 * each call. `bun apps/gateway/bench/metrics.ts [--rounds 20] [--ms 1000]`. Also prints the nanoseconds of the counting
 * alone, and the resident memory of both when idle.
 */
import { parseArgs } from 'node:util';
import { systemClock } from '@flowgate/base/clock';
import { startGenerator } from '@flowgate/devkit/load/generator-process';
import { spread } from '@flowgate/devkit/load/percentiles';
import { cpuSeconds, residentBytes } from '@flowgate/devkit/load/process-usage';
import { createInstruments } from '../src/bootstrap/create-instruments.ts';
import { RpcContext } from '../src/edge/contexts/rpc-context.ts';
import { createRequestMeter } from '../src/edge/meters/request-meter.ts';
import { startGateway } from '../test/fixtures/running-gateway.ts';
import { startNode } from './bench.ts';
import { scenarios } from './scenarios.ts';
import { Workshop } from './workshop.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '20' }, ms: { type: 'string', default: '1000' } },
});
const [rounds, durationMs] = [Number(values.rounds), Number(values.ms)];
const measured = scenarios.filter(({ name }) => name === 'proxied-header' || name === 'blocked');

console.log(`counting one call: ${countingNs().toFixed(0)} ns`);
const workshop = new Workshop();
try {
  const node = await startNode(workshop);
  const networks = [
    {
      ...{ dlt: 'ethereum', networkId: 'dev', chainId: 31337, default: true },
      nodes: [{ nodeId: 'dev-1', url: `http://127.0.0.1:${node.main.port}` }],
    },
  ];
  const config = { networks, limits: { userPerMinute: 1_000_000_000 }, log: { requests: 'none' } };
  const contestants = await Promise.all(
    [{}, { metrics: { port: 0 } }].map(async (server) => {
      const gateway = await startGateway({ config: { ...config, server } });
      workshop.atEnd(gateway.stop);
      const generator = startGenerator();
      workshop.atEnd(generator.stop);
      return { gateway, generator, key: (await gateway.mint()).apiKey };
    }),
  );
  const memory = contestants.map(({ gateway }) => (residentBytes(gateway.process.pid) ?? 0) / 2 ** 20);
  console.log(`idle, MiB: ${memory.map((each) => each.toFixed(1)).join(' without, ')} with`);
  for (const { name, requests, expectation } of measured) {
    for (const { gateway, generator, key } of contestants) {
      const population = { hot: [{ key, userId: 'alice' }], unknown: [], cold: [], spent: [] };
      const job = { ...requests(population, 0), port: gateway.port };
      await generator.prepare({ requests: job, expectation, connections: 32, warmUpMs: 2_000 });
    }
    const used: number[][] = [[], []];
    for (let round = 0; round < rounds; round++)
      for (const [at, { gateway, generator }] of contestants.entries()) {
        const before = cpuSeconds(gateway.process.pid) ?? 0;
        const { answers } = await generator.measure({ kind: 'closed', durationMs });
        used[at]?.push((((cpuSeconds(gateway.process.pid) ?? 0) - before) * 1e6) / answers);
      }
    const ratios = spread((used[1] ?? []).map((each, at) => each / (used[0]?.[at] ?? 1)));
    const [plain, counted] = used.map(spread);
    console.log(
      `${name}: ${plain?.median.toFixed(2)} µs without, ${counted?.median.toFixed(2)} µs with; ratio of neighboring rounds ${ratios.median.toFixed(3)} (${ratios.low.toFixed(3)} to ${ratios.high.toFixed(3)})`,
    );
    for (const { generator } of contestants) await generator.release();
  }
} finally {
  await workshop.close();
}
process.exit(0);

/** What `createRequestMeter` and an attempt at a node add to a call. */
function countingNs(): number {
  const instruments = createInstruments({ clock: systemClock, version: 'bench' });
  const meter = createRequestMeter(instruments, systemClock);
  const tries = instruments.nodeRequests.with('ethereum/dev', 'dev-1', 'answered');
  const context: RpcContext = Object.assign(Object.create(RpcContext.prototype), { openedMs: systemClock.monotonic() });
  const calls = 5_000_000;
  let min = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 6; round++) {
    const before = process.cpuUsage();
    for (let call = 0; call < calls; call++) {
      meter(context);
      tries.add();
    }
    const { user, system } = process.cpuUsage(before);
    min = Math.min(min, ((user + system) * 1000) / calls);
  }
  return min;
}
