/** One run of the comparison: starts all contestants, measures in interleaved rounds, ends all of them. */
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { startGenerator } from '@flowgate/devkit/load/generator-process';
import { residentBytes } from '@flowgate/devkit/load/process-usage';
import type { BenchArguments } from './arguments.ts';
import { type Baseline, compare, interleaved, type Sample } from './comparison.ts';
import { connectionsName, measureConnections } from './connections.ts';
import type { BenchNode, Contestant, Entry } from './contestant.ts';
import { nodeItself, startContestants } from './contestants/start-contestants.ts';
import { failoverName, measureFailover } from './failover.ts';
import { latencyName, measureLatencies } from './latency.ts';
import { type Bench, measureCpu, type Progress } from './measure.ts';
import type { Report } from './report.ts';
import { type Scenario, scenarios } from './scenarios.ts';
import { measureStalls, stallName, stallScenarios, stallsOverWebSocket } from './stall.ts';
import { measureSubscribers, subscribersName } from './subscribers.ts';
import { measureWorkers, workersName } from './worker-rows.ts';
import type { Workshop } from './workshop.ts';

const baseline: Baseline = { contestant: 'haproxy', proxied: 'proxied-header' };

const subscriberCount = 10_000;
const subscriberHeads = 5;

type Pair = { readonly contestant: Contestant; readonly scenario: Scenario };

export async function runBench(workshop: Workshop, options: BenchArguments, progress: Progress): Promise<Report> {
  const generator = startGenerator();
  workshop.atEnd(generator.stop);
  const node = await startNode(workshop);
  progress('starting the servers and minting keys');
  const { entries, population } = await startContestants(workshop, node, options);
  const contestants = entries.filter((entry) => 'main' in entry);
  const idle = new Map(contestants.map(({ name, main }) => [name, residentBytes(main.pid)]));
  const bench: Bench = { generator, population, options };
  const { samples, problems } = await measurePairs(bench, pairs(contestants, options), progress);
  const latency = isChosen(latencyName, options) ? await measureLatencies(bench, node, contestants, progress) : [];
  const flowgate = contestants.find(({ name }) => name === 'flowgate');
  const overWebSocket = contestants.find(({ name }) => name === 'flowgate-websocket');
  const stallsOf = async (who: Contestant | undefined, chosen: typeof stallScenarios) =>
    who !== undefined && isChosen(stallName, options) ? measureStalls(bench, who, chosen, progress) : [];
  const stalls = [
    ...(await stallsOf(flowgate, stallScenarios)),
    ...(await stallsOf(overWebSocket, stallsOverWebSocket)),
  ];
  const isCrowd = flowgate !== undefined && isChosen(connectionsName, options);
  const connections = isCrowd ? await measureConnections(bench, flowgate, progress) : [];
  const subscribers = isChosen(subscribersName, options)
    ? await measureSubscribers(subscriberCount, subscriberHeads, progress)
    : [];
  const workers = isChosen(workersName, options)
    ? await measureWorkers(workshop, generator, node, options, progress)
    : [];
  const failover = isChosen(failoverName, options) ? await measureFailover(workshop, generator, options, progress) : [];
  return {
    machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown CPU'}, Bun ${Bun.version}, ${process.platform} ${process.arch}`,
    contestants: entries.map((entry) => ({ name: entry.name, ...absence(entry) })),
    problems,
    rows: compare(samples, baseline),
    latency,
    stalls,
    connections,
    subscribers,
    workers,
    failover,
    memory: contestants.map(({ name, main }) => ({
      contestant: name,
      idleBytes: idle.get(name),
      loadedBytes: residentBytes(main.pid),
    })),
  };
}

function absence(entry: Entry): { readonly absent?: string } {
  return 'absent' in entry ? { absent: entry.absent } : {};
}

function isChosen(name: string, { only }: BenchArguments): boolean {
  return name.startsWith(only ?? '');
}

function chosen(options: BenchArguments): readonly Scenario[] {
  return scenarios.filter(({ name }) => isChosen(name, options));
}

/** The contestants of each scenario. The baseline's proxied call is always included, since other ratios refer to it. */
function pairs(contestants: readonly Contestant[], options: BenchArguments): readonly Pair[] {
  const wanted = chosen(options);
  return scenarios.flatMap((scenario) =>
    contestants
      .filter((contestant) => contestant.does(scenario))
      .filter(({ name }) => scenario.isFlowgates !== true || name === 'flowgate')
      .filter(({ name }) => wanted.includes(scenario) || isReference(name, scenario, wanted))
      .map((contestant) => ({ contestant, scenario })),
  );
}

function isReference(name: string, scenario: Scenario, wanted: readonly Scenario[]): boolean {
  return wanted.length > 0 && name === baseline.contestant && scenario.name === baseline.proxied;
}

export async function startNode(workshop: Workshop): Promise<BenchNode> {
  const program = fileURLToPath(import.meta.resolve('@flowgate/devkit/load/fixed-upstream'));
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const child = Bun.spawn([process.execPath, program], {
    stdio: ['ignore', 'inherit', 'inherit'],
    ipc: resolve,
  });
  workshop.atEnd(async () => {
    child.kill();
    await child.exited;
  });
  return nodeItself(await promise, child.pid);
}

type Measured = { readonly samples: readonly Sample[]; readonly problems: readonly string[] };

/**
 * A contestant that gives a wrong answer is removed from that scenario, with its figures, and reported as a problem.
 */
async function measurePairs(bench: Bench, order: readonly Pair[], progress: Progress): Promise<Measured> {
  const samples: Sample[] = [];
  const problems = new Map<Pair, string>();
  // Round -1 is a warm-up (Bun compiles hot code), and its figures are discarded.
  for (let round = -1; round < bench.options.rounds; round += 1) {
    progress(round < 0 ? 'warming up' : `round ${round + 1} of ${bench.options.rounds}`);
    for (const pair of interleaved(order, round)) {
      if (problems.has(pair)) continue;
      const { contestant, scenario } = pair;
      try {
        samples.push(await measureCpu(bench, contestant, scenario, round));
      } catch (cause) {
        const problem = `${contestant.name}, ${scenario.name}: ${cause instanceof Error ? cause.message : cause}`;
        problems.set(pair, problem);
        progress(problem);
      }
    }
  }
  const sound = order.filter((pair) => !problems.has(pair));
  return {
    samples: inTableOrder(samples, sound).filter(({ round }) => round >= 0),
    problems: [...problems.values()],
  };
}

function inTableOrder(samples: readonly Sample[], order: readonly Pair[]): readonly Sample[] {
  return order.flatMap(({ contestant, scenario }) =>
    samples.filter((sample) => sample.scenario === scenario.name && sample.contestant === contestant.name),
  );
}
