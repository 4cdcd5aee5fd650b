/** Prepares a transaction that lacks only its sender's signature. */
import type { Address, Hex, PublicClient, TransactionSerializableEIP1559 } from 'viem';
import { BaseError } from 'viem';

/** The form of a step's `transaction`: JSON, with amounts as decimal strings of wei (contract/conventions#times-and-amounts). */
export type PreparedTransaction = {
  readonly type: 'eip1559';
  readonly chainId: number;
  readonly from: Address;
  /** Absent for a contract creation. */
  readonly to?: Address;
  readonly nonce: number;
  readonly gas: string;
  readonly maxFeePerGas: string;
  readonly maxPriorityFeePerGas: string;
  readonly value: string;
  readonly data: Hex;
};

export type Wanted = {
  readonly from: Address;
  readonly to?: Address;
  readonly data: Hex;
  /** Wei; default 0. */
  readonly value?: bigint;
  /** Margin added to the gas estimate, in percent; default 20. */
  readonly gasMargin?: bigint;
  /** A gas limit that replaces the node's estimate, for transactions whose estimate is too low. */
  readonly gas?: bigint;
};

/** A problem that a person can solve is returned; all other errors are thrown. */
export type Problem = { readonly ok: false; readonly message: string };

/** Reads nonce, gas and fees from the chain. Returns a problem when the transaction would fail or its sender cannot pay for it. */
export async function prepareTransaction(
  chain: PublicClient,
  wanted: Wanted,
): Promise<{ readonly ok: true; readonly transaction: PreparedTransaction } | Problem> {
  const { from, to, data, value = 0n, gasMargin = 20n } = wanted;
  const target = to === undefined ? {} : { to };
  try {
    const [chainId, nonce, fees, gas] = await Promise.all([
      chain.getChainId(),
      chain.getTransactionCount({ address: from, blockTag: 'pending' }),
      chain.estimateFeesPerGas(),
      wanted.gas ?? chain.estimateGas({ account: from, data, value, ...target }),
    ]);
    return {
      ok: true,
      transaction: {
        ...{ type: 'eip1559', chainId, from, ...target, nonce, value: String(value), data },
        // The state may change before the transaction is mined, and it may then need a little more gas than the estimate.
        gas: String(gas + (gas * gasMargin) / 100n),
        maxFeePerGas: String(fees.maxFeePerGas),
        maxPriorityFeePerGas: String(fees.maxPriorityFeePerGas),
      },
    };
  } catch (error) {
    if (isRefusalOfChain(error)) return { ok: false, message: 'The node reports that this transaction would fail.' };
    throw error;
  }
}

export function unsigned(transaction: PreparedTransaction): TransactionSerializableEIP1559 {
  const { chainId, to, nonce, data } = transaction;
  return {
    ...{ type: 'eip1559', chainId, nonce, data },
    ...(to === undefined ? {} : { to }),
    gas: BigInt(transaction.gas),
    maxFeePerGas: BigInt(transaction.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(transaction.maxPriorityFeePerGas),
    value: BigInt(transaction.value),
  };
}

/** Reads the app's own state, which no one else can write. */
export function isPrepared(value: unknown): value is PreparedTransaction {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'eip1559';
}

/** Whether the node refused the call. A node that did not answer is a different case. */
export function isRefusalOfChain(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  return error.walk((each) => each instanceof Error && each.name === 'RpcRequestError') !== null;
}
