/** Reads the receipt of a deposit's transaction on L2. */

export type L2Receipt =
  | { readonly kind: 'there'; readonly block: number; readonly blockHash: string; readonly isSuccess: boolean }
  /** L2 does not have it. */
  | { readonly kind: 'absent' }
  /** No answer of the expected form. */
  | { readonly kind: 'unclear' };

export function readL2Receipt(answer: unknown, wanted: string): L2Receipt {
  if (answer === null) return { kind: 'absent' };
  if (typeof answer !== 'object' || answer === undefined) return { kind: 'unclear' };
  const { transactionHash, blockNumber, blockHash, status }: Record<string, unknown> = { ...answer };
  const isOwn = typeof transactionHash === 'string' && transactionHash.toLowerCase() === wanted;
  const isPlaced =
    typeof blockNumber === 'string' &&
    /^0x[0-9a-f]{1,13}$/i.test(blockNumber) &&
    typeof blockHash === 'string' &&
    /^0x[0-9a-f]{64}$/i.test(blockHash);
  if (!isOwn || !isPlaced || (status !== '0x0' && status !== '0x1')) return { kind: 'unclear' };
  return { kind: 'there', block: Number(blockNumber), blockHash: blockHash.toLowerCase(), isSuccess: status === '0x1' };
}
