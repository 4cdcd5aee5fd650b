/** What a look at the L1 transaction of a deposit that stands still shows, in a sentence (contract/deposits#stalled). */

export type TransactionLook = {
  readonly head: number | undefined;
  /** What nodes know of the transaction; undefined when they gave no answer of the expected form. */
  readonly state:
    | { readonly kind: 'missing' }
    | { readonly kind: 'unmined' }
    | { readonly kind: 'mined'; readonly block: number; readonly isSuccess: boolean }
    | undefined;
};

/** From the answers of `eth_blockNumber`, `eth_getTransactionReceipt` and `eth_getTransactionByHash`. */
export function readTransactionLook(head: unknown, receipt: unknown, transaction: unknown): TransactionLook {
  return { head: quantityOf(head), state: stateOf(receipt, transaction) };
}

/** Undefined when the look has shown nothing. */
export function stalledReason(
  { head, state }: TransactionLook,
  { confirmations, l2Origin }: { readonly confirmations: number; readonly l2Origin: number | undefined },
): string | undefined {
  if (state === undefined) return undefined;
  if (state.kind === 'missing') return 'No node of L1 knows the transaction.';
  if (state.kind === 'unmined') return 'The transaction waits to be mined on L1.';
  if (!state.isSuccess) return `The transaction was mined in L1 block ${state.block} and has reverted.`;
  const left = state.block + confirmations - 1 - (head ?? state.block);
  const mined = `The transaction is mined in L1 block ${state.block}`;
  if (left > 0) return `${mined} and waits for ${left} more ${left === 1 ? 'block' : 'blocks'}.`;
  const reached = l2Origin === undefined ? 'L2 does not tell' : `L2 has reached L1 block ${l2Origin}`;
  return `${mined} and confirmed. Its transaction on L2 is derived but not on L2: ${reached}${l2Origin === undefined ? ' which L1 block it has reached' : ''}.`;
}

function stateOf(receipt: unknown, transaction: unknown): TransactionLook['state'] {
  if (typeof receipt === 'object' && receipt !== null && 'blockNumber' in receipt && 'status' in receipt) {
    const block = quantityOf(receipt.blockNumber);
    return block === undefined ? undefined : { kind: 'mined', block, isSuccess: receipt.status === '0x1' };
  }
  // An answer with an error says nothing.
  if (receipt !== null) return undefined;
  if (transaction === null) return { kind: 'missing' };
  return transaction === undefined ? undefined : { kind: 'unmined' };
}

function quantityOf(value: unknown): number | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value) ? Number(value) : undefined;
}
