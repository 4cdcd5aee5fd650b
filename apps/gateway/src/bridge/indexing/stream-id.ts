/** The ids of streams: `main/l1` and `main/l2` for a bridge, `swaps/ethereum/l2` for a network's pools. Identifiers contain no slash, so a bridge may be called `swaps`. */

type Place = { readonly dlt: string; readonly networkId: string };

export type BridgeStreamIds = { readonly l1: string; readonly l2: string };

export function bridgeStreamIds(bridgeId: string): BridgeStreamIds {
  return { l1: `${bridgeId}/l1`, l2: `${bridgeId}/l2` };
}

export function poolStreamId({ dlt, networkId }: Place): string {
  return `swaps/${dlt}/${networkId}`;
}

/** The name of the lease of the process that reads a bridge's streams. */
export function bridgeLeaseName(bridgeId: string): string {
  return `bridge ${bridgeId}`;
}

export function poolLeaseName({ dlt, networkId }: Place): string {
  return `swaps ${dlt}/${networkId}`;
}
