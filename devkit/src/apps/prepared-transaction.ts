/** The first part of prepare, sign, execute: a transaction that lacks only its sender's signature. */
import type { Address, Hex, PublicClient, TransactionSerializableEIP1559 } from 'viem';
import { BaseError } from 'viem';

/** As a step's `transaction`: JSON, with amounts as decimal strings of wei (contract/conventions#times-and-amounts). */
export type PreparedTransaction = {
  readonly type: 'eip1559';
  readonly chainId: number;
  readonly from: Address;
  /** Absent when it creates a contract. */
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
  /** How much of the estimate is added to it, in per cent; default 20. */
  readonly gasMargin?: bigint;
  /** Instead of an estimate, where the sender's own would be too low. */
  readonly gas?: bigint;
};

/** A problem that a person can solve is a value; everything else is thrown. */
export type Problem = { readonly ok: false; readonly message: string };

/** Asks the chain for nonce, gas and fees. Returns a problem when the transaction would fail or cannot be paid for. */
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
        // A state that changes until then may need a little more gas than the estimate.
        gas: String(gas + (gas * gasMargin) / 100n),
        maxFeePerGas: String(fees.maxFeePerGas),
        maxPriorityFeePerGas: String(fees.maxPriorityFeePerGas),
      },
    };
  } catch (error) {
    if (isRefusalOfChain(error)) return { ok: false, message: 'The chain says that this transaction would fail.' };
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

/** From the app's own state, where no one else writes. */
export function isPrepared(value: unknown): value is PreparedTransaction {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'eip1559';
}

/** The chain answered with a refusal; no answer at all is another case. */
export function isRefusalOfChain(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  return error.walk((each) => each instanceof Error && each.name === 'RpcRequestError') !== null;
}
