/**
 * The composition root of `flowgate check-config --online`: opens the networks of bridges and pools, and checks on chain whether the contracts are those of
 * the configuration.
 */

import { createQuickFractions } from '@flowgate/base/random';
import { ByteBudget, byteBudgetSizes } from '@flowgate/bytes/byte-budget';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { createRuntime } from '../bootstrap/runtime.ts';
import type { Bridge, BridgeSide, SwapPool } from '../bridge/bridges/bridge.ts';
import { configuredBridges, configuredPools } from '../bridge/bridges/configured-bridges.ts';
import { createChainReader } from '../bridge/chain/chain-reader.ts';
import { checkAll } from '../bridge/checks/check-all.ts';
import type { Config } from '../config/config.ts';
import type { ConfigProblem } from '../config/config-file.ts';
import type { Network } from '../upstream/networks/network.ts';
import { openNetworks } from '../upstream/networks/open-networks.ts';
import type { NodeFailure } from '../upstream/port/node-faults.ts';

/** Each problem with its path in the file. Calls only the networks that bridges and pools name; messages contain no URL of a node. */
export async function checkOnline(config: Config): Promise<readonly ConfigProblem[]> {
  const named = [...config.bridges.flatMap(({ l1, l2 }) => [l1, l2]), ...config.swaps];
  const isNamed = ({ dlt, networkId }: { readonly dlt: string; readonly networkId: string }) =>
    named.some((place) => place.dlt === dlt && place.networkId === networkId);
  const runtime = createRuntime(config, { version: '', writeLog: () => {} });
  const { clock, timerWheel, turns, quickTimers: timers, timeSlices: slices, log, randomBytes } = runtime;
  const { limits, outbound, health } = config;
  const networks = openNetworks(config.networks.filter(isNamed), outbound, {
    ...{ log, timerWheel, turns, clock, randomBytes, slices, health, timers },
    answerBudget: new ByteBudget(byteBudgetSizes(limits.maxAnswerBytesInFlight, outbound.maxResponseBytes)),
    random: createQuickFractions(randomBytes),
  });
  try {
    const { network } = networks.directory;
    const [bridges, pools] = [configuredBridges(config.bridges, network), configuredPools(config.swaps, network)];
    const chainOf = ({ network: its }: BridgeSide) => createChainReader(its, slices);
    const { findings, away } = await checkAll({ bridges, pools, chainOf });
    const reported = findings.map(({ of, path, message }) => ({ path: pathOf(bridges, pools, of, path), message }));
    const unanswered = away.map(async (side) => {
      const nth = config.networks.findIndex(({ dlt, networkId }) => dlt === side.dlt && networkId === side.networkId);
      return { path: `networks[${nth}]`, message: await whyAway(side) };
    });
    return [...(await Promise.all(unanswered)), ...reported];
  } finally {
    networks.close();
  }
}

function pathOf(
  bridges: readonly Bridge[],
  pools: readonly SwapPool[],
  of: Bridge | SwapPool,
  path: readonly (string | number)[],
): string {
  const start = 'bridgeId' in of ? `bridges[${bridges.indexOf(of)}]` : `swaps[${pools.indexOf(of)}]`;
  return path.reduce<string>((text, part) => text + (typeof part === 'number' ? `[${part}]` : `.${part}`), start);
}

const timeoutMs = 5_000;

/** A sentence for the operator: the outcome of each node. */
async function whyAway({ network, chainId }: BridgeSide): Promise<string> {
  const nodes = await Promise.all(
    network.nodes.map(async ({ nodeId, pool }: Network['nodes'][number]) => {
      const reply = await pool.send({ ...headQuestion, repeatable: true, timeoutMs });
      return `${nodeId} ${reply.ok ? 'answers no batches and no calls' : (reasons[reply.failure] ?? 'fails')}`;
    }),
  );
  return `no node serves chain ${chainId}: ${nodes.join(', ')}`;
}

const headQuestion = { method: 'eth_blockNumber', params: rangeOf('[]') };

const reasons: Readonly<Partial<Record<NodeFailure, string>>> = {
  unreachable: 'cannot be reached',
  'wrong-chain': 'is of another chain',
  timeout: 'does not answer in time',
  refused: 'refuses the call',
  unusable: 'answers with what is no JSON-RPC',
  overloaded: 'is overloaded',
};
