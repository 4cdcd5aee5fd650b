/** A user's stakes, read from the chain for each request (contract/stakes#positions). */

import type { Clock } from '@flowgate/base/clock';
import { isTypeId } from '@flowgate/base/ids';
import { pageOf, parsePage } from '@flowgate/base/page';
import { ok, type Refused, type Result, refused } from '@flowgate/base/result';
import type { BodyOf } from '@flowgate/body-schema/body-schema';
import { checksumAddress } from '@flowgate/chain/evm-address';
import type { Caller } from '../../api/caller.ts';
import type { Firewall } from '../../api/firewall.ts';
import { networkAway } from '../../prepared/prepare-plan.ts';
import type { FindTokenFacts } from '../../prepared/token-facts.ts';
import { type ChainView, viewChain } from '../../prepared/view-chain.ts';
import { type PermittedStakes, permittedStakes } from './permitted-stakes.ts';
import { isAfter, readPositions, type StakePlace, stakePlaces } from './read-positions.ts';
import { type ShownPosition, type stake, type stakePage, stakeView } from './stake-wire.ts';
import type { StakingContract, WalletsOf } from './staking-contract.ts';

export type StakeDeps = {
  readonly contracts: readonly StakingContract[];
  readonly firewall: Firewall;
  readonly walletsOf: WalletsOf;
  readonly tokenFacts: FindTokenFacts;
  readonly clock: Pick<Clock, 'now'>;
};

/** The number of contract and wallet pairs that are read together while the page is filled. */
const placesAtOnce = 100;

/** Throws `Unavailable` when the user's wallets cannot be read. */
export async function listStakes(
  deps: StakeDeps,
  caller: Caller,
  query: URLSearchParams,
): Promise<Result<BodyOf<typeof stakePage>, 'bad-request' | 'bad-gateway' | 'unavailable'>> {
  const page = parsePage(query, { defaultLimit: 20, isId: (id) => isTypeId('stk', id) });
  if (!page.ok) return page;
  const { limit, after } = page.value;
  const permitted = await permittedStakes(deps.firewall, caller, deps.contracts);
  if ('reason' in permitted) return permitted;
  const all = stakePlaces(await deps.walletsOf(caller.userId), permitted.contracts);
  const places = after === undefined ? all : all.filter((place) => isAfter(place, after));
  const reader = createReader(deps, caller.userId, permitted);
  const shown: ShownPosition[] = [];
  const unreadable: StakePlace[] = [];
  for (let at = 0; at < places.length && shown.length <= limit; at += placesAtOnce) {
    const read = await reader.read(places.slice(at, at + placesAtOnce));
    if (!read.ok) return read;
    shown.push(...read.value.shown);
    unreadable.push(...read.value.unreadable);
  }
  const entries = shown.slice(0, limit);
  const last = shown.length > limit ? entries.at(-1)?.place : undefined;
  // The next page reports what comes after the last entry.
  const end = last === undefined ? undefined : { atMs: last.wallet.createdAtMs, id: last.stakeId };
  const reported = end === undefined ? unreadable : unreadable.filter((place) => !isAfter(place, end));
  const body = pageOf(entries.map(stakeView), end);
  return ok(reported.length === 0 ? body : { ...body, unreadable: byContract(reported) });
}

/** Another user's stake, and one without a position, is not found. Throws `Unavailable` when the user's wallets cannot be read. */
export async function findStake(
  deps: StakeDeps,
  caller: Caller,
  id: string,
): Promise<Result<BodyOf<typeof stake>, 'not-found' | 'bad-gateway' | 'denied' | 'unavailable'>> {
  const absent = refused('not-found', 'You have no such stake: GET /stakes lists yours.');
  if (!isTypeId('stk', id)) return absent;
  const wallets = await deps.walletsOf(caller.userId);
  const place = stakePlaces(wallets, deps.contracts).find(({ stakeId }) => stakeId === id);
  if (place === undefined) return absent;
  const permitted = await permittedStakes(deps.firewall, caller, [place.contract]);
  if ('reason' in permitted) return permitted;
  if (permitted.contracts.length === 0) return refused('denied');
  const read = await createReader(deps, caller.userId, permitted).read([place]);
  if (!read.ok) return read;
  const [shown] = read.value.shown;
  if (read.value.unreadable.length > 0) return contractFault(place.contract);
  return shown === undefined ? absent : ok(stakeView(shown));
}

export function contractFault({ contractId }: StakingContract): Refused<'bad-gateway'> {
  return refused('bad-gateway', `The staking contract ${contractId} fails, or does not answer as one.`);
}

type Read = { readonly shown: readonly ShownPosition[]; readonly unreadable: readonly StakePlace[] };

/** Reads positions; each network is read at one block, also in several requests. */
function createReader({ tokenFacts, clock }: StakeDeps, userId: string, { on }: Pick<PermittedStakes, 'on'>) {
  const views = new Map<StakingContract['network'], Promise<ChainView | undefined>>();
  const viewOf = (network: StakingContract['network']) => {
    const view = views.get(network) ?? viewChain(network, userId, on(network).leftOut);
    views.set(network, view);
    return view;
  };

  /** Positions that are all of one network. */
  async function readThere(places: readonly StakePlace[]): Promise<Result<Read, 'bad-gateway'>> {
    const [first] = places;
    if (first === undefined) return ok({ shown: [], unreadable: [] });
    const view = await viewOf(first.contract.network);
    if (view === undefined) return networkAway(first.contract.network);
    const findings = await readPositions(view, places);
    if (findings.includes('unavailable')) return networkAway(first.contract.network);
    const found = places.flatMap((place, at) => {
      const position = findings[at];
      const isThere = typeof position === 'object' && (position.staked > 0n || position.earned > 0n);
      return isThere ? [{ place, position }] : [];
    });
    const addresses = found.flatMap(({ position: { stakingToken, rewardsToken } }) => [stakingToken, rewardsToken]);
    const tokens = await tokenFacts(first.contract.network, view, addresses);
    const readAtMs = clock.now();
    const shown = found.flatMap(({ place, position }) => {
      const [stakingToken, rewardsToken] = [tokens?.get(position.stakingToken), tokens?.get(position.rewardsToken)];
      if (stakingToken === undefined || rewardsToken === undefined) return [];
      return [{ place, position, stakingToken, rewardsToken, blockNumber: view.blockNumber, readAtMs }];
    });
    if (shown.length < found.length) return networkAway(first.contract.network);
    return ok({ shown, unreadable: places.filter((_, at) => findings[at] === 'unreadable') });
  }

  return {
    async read(places: readonly StakePlace[]): Promise<Result<Read, 'bad-gateway'>> {
      const byNetwork = Map.groupBy(places, ({ contract }) => contract.network);
      const reads = await Promise.all([...byNetwork.values()].map(readThere));
      const all: { readonly shown: ShownPosition[]; readonly unreadable: StakePlace[] } = { shown: [], unreadable: [] };
      for (const read of reads) {
        if (!read.ok) return read;
        all.shown.push(...read.value.shown);
        all.unreadable.push(...read.value.unreadable);
      }
      const inOrder = new Map(places.map((place, at) => [place, at]));
      all.shown.sort((left, right) => (inOrder.get(left.place) ?? 0) - (inOrder.get(right.place) ?? 0));
      return ok(all);
    },
  };
}

function byContract(places: readonly StakePlace[]) {
  return [...Map.groupBy(places, ({ contract }) => contract)].map(([{ contractId, network }, of]) => ({
    contractId,
    dlt: network.dlt,
    networkId: network.networkId,
    wallets: of.map(({ wallet }) => checksumAddress(wallet.address)),
  }));
}
