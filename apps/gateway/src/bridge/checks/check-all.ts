/** Checks every bridge and pool on its chains. Also reports the networks of which no node answers. */

import type { Bridge, BridgeSide, SwapPool } from '../bridges/bridge.ts';
import { ChainAway, type ChainReader } from '../chain/chain-reader.ts';
import { askContracts } from './asked-contracts.ts';
import { at, checkL1, checkL2, checkPairs, type Finding, noContract, startFindings } from './check-bridge.ts';

export type CheckedDeps = {
  readonly bridges: readonly Bridge[];
  readonly pools: readonly SwapPool[];
  readonly chainOf: (side: BridgeSide) => ChainReader;
};

export type Checked = {
  /** By the index of the bridge or pool in its list, with the network on which the fault was found. */
  readonly findings: readonly (Finding & { readonly of: Bridge | SwapPool; readonly on: BridgeSide })[];
  /** Networks without an answer, each once. What depends on them was not checked. */
  readonly away: readonly BridgeSide[];
};

/** Functions that only a pool of the form has. */
const forms = { v2: 'getReserves', v3: 'slot0' } as const;

/** Checks on the chain that an address is a pool of the configured form (contract/indexer#configuration). Throws `ChainAway`. */
async function checkPool(pool: SwapPool, chain: ChainReader): Promise<readonly Finding[]> {
  const asked = askContracts(chain);
  const { address, side, form, startBlock } = pool;
  if (!(await asked.hasCode(address))) return [at(['address'], noContract(side))];
  const tokens = await Promise.all([asked.address(address, 'token0'), asked.address(address, 'token1')]);
  if (tokens.includes(undefined)) return [at(['address'], 'is no pool: it answers no token0() and token1()')];
  const other = form === 'v2' ? 'v3' : 'v2';
  const isOther = !(await asked.answers(address, forms[form])) && (await asked.answers(address, forms[other]));
  return [
    ...(isOther ? [at(['form'], `must be ${other}: the pool answers ${forms[other]}(), and no ${forms[form]}()`)] : []),
    ...(await startFindings(asked, ['startBlock'], startBlock)),
  ];
}

/** Never throws `ChainAway`. */
export async function checkAll({ bridges, pools, chainOf }: CheckedDeps): Promise<Checked> {
  const findings: (Finding & { of: Bridge | SwapPool; on: BridgeSide })[] = [];
  const away = new Map<string, BridgeSide>();
  const keyOf = ({ dlt, networkId }: BridgeSide) => `${dlt}/${networkId}`;
  const check = async (
    of: Bridge | SwapPool,
    needed: readonly BridgeSide[],
    on: BridgeSide,
    check: () => Promise<readonly Finding[]>,
  ) => {
    if (needed.some((side) => away.has(keyOf(side)))) return;
    try {
      for (const finding of await check()) findings.push({ ...finding, of, on });
    } catch (error) {
      if (!(error instanceof ChainAway)) throw error;
      // The checks of the single chains, above, show which of the two does not answer.
      if (needed.length === 1) away.set(keyOf(on), on);
    }
  };
  for (const bridge of bridges) {
    const [l1, l2] = [chainOf(bridge.l1), chainOf(bridge.l2)];
    await check(bridge, [bridge.l1], bridge.l1, () => checkL1({ bridge, l1 }));
    await check(bridge, [bridge.l2], bridge.l2, () => checkL2({ bridge, l2 }));
    await check(bridge, [bridge.l1, bridge.l2], bridge.l2, () => checkPairs({ bridge, l1, l2 }));
  }
  for (const pool of pools) await check(pool, [pool.side], pool.side, () => checkPool(pool, chainOf(pool.side)));
  return { findings, away: [...away.values()] };
}
