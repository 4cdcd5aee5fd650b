/** The progress of a deposit, read from both chains. */
import { parseEventLogs, type TransactionReceipt } from 'viem';
import { getL2TransactionHashes, opaqueDataToDepositData } from 'viem/op-stack';
import { type BridgePlace, l1BlockAbi, l1BlockContract, portalAbi } from './bridge-place.ts';
import { failedRelay, type Progress, relayOf } from './bridge-progress.ts';
import { minedReceipt } from './signed-transaction.ts';

/** `receipt` belongs to the successful transaction on L1. */
export async function depositProgress(place: BridgePlace, receipt: TransactionReceipt): Promise<Progress> {
  const { hash, relay } = depositIn(place, receipt);
  const onL2 = await minedReceipt(place.l2, hash);
  const facts = { l2TransactionHash: hash };
  if (onL2 === undefined) {
    const progress = await waiting(place, receipt);
    return { ...progress, facts: { ...facts, ...progress.facts } };
  }
  if (onL2.status !== 'success') {
    const text = `The deposit was reverted on L2 (${hash}). The bridge has taken the amount on L1 and did not pay it out: report these hashes to the rollup's operator.`;
    return { status: 'failed', text, isOver: true, facts: { ...facts, failureReason: 'l2_reverted' } };
  }
  const relayed = await relayOf(place, 'l2', relay);
  if (relayed === 'relayed')
    return { status: 'completed', text: 'The deposit has arrived on L2.', isOver: true, facts };
  if (relayed === 'unseen')
    return { status: 'relaying', text: 'L2 has the deposit and has not relayed its message yet.', facts };
  return { ...(await failedRelay(place, 'l2', relay)), facts };
}

/** The deposit's transaction on L2, and its call. */
function depositIn({ contracts }: BridgePlace, receipt: TransactionReceipt) {
  const logs = receipt.logs.filter(({ address }) => address.toLowerCase() === contracts.portal.toLowerCase());
  const [hash] = getL2TransactionHashes({ logs });
  const [deposited] = parseEventLogs({ abi: portalAbi, eventName: 'TransactionDeposited', logs });
  if (hash === undefined || deposited === undefined) throw new Error('The transaction contains no deposit.');
  return { hash, relay: opaqueDataToDepositData(deposited.args.opaqueData).data };
}

async function waiting(place: BridgePlace, { blockNumber }: TransactionReceipt): Promise<Progress> {
  const [head, derived] = await Promise.all([
    place.l1.getBlockNumber(),
    place.l2.readContract({ address: l1BlockContract, abi: l1BlockAbi, functionName: 'number' }),
  ]);
  const required = place.confirmations;
  const confirmations = Math.min(Number(head - blockNumber) + 1, required);
  const facts = { confirmations, requiredConfirmations: required };
  const found = `The deposit is in block ${blockNumber} of L1: ${confirmations} of ${required} confirmations.`;
  const reached = `L2 has taken over L1's blocks up to ${derived}`;
  if (derived >= blockNumber)
    return { status: 'relaying', facts, text: `${found} ${reached} and is about to show the deposit.` };
  const text = `${found} ${reached}; the deposit arrives once it has reached block ${blockNumber}.`;
  return { status: confirmations < required ? 'pending' : 'confirmed', facts, text };
}
