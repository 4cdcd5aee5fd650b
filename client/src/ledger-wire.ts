/** Networks, nodes, contracts, wallets and stakes on the wire. */

import type { Page, Timestamp } from './wire.ts';

/** An entry of `GET /networks`. */
export type NetworkRecord = {
  dlt: string;
  networkId: string;
  name: string;
  family: 'evm' | 'solana' | 'bitcoin';
  /** EIP-155; of `evm` networks. */
  chainId?: number;
  default: boolean;
  /** As the health checks found its nodes: all healthy, some, none; `unknown` before they were asked. */
  status: 'up' | 'degraded' | 'down' | 'unknown';
  /** The highest head that a healthy node told. */
  blockHeight?: number;
  nodes: { healthy: number; total: number };
};

/** An entry of `GET /dlts`. */
export type LedgerRecord = { dlt: string; networks: readonly string[] };

/** An entry of `GET /providers`. */
export type ProviderRecord = { providerId: string; name: string; domains: readonly string[] };

/** What `POST /nodes` takes. */
export type NodeInput = {
  dlt: string;
  networkId: string;
  /** With the provider's key in its path. Never shown whole again. */
  url: string;
  label?: string | null;
  /** Left out: `public`. `private` needs an administrator's token. */
  kind?: 'public' | 'private' | null;
};

/** What `PATCH /nodes/{nodeId}` takes. Members that are left out stay. */
export type NodePatch = {
  /** `null` removes it. */
  label?: string | null;
  url?: string | null;
  shared?: boolean | null;
};

/** A node that calls can be sent to. */
export type NodeRecord = {
  nodeId: string;
  dlt: string;
  networkId: string;
  providerId?: string;
  label?: string;
  kind: 'public' | 'private';
  source: 'user' | 'operator';
  shared: boolean;
  cordoned?: boolean;
  /** Masked; of own nodes, and for administrators. */
  url?: string;
  status: 'pending' | 'healthy' | 'unhealthy';
  blockHeight?: number;
  latencyMs?: number;
  checkedAt?: string;
  createdAt: string;
  /** Of the gateway that answered; of own nodes, and for administrators. */
  circuit?: {
    state: 'closed' | 'open' | 'half-open' | 'cooling-down';
    /** Until the gateway may call it again; when `open` or `cooling-down`. */
    retryAfterSeconds?: number;
  };
  /** What the gateway that answered has measured; of own nodes, and for administrators. */
  last5Minutes?: {
    calls: number;
    failed: number;
    /** 0 to 1; absent without calls. */
    errorRate?: number;
    p50Ms?: number;
    p95Ms?: number;
  };
};

/** A node as administrators see it. */
export type AdministeredNode = Omit<NodeRecord, 'cordoned'> & {
  cordoned: boolean;
  ownerId?: string;
  /** Blocks below the highest head of its network; of nodes of the operator. */
  lagBlocks?: number;
};

/** What `PATCH /admin/nodes/{nodeId}` takes. Members that are left out stay. */
export type AdministeredNodePatch = {
  shared?: boolean | null;
  cordoned?: boolean | null;
};

/** An entry of `GET /contracts`. */
export type ContractRecord = {
  contractId: string;
  dlt: string;
  networkId: string;
  /** `staking` for a staking contract; any other is the operator's. */
  role: string;
  name?: string;
  /** In EIP-55's spelling. */
  address: string;
};

/** An entry of `GET /users/me/deployed-contracts`. */
export type DeployedContract = {
  /** Where it is, or will be: it follows from `deployer` and the transaction's nonce. */
  address: string;
  dlt: string;
  networkId: string;
  transactionHash: string;
  /** Who signed the transaction. */
  deployer: string;
  /** Back to `pending` when a reorganisation takes the transaction out. */
  status: 'pending' | 'deployed' | 'failed';
  /** `replaced`: another transaction used its nonce. `dropped`: no node has known of it for a day. */
  failureReason?: 'reverted' | 'replaced' | 'dropped';
  /** Absent until it was seen in a block. */
  blockNumber?: number;
  /** When it was first sent through the gateway. */
  createdAt: Timestamp;
};

/** `POST /users/me/wallets/challenge`, request. */
export type WalletChallengeInput = {
  address: string;
  /** Of a network of the gateway. Left out: the default network's. */
  chainId?: number | null;
};

/** `POST /users/me/wallets/challenge`, 200. */
export type WalletChallenge = {
  /** EIP-4361, to be signed as it is. */
  message: string;
  nonce: string;
  /** After ten minutes. */
  expiresAt: Timestamp;
};

/** `POST /users/me/wallets`, request. */
export type WalletInput = {
  /** The challenge's, unchanged. */
  message: string;
  /** `0x…`: 65 or 64 bytes, or a contract wallet's (EIP-1271, EIP-6492). */
  signature: string;
  /** 1 to 100 Unicode code points, no control characters. */
  label?: string | null;
};

/** A linked wallet. */
export type Wallet = {
  address: string;
  /** Whether a key signed, or a contract confirmed the signature. */
  kind: 'account' | 'contract';
  label?: string;
  /** The chain that the signed message named. */
  chainId: number;
  linkedAt: Timestamp;
};

/** A token, as it tells of itself. */
export type StakeToken = {
  address: string;
  /** Made fit to be shown; empty when the token names none. */
  symbol: string;
  /** 0 when the token does not say. */
  decimals: number;
};

/** An entry of `GET /stakes`: what a wallet has staked in a contract, and earned. Amounts are base units. */
export type Stake = {
  stakeId: string;
  contractId: string;
  dlt: string;
  networkId: string;
  wallet: string;
  staked: string;
  /** Not claimed yet. */
  earned: string;
  stakingToken: StakeToken;
  rewardsToken: StakeToken;
  /** The block at which it was read. */
  blockNumber: number;
  updatedAt: Timestamp;
};

/** A contract that failed, and the wallets whose positions in it are therefore unknown. */
export type UnreadableStakes = { contractId: string; dlt: string; networkId: string; wallets: readonly string[] };

/** A page of `GET /stakes`. */
export type StakePage = Page<Stake> & { unreadable?: readonly UnreadableStakes[] };

/** `POST /stakes/transactions`, request. */
export type StakeTransactionInput = {
  contractId: string;
  dlt: string;
  networkId: string;
  /** A linked one. */
  wallet: string;
  action: 'stake' | 'unstake' | 'claim' | 'exit';
  /** For `stake` and `unstake`, in base units. */
  amount?: string | null;
};

/** A transaction that the wallet signs and sends. */
export type PreparedTransaction = {
  chainId: number;
  from: string;
  to: string;
  data: string;
  value: string;
  gas: string;
  description: string;
};

/** What a wallet is to sign, in the order in which it is to be sent. */
export type PreparedTransactions = { transactions: readonly PreparedTransaction[] };
