/** A local OP Stack rollup: two chains with the real contracts, a token pair, a pool, and the roles of sequencer, proposer and guardian. */
import { toHex } from 'viem';
import type { Chain } from '../chain.ts';
import { deployL1, type L1Contracts } from './deploy-l1.ts';
import { deployL2 } from './deploy-l2.ts';
import { propose } from './dispute-games.ts';
import { startL1Miner } from './l1-miner.ts';
import { putMulticall3 } from './multicall3.ts';
import { peoplesAccounts } from './rollup-accounts.ts';
import { type RollupChain, rollupChain } from './rollup-chain.ts';
import { startRollupChains } from './rollup-chains.ts';
import { startRollupControl } from './rollup-control.ts';
import { type RollupRecord, writeRollupRecord } from './rollup-record.ts';
import { type Derived, startSequencer } from './sequencer.ts';
import { createL2Token, deployL1Token, deployPool, type Tokens } from './token-pair.ts';

/** The content of `bridge.json`, for tests and demonstrations. */
export type LocalBridge = {
  readonly bridgeId: string;
  readonly l1: { readonly url: string; readonly chainId: number; readonly networkId: string };
  readonly l2: { readonly url: string; readonly chainId: number; readonly networkId: string };
  readonly contracts: Omit<L1Contracts, 'superchainConfig'> & Tokens;
  /** With ether on both chains, and the token on L1. */
  readonly accounts: readonly { readonly address: string; readonly privateKey: string }[];
  /** Base URL of the control routes, on loopback. */
  readonly controlUrl: string;
};

export type LocalRollup = {
  readonly bridge: LocalBridge;
  readonly l1: Chain;
  readonly l2: Chain;
  readonly stop: () => Promise<void>;
  readonly kill: () => Promise<void>;
};

export type LocalRollupOptions = {
  /** Directory of all data: chains, contracts, derived blocks. Without it everything is lost at the end. */
  readonly directory?: string;
  readonly logDirectory?: string;
  /** 0, the default, chooses a free port. */
  readonly l1Port?: number;
  readonly l2Port?: number;
  readonly controlPort?: number;
  /**
   * Whether the rollup also acts without requests: L1 gets blocks over time, and after a delay roots are posted and games resolved. Default true. With false,
   * L1 has one block for each transaction, and only `/advance` and `/propose` move the time of both chains: repeated reads in a test are equal, and no window
   * ends because a machine is slow.
   */
  readonly isAutomatic?: boolean;
  /** That delay; default 30 s. */
  readonly patienceMs?: number;
  readonly onError?: (error: unknown) => void;
};

export const rollupChainIds = { l1: 900, l2: 901 } as const;

/** Empty blocks after the deployment. Reorganizations do not go below them, so the contracts remain. */
const cushionBlocks = 20;

export async function startLocalRollup(options: LocalRollupOptions = {}): Promise<LocalRollup> {
  const { onError = () => {}, isAutomatic = true, patienceMs, directory } = options;
  const { l1: onL1, l2: onL2, record } = await startRollupChains({ ...options, chainIds: rollupChainIds });
  /** The components that poll the chains, in the order of their start. Each stops polling at once, and resolves when it has finished. */
  const running: { readonly stop: () => Promise<void> }[] = [];
  const halt = async () => {
    await Promise.all(running.splice(0).map(({ stop }) => stop()));
  };
  const ending = watchEnds({ L1: onL1, L2: onL2 }, options.onError ?? console.error, () => void halt().catch(onError));
  const kill = async () => {
    ending.expected();
    // Another process may get a chain's port next, and must not receive these requests.
    void halt().catch(onError);
    await Promise.all([onL1.kill(), onL2.kill()]);
  };
  try {
    const [l1, l2] = [rollupChain(onL1.url, rollupChainIds.l1), rollupChain(onL2.url, rollupChainIds.l2)];
    const { contracts, tokens, derived } = record ?? (await deployAll(l1, l2));
    const keep = (now: readonly Derived[]) =>
      directory !== undefined && writeRollupRecord(directory, { contracts, tokens, derived: now });
    keep(derived);
    if (!isAutomatic) await holdTimes(l1, l2);
    const sequencer = startSequencer({ l1, l2, portal: contracts.portal, derived, changed: keep, onError });
    running.push(sequencer);
    const hasNewsOnL2 = async () => Number(await l2.reader.getBlockNumber()) > sequencer.l2Number();
    if (isAutomatic) running.push(startL1Miner({ l1, hasNewsOnL2, alone: sequencer.alone, onError }));
    // Roots of an earlier run cannot be proven, because their states are gone.
    if (record !== undefined) await sequencer.alone(() => propose(l1, l2, contracts));
    const port = options.controlPort ?? 0;
    const floor = { l1: derived[0]?.l1Number ?? 0, l2: derived[0]?.l2Number ?? 0 };
    const control = startRollupControl({
      ...{ l1, l2, contracts, sequencer, floor, port, isAutomatic, patienceMs, onError },
    });
    running.push(control);
    return {
      l1: onL1,
      l2: onL2,
      bridge: bridgeOf(l1, l2, contracts, tokens, control.url),
      async stop() {
        ending.expected();
        await halt();
        await Promise.all([onL1.stop(), onL2.stop()]);
      },
      kill,
    };
  } catch (error) {
    await kill();
    throw error;
  }
}

/** When a chain ends by itself, reports the end of its log and stops the rollup. */
function watchEnds(
  chains: Readonly<Record<string, Chain>>,
  report: (error: unknown) => void,
  rest: () => void,
): { readonly expected: () => void } {
  let isExpected = false;
  for (const [name, { exited, logEnd }] of Object.entries(chains))
    void exited.then((code) => {
      if (isExpected) return;
      isExpected = true;
      rest();
      report(new Error(`The rollup's ${name} ended by itself (exit ${code}). The end of its log:\n${logEnd()}`));
    });
  return {
    expected: () => {
      isExpected = true;
    },
  };
}

function bridgeOf(
  l1: RollupChain,
  l2: RollupChain,
  { superchainConfig: _, ...contracts }: L1Contracts,
  tokens: Tokens,
  controlUrl: string,
): LocalBridge {
  return {
    bridgeId: 'main',
    l1: { url: l1.url, chainId: l1.chainId, networkId: 'l1' },
    l2: { url: l2.url, chainId: l2.chainId, networkId: 'l2' },
    contracts: { ...contracts, ...tokens },
    accounts: peoplesAccounts.map(({ address, getHdKey }) => ({
      address,
      privateKey: toHex(getHdKey().privateKey ?? new Uint8Array()),
    })),
    controlUrl,
  };
}

async function deployAll(l1: RollupChain, l2: RollupChain): Promise<RollupRecord> {
  await Promise.all([putMulticall3(l1), putMulticall3(l2)]);
  const contracts = await deployL1(l1, l2.chainId);
  await deployL2(l2, contracts);
  const l1Token = await deployL1Token(l1);
  const l2Token = await createL2Token(l2, l1Token);
  const pool = await deployPool(l2, l2Token);
  await Promise.all([l1, l2].map((chain) => chain.ask('anvil_mine', [toHex(cushionBlocks)])));
  const derived: Derived[] = [await beginning(l1, l2)];
  return { contracts, tokens: { l1Token, l2Token, pool }, derived };
}

/** Both chains then have the same time. */
async function holdTimes(...chains: readonly RollupChain[]): Promise<void> {
  const heads = await Promise.all(chains.map(({ reader }) => reader.getBlock()));
  const at = Math.max(...heads.map(({ timestamp }) => Number(timestamp))) + 1;
  await Promise.all(chains.map((chain) => chain.holdTime(at)));
}

/** Derivation starts after the deployment. */
async function beginning(l1: RollupChain, l2: RollupChain): Promise<Derived> {
  const [onL1, onL2] = await Promise.all([l1.reader.getBlock(), l2.reader.getBlock()]);
  return { l1Number: Number(onL1.number), l1Hash: onL1.hash, l2Number: Number(onL2.number), l2Hash: onL2.hash };
}
