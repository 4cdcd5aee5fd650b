/** A swap in a pool, as it is stored. */

export const swapStatuses = ['completed', 'failed'] as const;
/** `failed`: its block was lost, and in another one its transaction failed. */
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
  /** The place among the pool's swaps in the transaction, from 0. */
  readonly nth: number;
  readonly blockNumber: number;
  readonly blockHash: string;
  /** The time of that block. */
  readonly createdAtMs: number;
  readonly status: SwapStatus;
  /** Who sent the transaction, with which nonce. */
  readonly from: string;
  readonly nonce: number;
  /** Who called the pool: a router, or a contract wallet. */
  readonly sender: string;
  /** Who got what came out. */
  readonly to: string;
  readonly tokenIn: string;
  /** Base units, in decimal digits. */
  readonly amountIn: string;
  readonly tokenOut: string;
  readonly amountOut: string;
  /** Since when its block is lost and nothing else is known: until then, and again when it is found in another block, it is shown. */
  readonly lostAtMs?: number;
  /** When a lost one is looked for next; absent for one that is dropped for good. */
  readonly dueAtMs?: number;
};
