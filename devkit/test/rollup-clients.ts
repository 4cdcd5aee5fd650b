/** viem's clients of the local rollup, as an application has them. */
import { type Address, createPublicClient, createWalletClient, defineChain, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { chainConfig, publicActionsL1, publicActionsL2, walletActionsL1, walletActionsL2 } from 'viem/op-stack';
import { multicall3Address } from '../src/rollup/multicall3.ts';

type Bridge = {
  readonly l1: { readonly url: string; readonly chainId: number };
  readonly l2: { readonly url: string; readonly chainId: number };
  readonly contracts: {
    readonly portal: Address;
    readonly l1StandardBridge: Address;
    readonly disputeGameFactory: Address;
  };
  readonly accounts: readonly { readonly privateKey: string }[];
};

export function rollupClients({ l1, l2, contracts, accounts }: Bridge, person = 0) {
  const key = accounts[person]?.privateKey ?? '';
  const account = privateKeyToAccount(`0x${key.slice(2)}` satisfies Hex);
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 };
  const chain = defineChain({
    id: l1.chainId,
    name: 'l1',
    nativeCurrency,
    rpcUrls: { default: { http: [l1.url] } },
    contracts: { multicall3: { address: multicall3Address } },
  });
  const rollup = defineChain({
    ...chainConfig,
    id: l2.chainId,
    name: 'l2',
    nativeCurrency,
    sourceId: l1.chainId,
    rpcUrls: { default: { http: [l2.url] } },
    contracts: {
      ...chainConfig.contracts,
      multicall3: { address: multicall3Address },
      portal: { [l1.chainId]: { address: contracts.portal } },
      l1StandardBridge: { [l1.chainId]: { address: contracts.l1StandardBridge } },
      disputeGameFactory: { [l1.chainId]: { address: contracts.disputeGameFactory } },
    },
  });
  const quick = { pollingInterval: 50, cacheTime: 0 };
  return {
    account,
    rollup,
    onL1: createPublicClient({ chain, transport: http(), ...quick }).extend(publicActionsL1()),
    onL2: createPublicClient({ chain: rollup, transport: http(), ...quick }).extend(publicActionsL2()),
    walletL1: createWalletClient({ account, chain, transport: http() }).extend(walletActionsL1()),
    walletL2: createWalletClient({ account, chain: rollup, transport: http() }).extend(walletActionsL2()),
  };
}

export function rollupControl(controlUrl: string) {
  return async (
    path: string,
    body: object = {},
  ): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> => {
    const response = await fetch(`${controlUrl}${path}`, { method: 'POST', body: JSON.stringify(body) });
    const answer: Record<string, unknown> = JSON.parse(await response.text());
    return { status: response.status, body: answer };
  };
}
