/**
 * Measures submissions of steps and creations of keys: their number per second, their latency, and their CPU time in
 * the gateway, with an app that does nothing: `bun apps/gateway/bench/flow.ts [--seconds N] [--rounds N] [--postgres]
 * [--against DIRECTORY]`. Another checkout is measured in turn in the same run, because only the ratio counts.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cpuSeconds } from '@flowgate/devkit/load/process-usage';
import { testPostgres } from '@flowgate/testing/postgres';
import { flowAppSecret, publishFlowApp, reachesLoopback } from '../test/fixtures/flow-app.ts';
import { flowClient } from '../test/fixtures/flow-client.ts';
import { type RunningGateway, startGateway } from '../test/fixtures/running-gateway.ts';
import { idleStep } from './flow-idle-app.ts';
import type { FlowLoad, FlowResult, FlowTask } from './flow-load.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    postgres: { type: 'boolean', default: false },
    against: { type: 'string' },
  },
});
const generous = 1_000_000_000;
const embeddedModule = `export default { appId: 'bench/embedded', name: 'Bench', version: '1.0.0', steps: [{ stepId: 'count' }],
  renderStep: () => ({ step: ${JSON.stringify(idleStep)} }) };`;

type Contestant = { readonly name: string; readonly gateway: RunningGateway };
type Case = { readonly name: string; readonly tasks: (contestant: Contestant) => Promise<readonly FlowTask[]> };
type Sample = { readonly perSecond: number; readonly p50Ms: number; readonly p99Ms: number; readonly cpuUs: number };

const steps = (kind: 'step' | 'replay', appId: string, clients: number) => {
  return async ({ gateway }: Contestant): Promise<readonly FlowTask[]> =>
    Promise.all(
      Array.from({ length: clients }, async () => {
        const { sessionId, stateVersion } = await flowClient(gateway).start(appId);
        return { kind, token: gateway.token('alice'), sessionId, stateVersion };
      }),
    );
};
const mints = (clients: number) => {
  return async ({ gateway }: Contestant): Promise<readonly FlowTask[]> =>
    Array.from({ length: clients }, (_, at) => ({ kind: 'mint', token: gateway.token(`minter-${at}`) }));
};

const cases: readonly Case[] = [
  ...(['bench/embedded', 'acme/counter'] as const).flatMap((appId) =>
    [1, 16, 64].map((clients) => ({
      name: `${appId === 'acme/counter' ? 'app over HTTP' : 'embedded app'}, ${clients}`,
      tasks: steps('step', appId, clients),
    })),
  ),
  { name: 'replays, 16', tasks: steps('replay', 'bench/embedded', 16) },
  { name: 'mints, 1', tasks: mints(1) },
  { name: 'mints, 64', tasks: mints(64) },
  {
    name: 'a mint during 64 submissions',
    tasks: async (contestant) => [
      ...(await mints(1)(contestant)),
      ...(await steps('step', 'bench/embedded', 64)(contestant)),
    ],
  },
];

async function measure(
  { gateway }: Contestant,
  tasks: readonly FlowTask[],
): Promise<Sample & { readonly refused: string }> {
  const job: FlowLoad = { port: gateway.port, seconds: Number(values.seconds), tasks };
  const before = cpuSeconds(gateway.process.pid) ?? Number.NaN;
  const load = Bun.spawn([process.execPath, join(import.meta.dir, 'flow-load.ts')], {
    stdin: new Blob([JSON.stringify(job)]),
    stdout: 'pipe',
  });
  const results: Partial<Record<FlowTask['kind'], FlowResult>> = JSON.parse(await new Response(load.stdout).text());
  const after = cpuSeconds(gateway.process.pid) ?? Number.NaN;
  // The first kind is measured while the others run.
  const [first] = tasks;
  const result = first === undefined ? undefined : results[first.kind];
  if (result === undefined) throw new Error('nothing was measured');
  const all = Object.values(results).reduce((sum, { answers }) => sum + answers, 0);
  const refused = Object.values(results).flatMap((each) => Object.entries(each.refused));
  return {
    ...result,
    cpuUs: ((after - before) * 1e6) / all,
    refused: refused.map(([status, count]) => `, ${count} answered ${status}`).join(''),
  };
}

async function start(
  name: string,
  main: string,
  moduleFile: string,
  app: { url: string; secret: string },
): Promise<Contestant> {
  const gateway = await startGateway({
    command: [process.execPath, main],
    config: {
      ...reachesLoopback,
      limits: { userPerMinute: generous, sessionPerMinute: generous },
      log: { level: 'info', requests: 'none' },
      flow: { embeddedApps: [moduleFile], maxActiveSessions: 1_000 },
      ...(values.postgres ? { storage: { database: await (await testPostgres()).freshDatabase() } } : {}),
    },
  });
  await publishFlowApp(gateway, app);
  return { name, gateway };
}

const directory = await mkdtemp(join(tmpdir(), 'flowgate-bench-'));
const moduleFile = join(directory, 'embedded.ts');
await Bun.write(moduleFile, embeddedModule);
const appProcess = Bun.spawn([process.execPath, join(import.meta.dir, 'flow-idle-app.ts')], { stdout: 'pipe' });
const port = await appProcess.stdout.getReader().read();
const app = { url: `http://127.0.0.1:${new TextDecoder().decode(port.value).trim()}`, secret: flowAppSecret };
const mainOf = (checkout: string) => join(checkout, 'apps', 'cli', 'src', 'main.ts');
const contestants = [
  await start('this', mainOf(join(import.meta.dir, '../../..')), moduleFile, app),
  ...(values.against === undefined ? [] : [await start('other', mainOf(values.against), moduleFile, app)]),
];
const samples = new Map<string, Sample[]>();
try {
  for (let round = 0; round < Number(values.rounds); round++)
    for (const { name, tasks } of cases)
      for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed()) {
        const { refused, ...sample } = await measure(contestant, await tasks(contestant));
        const key = `${name}: ${contestant.name}`;
        samples.set(key, [...(samples.get(key) ?? []), sample]);
        if (refused !== '') console.log(`${key}${refused}`);
      }
} finally {
  for (const { gateway } of contestants) await gateway.stop();
  appProcess.kill();
  await rm(directory, { recursive: true, force: true });
}

const median = (all: readonly Sample[], of: (sample: Sample) => number) =>
  all.map(of).sort((left, right) => left - right)[Math.floor(all.length / 2)] ?? Number.NaN;
for (const { name } of cases) {
  const [mine, others] = ['this', 'other'].map((contestant) => samples.get(`${name}: ${contestant}`));
  for (const [contestant, all] of [
    ['this', mine],
    ['other', others],
  ] as const)
    if (all !== undefined)
      console.log(
        `${name}: ${contestant} ${median(all, (each) => each.perSecond).toFixed(0)} a second, p50 ${median(all, (each) => each.p50Ms).toFixed(1)} ms, p99 ${median(all, (each) => each.p99Ms).toFixed(1)} ms, CPU ${median(all, (each) => each.cpuUs).toFixed(0)} µs`,
      );
  if (mine === undefined || others === undefined) continue;
  // Ratios are within a round, as in `npm run bench`.
  const ratio = (of: (sample: Sample) => number) =>
    median(
      mine.map((sample, at) => ({ ...sample, perSecond: of(sample) / of(others[at] ?? sample) })),
      ({ perSecond }) => perSecond,
    ).toFixed(2);
  console.log(
    `  × other: ${ratio((each) => each.perSecond)} a second, ${ratio((each) => each.p50Ms)} p50, ${ratio((each) => each.cpuUs)} CPU`,
  );
}
process.exit(0);
