/** A run of faults over a simulated bridge: crashes, reorganizations, nodes that lie. At every comparison the gateways report what the model expects. */

import { until } from '@flowgate/testing/until';
import { runFlowgate } from '../../apps/gateway/test/fixtures/run-flowgate.ts';
import { createSimBridge, type SimSide } from '../../apps/gateway/test/fixtures/sim-bridge.ts';
import { startSimBridgeNode } from '../../apps/gateway/test/fixtures/sim-bridge-node.ts';
import {
  type BridgeGateways,
  type BridgeGatewaysOptions,
  confirmations,
  runtimeOf,
  startBridgeGateways,
} from './bridge-gateways.ts';
import { createBridgeWalk } from './bridge-walk.ts';
import { countOf, type Differences, differences, noDifferences } from './differences.ts';
import { healAll, makeTrouble } from './node-trouble.ts';
import { seenView } from './seen.ts';

export type RunOptions = Pick<BridgeGatewaysOptions, 'engine' | 'command'> & {
  readonly seed: number;
  readonly crashes: number;
  readonly reorganizations: number;
  /** Steps between two comparisons. */
  readonly lookEvery: number;
  readonly report?: (text: string) => void;
  /** The time limit of a comparison: records that wait long are checked every minute. */
  readonly settleMs?: number;
};

export type RunFigures = {
  readonly steps: number;
  readonly crashes: number;
  readonly reorganizations: number;
  readonly troubles: number;
  readonly stops: number;
  readonly reindexes: number;
  /** The number of times that the database was unavailable. */
  readonly aways: number;
  readonly looks: number;
  readonly records: number;
  readonly differences: Differences;
  /** The durations of the comparisons. */
  readonly settledMs: readonly number[];
};

/** Steps until the requested crashes and reorganizations have happened. Differences throw no error: they are among the figures. */
export async function runFaults(options: RunOptions): Promise<RunFigures> {
  const { seed, report = () => {}, settleMs = 90_000 } = options;
  const bridge = createSimBridge({ seed, startTime: Math.floor(Date.now() / 1000) - 86_400 });
  const walk = createBridgeWalk(bridge);
  const { chance } = bridge;
  for (let step = 0; step < 12; step++) walk.step();
  const start = (side: SimSide) => [
    startSimBridgeNode(bridge, side, { limits: { blockRange: 9, results: 20 }, refusal: 'alchemy' }),
    startSimBridgeNode(bridge, side),
  ];
  const nodes = { l1: start('l1'), l2: start('l2') };
  const cluster = await startBridgeGateways(runtimeOf(bridge, nodes), options);
  const counts = { steps: 0, crashes: 0, troubles: 0, stops: 0, reindexes: 0, aways: 0, looks: 0 };
  const found: { -readonly [Name in keyof Differences]: string[] } = { gaps: [], doubles: [], wrong: [] };
  const settledMs: number[] = [];
  let records = 0;

  async function look(): Promise<void> {
    counts.looks++;
    healAll(nodes);
    bridge.mine('l1');
    bridge.derive();
    bridge.mine('l2');
    await cluster.expireLeases();
    const startedMs = performance.now();
    const { left, count } = await settled(cluster, bridge, settleMs);
    records = count;
    settledMs.push(performance.now() - startedMs);
    for (const name of ['gaps', 'doubles', 'wrong'] as const)
      found[name].push(...left[name].map((text) => `look ${counts.looks} (step ${counts.steps}): ${text}`));
    for (const text of Object.values(left).flat()) report(text);
    report(
      `look ${counts.looks}: ${count} records, ${countOf(left)} differences, ${Math.round(settledMs.at(-1) ?? 0)} ms`,
    );
  }

  try {
    await look();
    while (counts.crashes < options.crashes || walk.reorganizations() < options.reorganizations) {
      counts.steps++;
      walk.step();
      if (walk.reorganizations() < options.reorganizations && chance(2) === 0)
        report(`reorganized ${walk.reorganize()}`);
      if (chance(3) === 0) {
        healAll(nodes);
        for (const trouble of makeTrouble(bridge, nodes, counts.troubles)) {
          counts.troubles++;
          report(trouble);
        }
      }
      if (chance(25) === 0) counts.reindexes += await reindex(cluster, chance(2) === 0 ? 'main' : 'swaps/ethereum/l2');
      if (chance(30) === 0) {
        counts.aways++;
        await cluster.databaseAway(chance(3_000));
      }
      // Real time: a random moment of the gateway's work.
      await Bun.sleep(chance(400));
      if (counts.crashes < options.crashes && chance(2) === 0) {
        counts.crashes++;
        await cluster.gateways[chance(cluster.gateways.length)]?.restart();
        await cluster.expireLeases();
      } else if (chance(20) === 0) counts.stops += await standStill(cluster, chance(cluster.gateways.length));
      if (counts.steps % options.lookEvery === 0) await look();
    }
    await look();
  } finally {
    await cluster.stop();
    for (const node of [...nodes.l1, ...nodes.l2]) node.stop();
  }
  return {
    ...counts,
    ...{ reorganizations: walk.reorganizations(), records, settledMs, differences: found },
  };
}

/** Asks again while the database is unavailable or the machine too busy. */
function busyOnly(error: unknown): undefined {
  if (!String(error).includes('answered 503')) throw error;
}

/** The differences that remain after a while, and the number of reported records. */
async function settled(
  cluster: BridgeGateways,
  bridge: Parameters<typeof differences>[0],
  withinMs: number,
): Promise<{ readonly left: Differences; readonly count: number }> {
  let left = noDifferences;
  let count = 0;
  let tries = 0;
  const isSettled = async () => {
    // The chains advance: some records are due by their time.
    if (++tries % 10 === 0) {
      if (tries === 20) bridge.skip(12);
      bridge.mine('l1');
      bridge.derive();
    }
    const seen = await seenView(cluster.asks(0)).catch(busyOnly);
    if (seen === undefined) return false;
    count = seen.deposits.length + seen.withdrawals.length + seen.history.length;
    left = differences(bridge, seen, confirmations);
    return countOf(left) === 0;
  };
  await until('every record is reported', isSettled, withinMs, 100).catch((error: unknown) => {
    if (countOf(left) === 0) throw error;
  });
  return { left, count };
}

/** Stops a gateway for longer than its lease lasts: another one leads, and then it continues. */
async function standStill(cluster: BridgeGateways, nth: number): Promise<number> {
  const process = cluster.gateways[nth]?.process;
  process?.kill('SIGSTOP');
  await cluster.expireLeases();
  // Real time: another gateway takes over meanwhile.
  await Bun.sleep(1_500);
  process?.kill('SIGCONT');
  return 1;
}

/** Runs while the leader works. */
async function reindex({ gateways: [first] }: BridgeGateways, target: string): Promise<number> {
  const args = ['reindex', target, '--from', '3', '--config', first?.configFile ?? ''];
  const { code, stderr } = await runFlowgate(args, { FLOWGATE_PEPPER: 'x'.repeat(40) });
  if (code !== 0) throw new Error(`reindex ended with ${code}: ${stderr}`);
  return 1;
}
