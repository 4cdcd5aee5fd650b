/** The rollup as a part of `npm start -- --bridge`: its two networks in the gateway's configuration, and `bridge.json` for tests and demonstrations. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { type LocalBridge, type LocalRollup, startLocalRollup } from './local-rollup.ts';

export type BridgeInstallation = {
  readonly rollup: LocalRollup;
  /** Of the gateway: the development configuration and the rollup's networks. */
  readonly configFile: string;
};

export type BridgeSettings = {
  readonly data: string;
  readonly logs: string;
  /** The development configuration. */
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
  // The keys are anvil's, which everybody knows.
  writeFileSync(join(data, 'bridge.json'), `${JSON.stringify(rollup.bridge, undefined, 2)}\n`, { mode: 0o600 });
  const configFile = join(data, 'flowgate.bridge.yaml');
  writeFileSync(configFile, withRollup(readFileSync(settings.configFile, 'utf8'), rollup.bridge), { mode: 0o600 });
  return { rollup, configFile };
}

/** The configuration with the rollup's networks. */
export function withRollup(config: string, { l1, l2 }: LocalBridge): string {
  const { networks, ...rest } = parse(config);
  const network = (name: string, { networkId, chainId, url }: LocalBridge['l1']) => ({
    ...{ dlt: 'ethereum', networkId, name, chainId, confirmations: 3 },
    nodes: [{ nodeId: `${networkId}-1`, url }],
  });
  const rollup = [network('Local rollup, L1', l1), network('Local rollup, L2', l2)];
  return stringify({ ...rest, networks: [...networks, ...rollup] });
}
