/** The configured bridges and pools, with their networks. */

import type { Network } from '../../upstream/networks/network.ts';
import type { Bridge, BridgeSide, SwapPool } from './bridge.ts';

type Place = { readonly dlt: string; readonly networkId: string };

type ConfiguredBridge = Pick<Bridge, 'bridgeId' | 'confirmations' | 'startBlocks' | 'tokens'> & {
  readonly name?: string | undefined;
  readonly l1: Place;
  readonly l2: Place;
  readonly contracts: Readonly<Record<keyof Bridge['contracts'], string>>;
  readonly stalledAfterMinutes: number;
};

type ConfiguredPool = Place & Pick<SwapPool, 'poolId' | 'address' | 'form' | 'startBlock'>;
export type NetworkOf = (dlt: string, networkId: string) => Network | undefined;

const minuteMs = 60_000;

/** The configuration is validated: each of its networks exists and has an EIP-155 chain id. */
export function configuredBridges(bridges: readonly ConfiguredBridge[], networkOf: NetworkOf): readonly Bridge[] {
  return bridges.flatMap((bridge) => {
    const [l1, l2] = [sideOf(bridge.l1, networkOf), sideOf(bridge.l2, networkOf)];
    if (l1 === undefined || l2 === undefined) return [];
    const { bridgeId, name = bridgeId, confirmations, startBlocks, contracts, tokens } = bridge;
    return [
      {
        ...{ bridgeId, name, l1, l2, confirmations, startBlocks },
        contracts: {
          portal: lowerCase(contracts.portal),
          l1StandardBridge: lowerCase(contracts.l1StandardBridge),
          l1CrossDomainMessenger: lowerCase(contracts.l1CrossDomainMessenger),
          disputeGameFactory: lowerCase(contracts.disputeGameFactory),
        },
        stalledAfterMs: bridge.stalledAfterMinutes * minuteMs,
        tokens: tokens.map((pair) => ({ l1: lowerCase(pair.l1), l2: lowerCase(pair.l2) })),
      },
    ];
  });
}

export function configuredPools(pools: readonly ConfiguredPool[], networkOf: NetworkOf): readonly SwapPool[] {
  return pools.flatMap((pool) => {
    const side = sideOf(pool, networkOf);
    const { poolId, address, form, startBlock } = pool;
    return side === undefined ? [] : [{ poolId, side, address: lowerCase(address), form, startBlock }];
  });
}

function sideOf({ dlt, networkId }: Place, networkOf: NetworkOf): BridgeSide | undefined {
  const network = networkOf(dlt, networkId);
  const chainId = network?.chainId;
  return network === undefined || chainId === undefined ? undefined : { dlt, networkId, chainId, network };
}

function lowerCase(address: string): `0x${string}` {
  return `0x${address.slice(2).toLowerCase()}`;
}
