/** The rollup as viem sees it: viem's clients, which call through the gateway, and viem's status of each deposit and withdrawal. */

import type { Deposit, PreparedTransactions, Withdrawal } from '@flowgate/client';
import {
  type Address,
  createPublicClient,
  createWalletClient,
  defineChain,
  type Hex,
  http,
  type LocalAccount,
  parseAbi,
  type TransactionReceipt,
} from 'viem';
import { chainConfig, getL2TransactionHashes, getWithdrawals, publicActionsL1, publicActionsL2 } from 'viem/op-stack';

/** `bridge.json`, which `npm start -- --bridge` writes into its data directory. */
export type LocalBridge = {
  readonly bridgeId: string;
  readonly l1: { readonly chainId: number; readonly networkId: string };
  readonly l2: { readonly chainId: number; readonly networkId: string };
  readonly contracts: {
    readonly [Name in 'portal' | 'l1StandardBridge' | 'disputeGameFactory' | 'l1Token' | 'l2Token' | 'pool']: Address;
  };
  readonly accounts: readonly { readonly address: Address; readonly privateKey: Hex }[];
  readonly controlUrl: string;
};

export type Chains = ReturnType<typeof openChains>;

export function openChains(bridge: LocalBridge, account: LocalAccount, baseUrl: string, apiKey: string) {
  const { l1, l2, contracts } = bridge;
  const transport = (networkId: string) =>
    http(`${baseUrl}/dlts/ethereum/networks/${networkId}/rpc`, {
      fetchOptions: { headers: { 'X-API-Key': apiKey } },
    });
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 };
  const multicall3 = { address: '0xcA11bde05977b3631167028862bE2a173976CA11' } as const;
  // The transports contain the addresses.
  const rpcUrls = { default: { http: [] } };
  const chain = defineChain({ id: l1.chainId, name: 'L1', nativeCurrency, rpcUrls, contracts: { multicall3 } });
  const rollup = defineChain({
    ...{ ...chainConfig, id: l2.chainId, name: 'L2', nativeCurrency, rpcUrls, sourceId: l1.chainId },
    contracts: {
      ...{ ...chainConfig.contracts, multicall3 },
      portal: { [l1.chainId]: { address: contracts.portal } },
      l1StandardBridge: { [l1.chainId]: { address: contracts.l1StandardBridge } },
      disputeGameFactory: { [l1.chainId]: { address: contracts.disputeGameFactory } },
    },
  });
  const quick = { cacheTime: 0, pollingInterval: 1_000 };
  return {
    account,
    rollup,
    portal: contracts.portal,
    onL1: createPublicClient({ chain, transport: transport(l1.networkId), ...quick }).extend(publicActionsL1()),
    onL2: createPublicClient({ chain: rollup, transport: transport(l2.networkId), ...quick }).extend(publicActionsL2()),
    walletL1: createWalletClient({ account, chain, transport: transport(l1.networkId) }),
    walletL2: createWalletClient({ account, chain: rollup, transport: transport(l2.networkId) }),
  };
}

/** Signs and sends the prepared transactions in order, each on its chain. Returns the last receipt. */
export async function send(chains: Chains, { transactions }: PreparedTransactions): Promise<TransactionReceipt> {
  let receipt: TransactionReceipt | undefined;
  for (const { chainId, from, to, data, value, gas, description } of transactions) {
    if (from !== chains.account.address) throw new Error(`this was prepared for ${from}`);
    const call = { to: to as Hex, data: data as Hex, value: BigInt(value), gas: BigInt(gas) };
    const onL2 = chainId === chains.rollup.id;
    const hash = await (onL2
      ? chains.walletL2.sendTransaction({ ...call, chain: chains.rollup })
      : chains.walletL1.sendTransaction({ ...call, chain: chains.walletL1.chain }));
    receipt = await (onL2 ? chains.onL2 : chains.onL1).waitForTransactionReceipt({ hash });
    console.log(`${description} → ${receipt.status}`);
    if (receipt.status !== 'success') throw new Error(`${hash} was reverted`);
  }
  if (receipt === undefined) throw new Error('nothing was prepared');
  return receipt;
}

/** viem's status of a deposit, and the equivalent statuses of the gateway. */
export async function viemOnDeposit({ onL1, onL2 }: Chains, deposit: Deposit) {
  const [hash] = getL2TransactionHashes(await onL1.getTransactionReceipt({ hash: deposit.l1TransactionHash as Hex }));
  if (hash !== deposit.l2TransactionHash) throw new Error(`viem derives another hash on L2: ${hash}`);
  const status = (await onL2.getTransactionReceipt({ hash }).catch(() => undefined))?.status;
  if (status === undefined) return { says: 'not on L2 yet', means: ['pending', 'confirmed', 'relaying'] };
  return { says: `on L2: ${status}`, means: [status === 'success' ? 'completed' : 'failed'] };
}

const portalAbi = parseAbi([
  'function provenWithdrawals(bytes32, address) view returns (address disputeGameProxy, uint64 timestamp)',
]);
const gameAbi = parseAbi(['function status() view returns (uint8)', 'function claimDataLen() view returns (uint256)']);
const [inProgress, challengerWins] = [0, 1];

/**
 * viem's status of a withdrawal, and the equivalent statuses of the gateway. Where viem has none (a root that was lost, or matured and not resolved), the game
 * decides.
 */
export async function viemOnWithdrawal(chains: Chains, receipt: TransactionReceipt) {
  const { onL1, rollup: targetChain } = chains;
  const says = await onL1.getWithdrawalStatus({ receipt, targetChain }).catch((error: Error) => error);
  const means: Readonly<Record<string, readonly Withdrawal['status'][]>> = {
    'waiting-to-prove': ['awaiting_state_root'],
    'ready-to-prove': ['ready_to_prove'],
    'ready-to-finalize': ['ready_to_finalise'],
    finalized: ['finalised'],
  };
  const reported = means[String(says)];
  if (reported !== undefined) return { says: String(says), means: reported };
  const game = await provedGame(chains, receipt);
  const word = says instanceof Error ? 'throws' : says;
  if (game.status === challengerWins)
    return { says: `${word}, the game is lost`, means: ['awaiting_state_root', 'ready_to_prove'] };
  if (game.status === inProgress && game.isChallenged)
    return { says: `${word}, the game is challenged`, means: ['challenged'] };
  return { says: `${word}, the game is ${game.status === inProgress ? 'open' : 'won'}`, means: ['in_dispute_window'] };
}

/** The dispute game of this wallet's proof. */
async function provedGame({ onL1, portal, account }: Chains, receipt: TransactionReceipt) {
  const [withdrawal] = getWithdrawals(receipt);
  if (withdrawal === undefined) throw new Error('there is no withdrawal in this transaction');
  const [address] = await onL1.readContract({
    ...{ address: portal, abi: portalAbi, functionName: 'provenWithdrawals' },
    args: [withdrawal.withdrawalHash, account.address],
  });
  const [status, claims] = await Promise.all([
    onL1.readContract({ address, abi: gameAbi, functionName: 'status' }),
    onL1.readContract({ address, abi: gameAbi, functionName: 'claimDataLen' }),
  ]);
  return { status, isChallenged: claims > 1n };
}
