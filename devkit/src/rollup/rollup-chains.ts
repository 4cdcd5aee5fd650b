/** The two chains of the local rollup, with the data of an earlier run. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Chain, startChain } from '../chain.ts';
import { repairChainState } from '../repair-chain-state.ts';
import { rollupChain } from './rollup-chain.ts';
import { type RollupRecord, readRollupRecord } from './rollup-record.ts';

export type RollupChainsOptions = {
  readonly chainIds: { readonly l1: number; readonly l2: number };
  readonly directory?: string;
  readonly logDirectory?: string;
  readonly l1Port?: number;
  readonly l2Port?: number;
};

export type RollupChains = {
  readonly l1: Chain;
  readonly l2: Chain;
  /** Undefined: both chains are empty. */
  readonly record: RollupRecord | undefined;
};

/** anvil stores a copy of the state for each block: this many in memory, and this many more on disk. A proof of an older block needs a new root. */
const storedStates = ['--max-persisted-states', '200'];
const stateFiles = ['l1.json', 'l2.json'] as const;

/** Stored data is used only if all of it exists; otherwise the rollup starts empty, because its chains refer to each other. */
export async function startRollupChains(options: RollupChainsOptions): Promise<RollupChains> {
  const { directory } = options;
  const record = directory === undefined ? undefined : readRollupRecord(directory);
  if (directory !== undefined && record === undefined) forget(directory);
  if (directory !== undefined) for (const file of stateFiles) repairChainState(join(directory, file));
  const chains = await startBoth(options);
  if (record === undefined || (await hasContracts(chains, options.chainIds, record))) return { ...chains, record };
  await Promise.all([chains.l1.stop(), chains.l2.stop()]);
  if (directory !== undefined) forget(directory);
  return { ...(await startBoth(options)), record: undefined };
}

function forget(directory: string): void {
  for (const file of stateFiles)
    for (const name of [file, `${file}.last-good`]) rmSync(join(directory, name), { force: true });
}

type Both = Pick<RollupChains, 'l1' | 'l2'>;

async function startBoth(options: RollupChainsOptions): Promise<Both> {
  const { directory, logDirectory, l1Port = 0, l2Port = 0, chainIds } = options;
  const files = (name: string) => ({
    ...(directory !== undefined && { stateFile: join(directory, `${name}.json`) }),
    ...(logDirectory !== undefined && { logFile: join(logDirectory, `rollup-${name}.log`) }),
  });
  const l1 = await startChain({ port: l1Port, chainId: chainIds.l1, ...files('l1'), flags: storedStates });
  try {
    // A deposit may spend more than its sender has: a rollup includes it, and it fails there.
    const flags = ['--network', 'optimism', '--disable-pool-balance-checks', ...storedStates];
    return { l1, l2: await startChain({ port: l2Port, chainId: chainIds.l2, ...files('l2'), flags }) };
  } catch (error) {
    await l1.kill();
    throw error;
  }
}

async function hasContracts(
  { l1, l2 }: Both,
  chainIds: RollupChainsOptions['chainIds'],
  { contracts, tokens }: RollupRecord,
): Promise<boolean> {
  const [portal, token] = await Promise.all([
    rollupChain(l1.url, chainIds.l1).reader.getCode({ address: contracts.portal }),
    rollupChain(l2.url, chainIds.l2).reader.getCode({ address: tokens.l2Token }),
  ]);
  return portal !== undefined && token !== undefined;
}
