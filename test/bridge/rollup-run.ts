/** A gateway in front of the real local rollup: at every comparison its view equals what viem's op-stack actions report. */

import { startLocalRollup } from '@flowgate/devkit/rollup/local-rollup';
import { chanceFrom } from '@flowgate/testing/seeded-chance';
import { until } from '@flowgate/testing/until';
import { privateKeyToAccount } from 'viem/accounts';
import { rollupClients, rollupControl } from '../../devkit/test/rollup-clients.ts';
import { type BridgeGatewaysOptions, startBridgeGateways } from './bridge-gateways.ts';
import { disagreements } from './rollup-agreement.ts';
import { createRollupWalk } from './rollup-walk.ts';
import { seenView } from './seen.ts';

export type RollupRunOptions = Pick<BridgeGatewaysOptions, 'engine' | 'command'> & {
  readonly seed: number;
  readonly steps: number;
  readonly lookEvery: number;
  readonly report?: (text: string) => void;
  readonly settleMs?: number;
};

export type RollupRunFigures = {
  readonly steps: number;
  readonly looks: number;
  readonly deposits: number;
  readonly withdrawals: number;
  /** Withdrawals by status, over all comparisons. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly disagreements: readonly string[];
};

export async function runOnRollup(options: RollupRunOptions): Promise<RollupRunFigures> {
  const { seed, steps, lookEvery, report = () => {}, settleMs = 40_000 } = options;
  const errors: unknown[] = [];
  const rollup = await startLocalRollup({ isAutomatic: false, onError: (error) => errors.push(error) });
  const { bridge } = rollup;
  const { portal, l1StandardBridge, l1CrossDomainMessenger, disputeGameFactory } = bridge.contracts;
  const people = bridge.accounts.map(({ privateKey }) => privateKeyToAccount(`0x${privateKey.slice(2)}`));
  const cluster = await startBridgeGateways(
    {
      chainIds: { l1: bridge.l1.chainId, l2: bridge.l2.chainId },
      urls: { l1: [bridge.l1.url], l2: [bridge.l2.url] },
      contracts: { portal, l1StandardBridge, l1CrossDomainMessenger, disputeGameFactory },
      pools: [{ poolId: 'local', form: 'v2', address: bridge.contracts.pool }],
      people: people.slice(0, 12),
    },
    { ...options, count: 1 },
  );
  const walk = createRollupWalk(rollup, chanceFrom(seed));
  const clients = rollupClients(bridge);
  const control = rollupControl(bridge.controlUrl);
  const found: string[] = [];
  const statuses: Record<string, number> = {};
  let looks = 0;

  async function look(step: number): Promise<void> {
    looks++;
    let left: readonly string[] = [];
    const agrees = async () => {
      const seen = await seenView(cluster.asks());
      left = await disagreements(clients, bridge.contracts, walk.sent(), seen);
      if (left.length === 0) for (const { status } of seen.withdrawals) statuses[status] = (statuses[status] ?? 0) + 1;
      return left.length === 0;
    };
    await until('the views agree', agrees, settleMs, 250).catch((error: unknown) => {
      if (left.length === 0) throw error;
    });
    found.push(...left.map((text) => `step ${step}: ${text}`));
    for (const text of left) report(`step ${step}: ${text}`);
  }

  try {
    await control('/advance', { seconds: 1 });
    for (let step = 1; step <= steps; step++) {
      report(`${step}: ${await walk.step()}`);
      if (step % lookEvery === 0) await look(step);
    }
    await look(steps);
  } finally {
    await cluster.stop();
    await rollup.stop();
  }
  const { l1, l2 } = walk.sent();
  return { steps, looks, deposits: l1.length, withdrawals: l2.length, statuses, disagreements: found };
}
