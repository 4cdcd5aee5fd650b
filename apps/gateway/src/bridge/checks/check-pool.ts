/** Asks the chain whether a pool is one, of the form that the configuration says (contract/indexer#configuration). */

import type { SwapPool } from '../bridges/bridge.ts';
import type { ChainReader } from '../chain/chain-reader.ts';
import { askContracts } from './asked-contracts.ts';
import { at, type Finding, noContract, startFindings } from './check-bridge.ts';

/** By what only a pool of the form answers. */
const forms = { v2: 'getReserves', v3: 'slot0' } as const;

/** Throws `ChainAway`. */
export async function checkPool(pool: SwapPool, chain: ChainReader): Promise<readonly Finding[]> {
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
