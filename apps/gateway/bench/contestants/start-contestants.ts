/** Starts all contestants, in the order of the tables. */
import type { BenchArguments } from '../arguments.ts';
import { type BenchNode, type ContestantName, type Entry, policyCounts } from '../contestant.ts';
import { makeUp, type Population, populate } from '../population.ts';
import { coldKeysPerTurn } from '../scenarios.ts';
import type { Workshop } from '../workshop.ts';
import { portIn, startBunFloor } from './bun-floor.ts';
import { prepareFlowgate } from './flowgate.ts';
import { startHaproxy } from './haproxy.ts';
import { startNginx } from './nginx.ts';
import { startNginxLua } from './nginx-lua.ts';

export type Contestants = { readonly entries: readonly Entry[]; readonly population: Population };

const hotKeys = 1000;

export async function startContestants(
  workshop: Workshop,
  node: BenchNode,
  options: BenchArguments,
): Promise<Contestants> {
  const upstreamPort = node.main.port;
  const runs = (name: ContestantName): boolean => !options.without.has(name);
  const bunArguments = options.profile === undefined ? [] : profiling(options.profile);
  const flowgate = runs('flowgate') ? await prepareFlowgate({ workshop, node, bunArguments }) : undefined;
  const cold = 'cold-key'.startsWith(options.only ?? '') ? (options.rounds + 1) * coldKeysPerTurn : 0;
  const population = await populate(flowgate?.mint ?? makeUp, { hot: hotKeys, cold });
  const around = { workshop, population, upstreamPort };
  const entries: Entry[] = [];
  if (flowgate !== undefined) entries.push(await flowgate.start());
  if (flowgate !== undefined && runs('flowgate-pipelined')) entries.push(await flowgate.startPipelined());
  if (flowgate !== undefined && runs('flowgate-websocket')) entries.push(await flowgate.startOverWebSocket());
  if (flowgate !== undefined && runs('flowgate-redis')) entries.push(await flowgate.startWithRedis());
  if (flowgate !== undefined)
    for (const count of policyCounts)
      if (runs(`flowgate-policies-${count}`)) entries.push(await flowgate.startWithPolicies(count));
  if (runs('haproxy')) entries.push(await startHaproxy(around));
  if (runs('nginx')) entries.push(await startNginx(around));
  if (runs('nginx-lua')) entries.push(await startNginxLua(around, options.luaRoot));
  if (runs('bun-fetch')) entries.push(await startBunFloor('fetch', around));
  if (runs('bun-fixed')) entries.push(await startBunFloor('fixed', around));
  return { entries, population };
}

function profiling(directory: string): readonly string[] {
  return ['--cpu-prof', '--cpu-prof-md', '--cpu-prof-interval=200', `--cpu-prof-dir=${directory}`];
}

/** The node itself, to measure direct calls. `message`: the report of its process. */
export function nodeItself(message: unknown, pid: number): BenchNode {
  return {
    ...{ name: 'node', main: { port: portIn(message), pid }, socketPort: portIn(message, 'socketPort') },
    does: () => false,
    expects: ({ expectation }) => expectation,
  };
}
