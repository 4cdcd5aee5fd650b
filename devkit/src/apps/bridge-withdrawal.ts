/** The progress of a withdrawal, read from both chains, and the wallet's next transaction. */
import { type Address, type Hex, isAddressEqual, type TransactionReceipt, zeroAddress } from 'viem';
import { getWithdrawals } from 'viem/op-stack';
import { finalizeCall, proveCall } from './bridge-calls.ts';
import { type BridgePlace, portalAbi, type Withdrawal } from './bridge-place.ts';
import { failedRelay, type Progress, relayOf } from './bridge-progress.ts';
import { provableRoot, type RootProof, readGame } from './bridge-roots.ts';
import {
  decideWithdrawal,
  isCounted,
  type WithdrawalDecision,
  type WithdrawalView,
} from './bridge-withdrawal-status.ts';

/** `receipt` belongs to the successful transaction on L2; `wallet` proves and finalizes. */
export async function withdrawalProgress(
  place: BridgePlace,
  receipt: TransactionReceipt,
  wallet: Address,
): Promise<Progress> {
  const [withdrawal] = getWithdrawals(receipt);
  if (withdrawal === undefined) throw new Error('The transaction contains no withdrawal.');
  const { view, root } = await look(place, withdrawal, receipt.blockNumber, wallet);
  const decision = decideWithdrawal(view);
  if (decision.status === 'finalised') return await paidOut(place, withdrawal);
  const call = decision.blockers.includes('paused') ? undefined : callFor(place, decision, withdrawal, root);
  const { status, blockers, windowEndsAt } = decision;
  return {
    ...{ status, text: textOf(decision, view, root) },
    facts: {
      ...{ withdrawalHash: withdrawal.withdrawalHash, blockers },
      ...(windowEndsAt === undefined ? {} : { disputeWindowEndsAt: timeOf(windowEndsAt) }),
    },
    ...(call === undefined ? {} : { call }),
  };
}

function callFor(
  place: BridgePlace,
  { status }: WithdrawalDecision,
  withdrawal: Withdrawal,
  root: RootProof | undefined,
) {
  if (status === 'ready_to_prove' && root !== undefined) return proveCall(place, withdrawal, root);
  return status === 'ready_to_finalise' ? finalizeCall(place, withdrawal) : undefined;
}

type Look = { readonly view: WithdrawalView; readonly root: RootProof | undefined };

/** All reads of L1 are at one block. */
async function look(place: BridgePlace, withdrawal: Withdrawal, l2Block: bigint, wallet: Address): Promise<Look> {
  const { l1, contracts } = place;
  const { number: blockNumber, timestamp: now } = await l1.getBlock();
  const { withdrawalHash } = withdrawal;
  const portal = { address: contracts.portal, abi: portalAbi, blockNumber } as const;
  const [isPaused, isFinalized, [game, at], maturity, finality] = await Promise.all([
    l1.readContract({ ...portal, functionName: 'paused' }),
    l1.readContract({ ...portal, functionName: 'finalizedWithdrawals', args: [withdrawalHash] }),
    l1.readContract({ ...portal, functionName: 'provenWithdrawals', args: [withdrawalHash, wallet] }),
    l1.readContract({ ...portal, functionName: 'proofMaturityDelaySeconds' }),
    l1.readContract({ ...portal, functionName: 'disputeGameFinalityDelaySeconds' }),
  ]);
  const proof = isAddressEqual(game, zeroAddress) ? undefined : { at, game: await readGame(place, game, blockNumber) };
  const isNeeded = !isFinalized && (proof === undefined || !isCounted(proof));
  const root = isNeeded ? await provableRoot(place, withdrawal, l2Block, blockNumber) : undefined;
  const view = { now, isPaused, isFinalized, maturity, finality, hasRoot: root !== undefined };
  return { view: proof === undefined ? view : { ...view, proof }, root };
}

/** The portal has called the messenger. If the recipient refused the amount, the messenger has stored it. */
async function paidOut(place: BridgePlace, withdrawal: Withdrawal): Promise<Progress> {
  const { withdrawalHash, data } = withdrawal;
  const finalizedBy = await finalizedIn(place, withdrawalHash);
  const facts = { withdrawalHash, blockers: [], ...finalizedBy };
  const relayed = await relayOf(place, 'l1', data);
  if (relayed === 'relayed')
    return { status: 'finalised', text: 'The withdrawal has arrived on L1.', isOver: true, facts };
  if (relayed === 'unseen') {
    const text =
      "The portal has finalized the withdrawal, but the messenger never got its message. It cannot be finalized again: report these hashes to the rollup's operator.";
    return { status: 'failed', text, isOver: true, facts };
  }
  return { ...(await failedRelay(place, 'l1', data)), facts };
}

/** Any account may finalize with a valid proof. */
async function finalizedIn(
  { l1, contracts }: BridgePlace,
  withdrawalHash: Hex,
): Promise<{ readonly finalizeTransactionHash?: Hex }> {
  const [log] = await l1.getContractEvents({
    ...{ address: contracts.portal, abi: portalAbi, eventName: 'WithdrawalFinalized' },
    ...{ args: { withdrawalHash }, fromBlock: 'earliest' },
  });
  return log === undefined ? {} : { finalizeTransactionHash: log.transactionHash };
}

function textOf(
  { status, windowEndsAt, blockers }: WithdrawalDecision,
  view: WithdrawalView,
  root: RootProof | undefined,
) {
  const paused = blockers.includes('paused')
    ? ' The portal is paused: nothing can be proven or finalized until its guardian unpauses it.'
    : '';
  return `${sentence(status, windowEndsAt, view, root)}${paused}`;
}

function sentence(
  status: WithdrawalDecision['status'],
  windowEndsAt: bigint | undefined,
  { proof, now }: WithdrawalView,
  root: RootProof | undefined,
): string {
  const lost = proof === undefined ? '' : lostProof(proof);
  const until = windowEndsAt === undefined ? '' : timeOf(windowEndsAt);
  switch (status) {
    case 'awaiting_state_root':
      return `${lost}The rollup has not posted a state root on L1 that contains the withdrawal. Prove the withdrawal when it has.`;
    case 'ready_to_prove':
      return `${lost}A state root that contains the withdrawal is posted: prove the withdrawal on L1.${root?.isChallenged === true ? ' This root is challenged: if it is lost, the withdrawal must be proven again.' : ''}`;
    case 'challenged':
      return `The withdrawal is proven. The state root is challenged: when the challenge fails, the withdrawal can be finalized, not before ${until}; when it succeeds, the withdrawal is proven again.`;
    case 'in_dispute_window':
      return proof?.game.outcome === 'in_progress' && windowEndsAt !== undefined && now >= windowEndsAt
        ? 'The withdrawal is proven, and no one has challenged the state root in time. It waits for the resolution of the dispute game, usually by the proposer.'
        : `The withdrawal is proven. The dispute window of the state root is open until ${until} at least, by L1's clock.`;
    case 'ready_to_finalise':
      return 'The dispute window is over: finalize the withdrawal on L1.';
    case 'finalised':
      return '';
  }
}

/** Why an existing proof is invalid. */
function lostProof(proof: NonNullable<WithdrawalView['proof']>): string {
  if (proof.game.isBlacklisted)
    return 'The guardian has blacklisted the state root that the withdrawal was proven against. ';
  if (proof.game.outcome === 'challenger_wins')
    return 'The state root that the withdrawal was proven against was challenged and lost. ';
  return isCounted(proof) ? '' : 'The portal no longer accepts the proof that was made. ';
}

const timeOf = (seconds: bigint): string => new Date(Number(seconds) * 1000).toISOString();
