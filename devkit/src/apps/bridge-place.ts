/** The two chains of the bridge app, and the contracts between them. */
import { type Address, erc20Abi, type PublicClient, parseAbi } from 'viem';
import { chainConfig, type GetWithdrawalsReturnType } from 'viem/op-stack';
import { connectTo } from './sample-app.ts';

type ChainAddress = { readonly url: string; readonly chainId: number };

export type BridgeAppOptions = {
  readonly l1: ChainAddress;
  readonly l2: ChainAddress;
  readonly contracts: {
    readonly portal: Address;
    readonly l1StandardBridge: Address;
    readonly l1CrossDomainMessenger: Address;
    readonly disputeGameFactory: Address;
    readonly l1Token: Address;
    readonly l2Token: Address;
  };
  /** Blocks of L1 until a deposit counts as confirmed. */
  readonly confirmations: number;
};

export type Withdrawal = GetWithdrawalsReturnType[number];

export type Side = 'l1' | 'l2';

export type BridgePlace = {
  readonly l1: PublicClient;
  readonly l2: PublicClient;
  readonly contracts: BridgeAppOptions['contracts'];
  readonly confirmations: number;
  readonly tokenFacts: () => Promise<TokenFacts>;
};

export type TokenFacts = { readonly symbol: string; readonly decimals: number };

const predeploys = chainConfig.contracts;

export const l2Bridge: Address = predeploys.l2StandardBridge.address;
export const l2Messenger: Address = predeploys.l2CrossDomainMessenger.address;
export const l2ToL1MessagePasser: Address = predeploys.l2ToL1MessagePasser.address;
export const l1BlockContract: Address = predeploys.l1Block.address;

/** Events and functions of both sides that viem does not export. */
export const bridgeAbi = parseAbi([
  'function bridgeETHTo(address to, uint32 minGasLimit, bytes extraData) payable',
  'function bridgeERC20To(address localToken, address remoteToken, address to, uint256 amount, uint32 minGasLimit, bytes extraData)',
]);

export const messengerAbi = parseAbi([
  'function successfulMessages(bytes32 messageHash) view returns (bool)',
  'function failedMessages(bytes32 messageHash) view returns (bool)',
]);

export const l1BlockAbi = parseAbi(['function number() view returns (uint64)']);

export const portalAbi = parseAbi([
  'struct Withdrawal { uint256 nonce; address sender; address target; uint256 value; uint256 gasLimit; bytes data; }',
  'struct OutputRootProof { bytes32 version; bytes32 stateRoot; bytes32 messagePasserStorageRoot; bytes32 latestBlockhash; }',
  'function proveWithdrawalTransaction(Withdrawal withdrawal, uint256 gameIndex, OutputRootProof outputRootProof, bytes[] withdrawalProof)',
  'function finalizeWithdrawalTransaction(Withdrawal withdrawal)',
  'function paused() view returns (bool)',
  'function finalizedWithdrawals(bytes32 withdrawalHash) view returns (bool)',
  'function provenWithdrawals(bytes32 withdrawalHash, address submitter) view returns (address game, uint64 timestamp)',
  'function proofMaturityDelaySeconds() view returns (uint256)',
  'function disputeGameFinalityDelaySeconds() view returns (uint256)',
  'function disputeGameBlacklist(address game) view returns (bool)',
  'function respectedGameType() view returns (uint32)',
  'function respectedGameTypeUpdatedAt() view returns (uint64)',
  'event TransactionDeposited(address indexed from, address indexed to, uint256 indexed version, bytes opaqueData)',
  'event WithdrawalFinalized(bytes32 indexed withdrawalHash, bool success)',
]);

export const gameFactoryAbi = parseAbi([
  'struct Found { uint256 index; bytes32 metadata; uint64 timestamp; bytes32 rootClaim; bytes extraData; }',
  'function gameCount() view returns (uint256)',
  'function findLatestGames(uint32 gameType, uint256 start, uint256 count) view returns (Found[])',
]);

export const gameAbi = parseAbi([
  'function status() view returns (uint8)',
  'function gameType() view returns (uint32)',
  'function createdAt() view returns (uint64)',
  'function resolvedAt() view returns (uint64)',
  'function claimDataLen() view returns (uint256)',
  'function maxClockDuration() view returns (uint64)',
]);

export function bridgePlace({ l1, l2, contracts, confirmations }: BridgeAppOptions): BridgePlace {
  const onL1 = connectTo(l1.url);
  const token = { address: contracts.l1Token, abi: erc20Abi } as const;
  let facts: Promise<TokenFacts> | undefined;
  const read = async (): Promise<TokenFacts> => {
    const [symbol, decimals] = await Promise.all([
      onL1.readContract({ ...token, functionName: 'symbol' }),
      onL1.readContract({ ...token, functionName: 'decimals' }),
    ]);
    return { symbol, decimals };
  };
  return {
    ...{ l1: onL1, l2: connectTo(l2.url), contracts, confirmations },
    tokenFacts: () => {
      facts ??= read().catch((error: unknown) => {
        facts = undefined;
        throw error;
      });
      return facts;
    },
  };
}
