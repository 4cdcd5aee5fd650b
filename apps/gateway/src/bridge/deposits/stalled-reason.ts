/** A sentence on why a deposit is stalled, from a check of its L1 transaction (contract/deposits#stalled). */

export type ObservedTransaction = {
  readonly head: number | undefined;
  /** What nodes report of the transaction; undefined without an answer of the expected form. */
  readonly state:
    | { readonly kind: 'missing' }
    | { readonly kind: 'unmined' }
    | { readonly kind: 'mined'; readonly block: number; readonly isSuccess: boolean }
    | undefined;
};

/** From the answers of `eth_blockNumber`, `eth_getTransactionReceipt` and `eth_getTransactionByHash`. */
export function readTransaction(head: unknown, receipt: unknown, transaction: unknown): ObservedTransaction {
  return { head: quantityOf(head), state: stateOf(receipt, transaction) };
}

/** Undefined when the check had no result. */
export function stalledReason(
  { head, state }: ObservedTransaction,
  { confirmations, l2Origin }: { readonly confirmations: number; readonly l2Origin: number | undefined },
): string | undefined {
  if (state === undefined) return undefined;
  if (state.kind === 'missing') return 'The node of L1 that was asked does not know the transaction.';
  if (state.kind === 'unmined') return 'The transaction is pending on L1: no block includes it yet.';
  if (!state.isSuccess) return `The transaction reverted in L1 block ${state.block}.`;
  const left = state.block + confirmations - 1 - (head ?? state.block);
  const included = `L1 block ${state.block} includes the transaction`;
  if (left > 0) return `${included}, with ${confirmations - left} of ${confirmations} confirmations.`;
  return `${included} and is confirmed. ${derivationState(state.block, l2Origin)}`;
}

/** As the rollup's specification names it: L2 derives the deposits of an L1 block once that block is L2's L1 origin (specs.optimism.io, Derivation). */
function derivationState(block: number, l2Origin: number | undefined): string {
  if (l2Origin === undefined) return 'L2 does not report its L1 origin.';
  if (l2Origin < block)
    return `L2 has not derived the deposit yet: its L1 origin is block ${l2Origin}, ${block - l2Origin} ${block - l2Origin === 1 ? 'block' : 'blocks'} behind.`;
  return `L2 has derived the deposit, since its L1 origin is block ${l2Origin}, but the gateway has not read how it ended.`;
}

function stateOf(receipt: unknown, transaction: unknown): ObservedTransaction['state'] {
  if (typeof receipt === 'object' && receipt !== null && 'blockNumber' in receipt && 'status' in receipt) {
    const block = quantityOf(receipt.blockNumber);
    return block === undefined ? undefined : { kind: 'mined', block, isSuccess: receipt.status === '0x1' };
  }
  // An error is no answer.
  if (receipt !== null) return undefined;
  if (transaction === null) return { kind: 'missing' };
  return transaction === undefined ? undefined : { kind: 'unmined' };
}

function quantityOf(value: unknown): number | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value) ? Number(value) : undefined;
}
