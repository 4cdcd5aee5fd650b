/** Compares viem's op-stack actions with the view of a gateway, for every deposit and withdrawal of a real rollup. */

import { type Hex, parseAbi, type TransactionReceipt } from 'viem';
import { getL2TransactionHashes, getWithdrawals } from 'viem/op-stack';
import type { rollupClients } from '../../devkit/test/rollup-clients.ts';
import type { SeenRecord, SeenView } from './seen.ts';

type Clients = ReturnType<typeof rollupClients>;

/** The transactions that users sent, whether they are still on their chain or not. */
export type SentTransactions = { readonly l1: readonly Hex[]; readonly l2: readonly Hex[] };

const portalAbi = parseAbi([
  'function numProofSubmitters(bytes32) view returns (uint256)',
  'function proofSubmitters(bytes32, uint256) view returns (address)',
  'function provenWithdrawals(bytes32, address) view returns (address game, uint64 timestamp)',
  'function disputeGameBlacklist(address) view returns (bool)',
]);
const gameAbi = parseAbi([
  'function status() view returns (uint8)',
  'function l2BlockNumber() view returns (uint256)',
  'function claimDataLen() view returns (uint256)',
]);
const factoryAbi = parseAbi([
  'function gameCount() view returns (uint256)',
  'function gameAtIndex(uint256) view returns (uint32 gameType, uint64 timestamp, address proxy)',
]);

/** One line for each disagreement. */
export async function disagreements(
  clients: Clients,
  contracts: { readonly portal: Hex; readonly disputeGameFactory: Hex },
  sent: SentTransactions,
  seen: SeenView,
): Promise<readonly string[]> {
  const deposits = await Promise.all(sent.l1.map((hash) => ofDeposit(clients, hash, seen.deposits)));
  const withdrawals = await Promise.all(
    sent.l2.map((hash) => ofWithdrawal(clients, contracts, hash, seen.withdrawals)),
  );
  return [...deposits.flat(), ...withdrawals.flat()];
}

const receiptOf = (
  reader: { readonly getTransactionReceipt: (of: { hash: Hex }) => Promise<TransactionReceipt> },
  hash: Hex,
): Promise<TransactionReceipt | undefined> =>
  reader.getTransactionReceipt({ hash }).catch((error: unknown) => {
    // A chain that does not answer is not a chain without the transaction.
    if (error instanceof Error && error.name === 'TransactionReceiptNotFoundError') return undefined;
    throw error;
  });

async function ofDeposit({ onL1, onL2 }: Clients, hash: Hex, seen: readonly SeenRecord[]): Promise<readonly string[]> {
  const records = seen.filter((record) => record['l1TransactionHash'] === hash);
  const receipt = await receiptOf(onL1, hash);
  if (receipt === undefined)
    return records
      .filter(({ status, failureReason }) => status !== 'pending' && failureReason !== 'reorganised')
      .map(({ status }) => `the deposit ${hash} is on no chain, and ${status}`);
  const hashes = getL2TransactionHashes(receipt);
  const reported = records.map((record) => record['l2TransactionHash']);
  if ([...hashes].sort().join() !== [...reported].sort().join())
    return [`the deposit ${hash} is ${hashes} on L2, the gateway reports ${reported}`];
  const wrong: string[] = [];
  for (const each of hashes) {
    const record = records.find((one) => one['l2TransactionHash'] === each);
    const arrived = await receiptOf(onL2, each);
    const expected =
      arrived === undefined
        ? ['pending', 'confirmed', 'relaying']
        : arrived.status === 'success'
          ? ['completed']
          : ['failed'];
    if (record === undefined || !expected.includes(record.status))
      wrong.push(`the deposit ${hash} should be ${expected}, the gateway reports ${record?.status}`);
  }
  return wrong;
}

async function ofWithdrawal(
  clients: Clients,
  contracts: { readonly portal: Hex; readonly disputeGameFactory: Hex },
  hash: Hex,
  seen: readonly SeenRecord[],
): Promise<readonly string[]> {
  const records = seen.filter((record) => record['l2TransactionHash'] === hash);
  const receipt = await receiptOf(clients.onL2, hash);
  if (receipt === undefined)
    return records
      .filter(({ status }) => status !== 'initiated' && status !== 'failed')
      .map(({ status }) => `the withdrawal ${hash} is on no chain, and ${status}`);
  const wrong: string[] = [];
  for (const [logIndex, { withdrawalHash }] of getWithdrawals(receipt).entries()) {
    const record = records.find((one) => one['withdrawalHash'] === withdrawalHash);
    const viems = await clients.onL1
      .getWithdrawalStatus({ receipt, targetChain: clients.rollup, logIndex })
      .catch(() => undefined);
    const expected = await expectedOf(clients, contracts, viems, withdrawalHash, receipt.blockNumber);
    if (record === undefined || !expected.includes(record.status))
      wrong.push(
        `the withdrawal ${withdrawalHash} is ${viems ?? 'unknown'} by viem, the gateway reports ${record?.status}`,
      );
  }
  return wrong;
}

/** viem's status, where it has one; otherwise the portal and the game decide. */
async function expectedOf(
  { onL1 }: Clients,
  { portal: address, disputeGameFactory }: { readonly portal: Hex; readonly disputeGameFactory: Hex },
  viems: string | undefined,
  hash: Hex,
  l2Block: bigint,
): Promise<readonly string[]> {
  const portal = { address, abi: portalAbi } as const;
  if (viems === 'finalized') return ['finalised', 'failed'];
  if (viems === 'ready-to-finalize') return ['ready_to_finalise'];
  if (viems === 'waiting-to-prove') return ['awaiting_state_root'];
  const isUsable = async (game: Hex) => {
    const [status, isBlacklisted] = await Promise.all([
      onL1.readContract({ address: game, abi: gameAbi, functionName: 'status' }),
      onL1.readContract({ ...portal, functionName: 'disputeGameBlacklist', args: [game] }),
    ]);
    return status !== 1 && !isBlacklisted;
  };
  const unproven = async () => {
    // viem counts games that are lost or blacklisted, against which nothing can be finalized.
    const factory = { address: disputeGameFactory, abi: factoryAbi } as const;
    const count = await onL1.readContract({ ...factory, functionName: 'gameCount' });
    for (let nth = count - 1n; nth >= 0n; nth--) {
      const [, , game] = await onL1.readContract({ ...factory, functionName: 'gameAtIndex', args: [nth] });
      const covers =
        (await onL1.readContract({ address: game, abi: gameAbi, functionName: 'l2BlockNumber' })) >= l2Block;
      if (covers && (await isUsable(game))) return ['ready_to_prove'];
    }
    return ['awaiting_state_root'];
  };
  if (viems === 'ready-to-prove') return unproven();
  const submitters = await onL1.readContract({ ...portal, functionName: 'numProofSubmitters', args: [hash] });
  const submitter = await onL1.readContract({
    ...{ ...portal, functionName: 'proofSubmitters' },
    args: [hash, submitters - 1n],
  });
  const [game] = await onL1.readContract({ ...portal, functionName: 'provenWithdrawals', args: [hash, submitter] });
  if (!(await isUsable(game))) return unproven();
  const claims = await onL1.readContract({ address: game, abi: gameAbi, functionName: 'claimDataLen' });
  const status = await onL1.readContract({ address: game, abi: gameAbi, functionName: 'status' });
  return claims > 1n && status === 0 ? ['challenged'] : ['in_dispute_window'];
}
