/** Translates the network names of x402 version 1 to the CAIP-2 identifiers that the gateway uses. */

/** From the protocol's official EVM package. */
const chainIds: Readonly<Record<string, number>> = {
  ethereum: 1,
  sepolia: 11155111,
  abstract: 2741,
  'abstract-testnet': 11124,
  'base-sepolia': 84532,
  base: 8453,
  'avalanche-fuji': 43113,
  avalanche: 43114,
  iotex: 4689,
  sei: 1329,
  'sei-testnet': 1328,
  polygon: 137,
  'polygon-amoy': 80002,
  peaq: 3338,
  story: 1514,
  educhain: 41923,
  'skale-base-sepolia': 324705682,
  megaeth: 4326,
  monad: 143,
  stable: 988,
  'stable-testnet': 2201,
  celo: 42220,
  flare: 14,
};

/** Unknown names are returned unchanged. */
export function caip2Of(network: string): string {
  const chainId = Object.hasOwn(chainIds, network) ? chainIds[network] : undefined;
  return chainId === undefined ? network : `eip155:${chainId}`;
}
