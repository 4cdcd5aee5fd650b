/** A stored swap in a pool. */

export const swapStatuses = ['completed', 'failed'] as const;
/** `failed`: its block was lost, and its transaction failed in another one. */
export type SwapStatus = (typeof swapStatuses)[number];

/** Addresses and hashes are in lower case; times are milliseconds since the Unix epoch. */
export type SwapRecord = {
  /** `swp_` and a ULID. */
  readonly swapId: string;
  /** The stream of the network's pools. */
  readonly streamId: string;
  /** The address of the pool. */
  readonly pool: string;
  readonly transactionHash: string;
  /** The index among the pool's swaps in the transaction, from 0. */
  readonly nth: number;
  readonly blockNumber: number;
  readonly blockHash: string;
  /** The time of that block. */
  readonly createdAtMs: number;
  readonly status: SwapStatus;
  /** The sender of the transaction, and its nonce. */
  readonly from: string;
  readonly nonce: number;
  /** The caller of the pool: a router, or a contract wallet. */
  readonly sender: string;
  /** The receiver of the amount out. */
  readonly to: string;
  readonly tokenIn: string;
  /** Base units, in decimal digits. */
  readonly amountIn: string;
  readonly tokenOut: string;
  readonly amountOut: string;
  /** The time since which its block is lost and its outcome unknown. Absent before, and once it is found in another block: the swap is listed only then. */
  readonly lostAtMs?: number;
  /** When a lost swap is checked next; absent for one that is dropped for good. */
  readonly dueAtMs?: number;
};
