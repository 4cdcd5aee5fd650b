/**
 * The rollup of `npm start -- --bridge`: adds its networks, bridge and pool to the gateway's configuration, and writes `bridge.json` for tests and
 * demonstrations.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { type LocalBridge, type LocalRollup, startLocalRollup } from './local-rollup.ts';

export type BridgeInstallation = {
  readonly rollup: LocalRollup;
  /** Path of the gateway's configuration: the development configuration and the rollup. */
  readonly configFile: string;
  /** Blocks of L1 until a deposit counts as confirmed. */
  readonly confirmations: number;
};

export type BridgeSettings = {
  readonly data: string;
  readonly logs: string;
  /** Path of the development configuration. */
  readonly configFile: string;
  readonly l1Port: number;
  readonly l2Port: number;
  readonly rollupControlPort: number;
};

export async function startBridge(settings: BridgeSettings): Promise<BridgeInstallation> {
  const { data, logs, l1Port, l2Port, rollupControlPort: controlPort } = settings;
  const logFile = join(logs, 'rollup.log');
  writeFileSync(logFile, '', { mode: 0o600 });
  const onError = (error: unknown) =>
    appendFileSync(logFile, `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  const rollup = await startLocalRollup({ directory: data, logDirectory: logs, l1Port, l2Port, controlPort, onError });
  // The keys are anvil's, which are public.
  writeFileSync(join(data, 'bridge.json'), `${JSON.stringify(rollup.bridge, undefined, 2)}\n`, { mode: 0o600 });
  const configFile = join(data, 'flowgate.bridge.yaml');
  writeFileSync(configFile, withRollup(readFileSync(settings.configFile, 'utf8'), rollup.bridge), { mode: 0o600 });
  return { rollup, configFile, confirmations: quick.confirmations };
}

const dlt = 'ethereum';
/** For demonstrations: a deposit is confirmed after seconds, and counts as stalled after half a minute. */
const quick = { confirmations: 3, stalledAfterMinutes: 0.5, pollSeconds: 1 } as const;

/** The configuration with the rollup's networks, its bridge and its pool. */
export function withRollup(config: string, { bridgeId, l1, l2, contracts }: LocalBridge): string {
  const { networks, ...rest } = parse(config);
  const network = (name: string, { networkId, chainId, url }: LocalBridge['l1']) => ({
    ...{ dlt, networkId, name, chainId, confirmations: quick.confirmations },
    nodes: [{ nodeId: `${networkId}-1`, url }],
  });
  const rollup = [network('Local rollup, L1', l1), network('Local rollup, L2', l2)];
  const { portal, l1StandardBridge, l1CrossDomainMessenger, disputeGameFactory, pool } = contracts;
  const bridge = {
    ...{ bridgeId, name: 'Local rollup', confirmations: quick.confirmations },
    ...{ l1: { dlt, networkId: l1.networkId }, l2: { dlt, networkId: l2.networkId } },
    contracts: { portal, l1StandardBridge, l1CrossDomainMessenger, disputeGameFactory },
    stalledAfterMinutes: quick.stalledAfterMinutes,
  };
  return stringify({
    ...rest,
    networks: [...networks, ...rollup],
    bridges: [bridge],
    swaps: [{ dlt, networkId: l2.networkId, poolId: 'fbt-weth', address: pool, form: 'v2' }],
    indexer: { pollSeconds: quick.pollSeconds },
  });
}
